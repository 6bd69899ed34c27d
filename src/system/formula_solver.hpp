#pragma once

#include <memory>
#include <span>
#include <vector>

#include "expression/native.hpp"
#include "expression/program.hpp"
#include "system/equations.hpp"
#include "system/levels.hpp"
#include "system/point_solver.hpp"
#include "system/solution.hpp"
#include "system/stage.hpp"
#include "taut/system.hpp"

namespace taut {

/// The equations and their solution in one program: what all solvers of a system share.
struct SolverProgram {
  Program program;
  Program::Workspace begun;      ///< parameters are in it
  Matrix start;                  ///< the self-stresses it was made for, see dependent_rows
  std::vector<int> stress_rows;  ///< those that V has entries in
  int parameters = 0;
  std::vector<int> retracted;        ///< coordinates
  std::span<const double> branches;  ///< the system's choice at each kink, which may change
  std::span<const double> values;    ///< of the system's parameters, which may change, too …
  std::shared_ptr<const long> version = std::make_shared<long>(0);  ///< … and how often they have
  taut_stage_plan plan = {};                                        ///< its lists are those of this program
  NativeDriver driver;                                              ///< runs a stage of that plan

  /// Solvers take the parameters' values from here whenever the count has changed.
  void follow(std::span<const double> parameter_values, std::shared_ptr<const long> count) {
    values = parameter_values;
    version = std::move(count);
    made_at = *version;
  }
  long made_at = 0;  ///< the count at which `begun` got its parameters
};

/// How a solution is written out, and how long it may be. A longer one is left to a kernel.
struct SolutionChoice {
  Rows rows = Rows::by_number;
  std::size_t longest = 20000;
  bool gathered = false;  ///< with constant factors gathered, which rounds otherwise: see gather_factors
};

/// None where the solution would be too long, or H depends on speeds. `stress`: see dependent_rows.
std::shared_ptr<SolverProgram> make_solver_program(const Equations& eq, const Matrix& stress,
                                                   const std::vector<double>& parameters,
                                                   const SolutionChoice& choice = {});

/// Gives it other values of the parameters, as if it had been made for them; false where it would then be another.
bool set_parameters(SolverProgram& program, const std::vector<double>& parameters);

/// A program with inputs and results of its own: those of one solver.
class SolverMemory {
 public:
  explicit SolverMemory(const SolverProgram& shared)
      : shared_(shared), workspace_(shared.begun), version_(shared.made_at) {}

  void run(int level) { shared_.program.run(level, workspace_); }
  double* registers() { return workspace_.input(0); }
  /// Inputs of one lane stand side by side.
  void load(int first, const Vector& values) { std::copy_n(values.data(), values.size(), workspace_.input(first)); }
  /// The system's choices at kinks, and its parameters, may have changed since.
  void load_branches() {
    if (version_ != *shared_.version) load_parameters();
    std::ranges::copy(shared_.branches, workspace_.input(shared_.parameters));
  }
  double value(int place) const { return workspace_.result(place)[0]; }
  void copy(const int* places, Eigen::Index count, double* out) const {
    for (Eigen::Index i = 0; i < count; ++i) out[i] = value(places[i]);
  }
  void copy(const int* places, Vector& out) const { copy(places, out.size(), out.data()); }
  Program::Workspace& workspace() { return workspace_; }

 private:
  void load_parameters() {
    std::ranges::copy(shared_.values, workspace_.input(0));
    run(Level::parameters);
    version_ = *shared_.version;
  }

  const SolverProgram& shared_;
  Program::Workspace workspace_;
  long version_;  ///< of the parameters in it
};

/// Multipliers whose forces cancel, where rows of H depend on each other: V, by which a solver factors the rows. It
/// need not be exact; how far it is from the truth is what this class tells.
class SelfStress {
 public:
  SelfStress(const SolverProgram& shared, SolverMemory& memory);

  /// The solver goes by these self-stresses, of rows of length 1, when it factors next, near where it stands.
  void set(const Matrix& stress);
  /// … by the exact ones where another solver of the same system stands.
  void set_exact_of(SelfStress& other);
  /// The most that the forces of V do not cancel, compared to the rows: are there as many self-stresses as assumed?
  double largest_remainder();
  /// What the exact self-stresses have beside V: all rows together span a volume that is √(1 + this²) times what the
  /// pivots say.
  double drift();

  /// The solver has gone elsewhere; have the self-stresses there been computed on the way?
  void move(bool known) { known_ = known; }

 private:
  void find();
  double row_length(Eigen::Index i) const;
  void load();

  const SolverProgram& shared_;
  SolverMemory& memory_;
  bool known_ = false;
  Matrix stress_;   ///< V, of rows of length 1 …
  Vector lengths_;  ///< … and their lengths
};

/// The equations and their solution at one point at a time, written out as formulas and run as one program: for systems
/// of formulas that are small. It takes as many rows of H to depend on each other as it is told, and says how far they
/// do; which of the multipliers it then finds is not defined. It never allocates after construction.
class FormulaSolver final : public PointSolver {
 public:
  explicit FormulaSolver(std::shared_ptr<const SolverProgram> program);

  /// What it computes by.
  std::shared_ptr<const SolverProgram> shared_program() const { return shared_; }

  // ---- going to a point ----------------------------------------------------------------------------
  /// Φ, M and H at a position, factored. False where M is not positive definite or a number is not finite.
  bool at_position(double t, const Vector& q, Vector& Phi);
  /// What a factor must be like.
  struct Trust {
    const Vector& scales;  ///< squares of the rows' lengths …
    double least;          ///< … of which each pivot is to be more than this, squared
  };
  /// M and H at a position, factored. False where M is not positive definite, or the factor is not to be trusted.
  bool factor_at(double t, const Vector& q, const Trust& trust);
  /// f, b and χ at that position. False where one is not finite.
  bool at_velocity(const Vector& v);
  /// As factor_at and at_velocity, at y = (q, v, …).
  bool at_state(double t, const Vector& y, const Trust& trust);
  /// Φ, f, b and χ as last computed.
  void copy_to(Point& point) const;

  /// A state moved onto the constraints, and the rates there.
  struct Stage {
    Trust trust;
    double t;
    const Vector& y;   ///< q, v, …
    double reach;      ///< the farthest that a coordinate may be moved
    double size;       ///< of coordinates, at least
    double tolerance;  ///< the change at which a position counts as found, relative …
    double slack;      ///< … or this, if it is more; infinite: the state counts as it stands; 0: it may be a result
    bool refine;       ///< accelerations may lose digits to small pivots, and are to get them back
    Vector& found;     ///< q, v
    Vector& ydot;
  };
  /// Positions move along the normals of where this or another solver of the same system stands, by position_step again
  /// and again. False where that is slow or leads too far, where a pivot is not large enough, where self-stresses have
  /// changed too much at what may be a result, or a number is not finite.
  bool run_stage(FormulaSolver& normals, const Stage& stage);

  // ---- at that point -------------------------------------------------------------------------------
  bool assumes_rank() const override { return true; }
  void accelerate(const Vector& c, Vector& a, Vector& lambda) override;
  double power(double t, const Vector& q, const Vector& v, const Vector& a, const Vector& lambda) override;
  void correct_velocity(const Vector& r, Vector& dv) override;
  bool correct_position(double t, const Vector& q, const Vector& r, Vector& dq) override;
  void position_step(double t, const Vector& q, Vector& dq) override;
  void velocity_step(double t, const Vector& q, const Vector& v, Vector& dv) override;
  /// The rates (q̇, v̇, power) at the velocity last given: H v̇ = b, q̇ = N v + n.
  void rates(Vector& ydot);
  /// Φ and χ there.
  void violations(Vector& Phi, Vector& chi) const;
  /// The rates there with terms that are held through a step: H v̇ = b − chi, q̇ = N v + n + N P_q(−Phi − Φ̇).
  void held_rates(const Vector& Phi, const Vector& chi, Vector& ydot);

  /// The square of each row's length, weighted by M⁻¹.
  void sizes(Vector& squares) const { memory_.copy(plan_.sizes, squares); }
  /// The least of what a row has of its own, when those before it are taken out, relative to its size; `scales` are
  /// squares of sizes.
  double smallest_pivot(const Vector& scales) const;
  SelfStress& self_stress() { return stress_; }

 private:
  taut_stage_call alone();
  taut_stage_call alone(const Trust& trust);

  std::shared_ptr<const SolverProgram> shared_;
  const taut_stage_plan& plan_;
  SolverMemory memory_;
  StageProgram own_;
  SelfStress stress_;
};

}  // namespace taut
