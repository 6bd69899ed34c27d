#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "taut/error.hpp"
#include "taut/vector.hpp"
#include "taut/visibility.hpp"

/// The equations of a mechanism at a point (t, q, v):
///   q̇ = N v + n,   M v̇ = f + Hᵀλ,   Φ(t, q) = 0,   χ(t, q, v) = 0,   χ̇ = H v̇ − b.
/// χ holds the derivatives of the position constraints first, then the velocity constraints.
namespace taut TAUT_PUBLIC {

/// Places in a matrix, (row, column). Copies share one list until one of them is changed: everybody who works with a
/// matrix knows its pattern, and in large systems there is room for one.
class MatrixPlaces {
 public:
  using List = std::vector<std::pair<int, int>>;
  using value_type = List::value_type;
  using const_iterator = List::const_iterator;

  MatrixPlaces() = default;
  MatrixPlaces(std::initializer_list<value_type> places) : list_(std::make_shared<List>(places)) {}
  // There is always a list: what is moved is shared.
  MatrixPlaces(const MatrixPlaces&) = default;
  MatrixPlaces& operator=(const MatrixPlaces&) = default;

  const List& list() const { return *list_; }
  operator const List&() const { return *list_; }
  const_iterator begin() const { return list_->begin(); }
  const_iterator end() const { return list_->end(); }
  std::size_t size() const { return list_->size(); }
  bool empty() const { return list_->empty(); }
  const value_type* data() const { return list_->data(); }
  const value_type& operator[](std::size_t k) const { return (*list_)[k]; }

  void reserve(std::size_t count) { own().reserve(count); }
  void shrink_to_fit() { own().shrink_to_fit(); }
  void emplace_back(int row, int column) { own().emplace_back(row, column); }
  void insert(const_iterator before, std::initializer_list<value_type> places) {
    const auto at = before - begin();
    List& list = own();
    list.insert(list.begin() + at, places);
  }

 private:
  List& own() {
    if (list_.use_count() > 1) list_ = std::make_shared<List>(*list_);
    return *list_;
  }

  std::shared_ptr<List> list_ = std::make_shared<List>();
};

/// Which entries of a matrix can differ from zero, in the order of their values.
struct Pattern {
  int rows = 0, columns = 0;
  MatrixPlaces entries;
};

/// A matrix of fixed pattern. Entries that are not listed are zero; none is listed twice.
struct SparseValues {
  Pattern pattern;
  Vector values;

  void to_dense(Matrix& out) const;                              ///< out has the right size
  void multiply(const Vector& x, Vector& out) const;             ///< out = A x
  void multiply_transposed(const Vector& x, Vector& out) const;  ///< out = Aᵀ x
};

/// Sizes and names of a system.
struct Shape {
  std::vector<std::string> coordinates;  ///< q
  std::vector<std::string> speeds;       ///< v
  std::vector<std::string> constraints;  ///< rows of χ: position constraints first
  std::vector<std::string> outputs;
  std::vector<std::string> watches;                    ///< functions whose zeros are events
  std::vector<bool> watch_stops;                       ///< does a zero of this one end the run?
  std::vector<std::string> switches;                   ///< functions at whose zeros the equations have a kink, as text
  std::vector<double> switch_reach;                    ///< the most that the sign of one may be at rest; at least 1
  std::vector<std::string> switch_names;               ///< joints and constraints that rub there; "" of other kinks
  std::vector<Place> speed_places, constraint_places;  ///< where they stand in the model's text; may be empty
  /// The part that each row of χ belongs to, numbered so that inner parts come before outer ones and the model's own
  /// rows, which join them, last; empty: the model has no parts.
  std::vector<int> blocks;
  std::vector<double> softness;  ///< σ² of each row of χ; empty: all rows hold exactly
  /// A first-order state is one of the speeds, or one of the coordinates where it drives others.
  struct State {
    std::string name;
    bool is_speed;
    int index;
  };
  std::vector<State> states;
  /// What follows from the state and is shown beside it: positions of bodies, where the coordinates are those of
  /// joints.
  struct Following {
    std::vector<std::string> coordinates, speeds, accelerations;
    std::size_t size() const { return 2 * coordinates.size() + speeds.size() + accelerations.size(); }
  };
  Following following;
  std::vector<int> state_rows;      ///< constraints of states alone
  int position_rows = 0;            ///< how many of the constraints are position constraints
  bool plain_rates = true;          ///< q̇ = v
  double least_size = 0;            ///< coordinates count as no smaller: angles of joints start at zero
  int leading_rates = 0;            ///< how many of the speeds are rates of coordinates; they come first
  bool retracts = false;            ///< retract() changes something
  bool jacobian_of_speeds = false;  ///< H depends on v
  bool has_energy = false;
  bool does_work = false;  ///< power() can differ from zero
  bool outputs_need_accelerations = false;
  bool forces_need_multipliers = false;  ///< see System::reaction_forces

  /// The first speed that is not merely the rate of a coordinate.
  int own_speeds() const { return plain_rates ? n_v() : leading_rates; }
  /// Speeds that are no states.
  int mechanical_speeds() const {
    return n_v() - static_cast<int>(std::ranges::count_if(states, [](const State& s) { return s.is_speed; }));
  }
  /// Degrees of freedom with constraints of this rank; states are none, and their constraints take none.
  int freedoms(int rank) const {
    return mechanical_speeds() - (rank - std::min(rank, static_cast<int>(state_rows.size())));
  }
  int n_q() const { return static_cast<int>(coordinates.size()); }
  int n_v() const { return static_cast<int>(speeds.size()); }
  int rows() const { return static_cast<int>(constraints.size()); }
  Place speed_place(int i) const { return speed_places.empty() ? Place{} : speed_places[i]; }
  Place constraint_place(int i) const { return constraint_places.empty() ? Place{} : constraint_places[i]; }
  int velocity_rows() const { return rows() - position_rows; }
};

/// What a System computes at a point.
struct Point {
  SparseValues M;  ///< n_v × n_v, both triangles
  SparseValues H;  ///< rows × n_v
  Vector f, b, chi, Phi;
};

/// Forces that depend on multipliers, as friction does: R(λ) and ∂R/∂λ.
struct ReactionForces {
  Vector R;             ///< n_v
  SparseValues slopes;  ///< n_v × rows
};

/// Are formulas to run as machine code that the system's compiler makes, or to be interpreted? Both give the same
/// results. Automatic: machine code where it is in the cache, or where compiling takes less time than it saves.
enum class Native { off, automatic, on };

/// What served in the end.
struct NativeUse {
  bool used = false;
  bool refused = false;  ///< machine code was to be made, and could not
  std::string reason;    ///< where the code came from, or why there is none
};

class FormulaSolver;

/// Evaluates the equations. A user may implement one in C++; a Model becomes one by make_system.
/// A System holds workspaces: one per thread.
class System {
 public:
  virtual ~System() = default;
  const Shape& shape() const { return shape_; }
  const NativeUse& native() const { return native_; }

  /// A Point with the right sizes and patterns. Dense patterns unless overridden.
  virtual Point make_point() const;

  /// Φ at a position.
  virtual void position(double t, const Vector& q, Vector& Phi) = 0;
  /// χ at a position and velocity.
  virtual void velocity(double t, const Vector& q, const Vector& v, Vector& chi) = 0;
  /// M, Φ, and the rows of H that depend on the position alone, those of the position constraints among them.
  virtual void at_position(double t, const Vector& q, Point& point) = 0;
  /// f, b, χ and, if shape().jacobian_of_speeds, H, at the position last given to at_position.
  virtual void at_velocity(double t, const Vector& q, const Vector& v, Point& point) = 0;

  /// q̇ = N v + n.
  virtual void rates(double t, const Vector& q, const Vector& v, Vector& qdot);
  /// dq = N dv: how a change of position spelt in speeds changes the coordinates.
  virtual void spread(double t, const Vector& q, const Vector& dv, Vector& dq);

  /// Sets coordinates right that are more than the motion needs: a quaternion gets unit length.
  virtual void retract(double t, Vector& q);

  /// Kinetic plus potential energy.
  virtual double energy(double t, const Vector& q, const Vector& v);
  /// ∂E/∂v.
  virtual void energy_gradient(double t, const Vector& q, const Vector& v, Vector& dE);
  /// ∂E/∂q.
  virtual void energy_slope(double t, const Vector& q, const Vector& v, Vector& dE);
  /// ∂E/∂t + ∂E/∂q q̇: the rate of E at v̇ = 0.
  virtual double energy_rate(double t, const Vector& q, const Vector& v);
  /// The rate at which forces that no potential covers, and moving constraints, put energy in.
  virtual double power(double t, const Vector& q, const Vector& v, const Vector& a, const Vector& lambda);

  /// A solver with a workspace of its own, for systems of formulas; none, as here, for others. Where rows depend on
  /// each other, `stress` has a column for each self-stress where the motion begins, for rows of length 1.
  virtual std::unique_ptr<FormulaSolver> make_solver(const Matrix& stress);

  /// From now on parameters have these values, indexed like model.parameters. What was computed before is worthless
  /// then.
  virtual void change_parameters(const std::vector<double>& /*values*/) {}

  // ---- nonideal constraints: see docs/theory/friction.md --------------------------------------------
  /// Where shape().forces_need_multipliers, R(t, q, v, λ) stands beside f: M v̇ = f + R(λ) + Hᵀλ.
  virtual ReactionForces make_reaction_forces() const { return {}; }
  /// The state at which reaction_forces() is asked for next, for many λ.
  virtual void react_at(double /*t*/, const Vector& /*q*/, const Vector& /*v*/) {}
  virtual void reaction_forces(const Vector& /*lambda*/, ReactionForces& /*forces*/) {}

  // ---- kinks: see docs/theory/switching.md ----------------------------------------------------------
  /// The side of a kink that the equations are on: the sign that stands in for that of the switching function; none:
  /// they are on the side where they are evaluated.
  using Branch = std::optional<double>;
  /// From now on each kink of the equations is on this side, wherever they are evaluated. Energies, outputs and watched
  /// functions know no sides.
  virtual void set_branches(const std::vector<Branch>& /*branches*/) {}
  /// The switching functions.
  virtual void switching(double /*t*/, const Vector& /*q*/, const Vector& /*v*/, Vector& /*s*/) {}
  /// Their rates.
  virtual void switching_rates(double /*t*/, const Vector& /*q*/, const Vector& /*v*/, const Vector& /*a*/,
                               Vector& /*rates*/) {}

  /// What shape().following names: coordinates, their rates, speeds, accelerations.
  virtual void following(double /*t*/, const Vector& /*q*/, const Vector& /*v*/, const Vector& /*a*/, Vector& /*out*/) {
  }

  /// Outputs, then watched functions.
  virtual void outputs(double t, const Vector& q, const Vector& v, const Vector& a, const Vector& lambda, Vector& out);

 protected:
  Shape shape_;
  NativeUse native_{false, false, "the system is not made of formulas"};
};

struct Model;

/// Derives the equations of a model, with these parameter values (indexed like model.parameters). `evaluations` says
/// how often they will be evaluated, roughly: whether compiling pays depends on it.
std::unique_ptr<System> make_system(const Model& model, const std::vector<double>& parameters,
                                    Native native = Native::off, double evaluations = 0);

}  // namespace TAUT_PUBLIC
