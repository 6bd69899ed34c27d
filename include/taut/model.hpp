#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "taut/control.hpp"
#include "taut/error.hpp"
#include "taut/expression.hpp"
#include "taut/mechanism.hpp"
#include "taut/visibility.hpp"

/// What is simulated, as data: coordinates, energies, forces, constraints, outputs. A Model says
/// nothing of how it is solved; everything that can be derived from it is derived elsewhere.
namespace taut TAUT_PUBLIC {

struct Model;
struct JointForm;
struct Mesh;

/// A model inside the model: an entry of `parts:`. The names of what it holds begin with its own and a dot.
struct Submodel {
  std::string name;  ///< "left.knee"
  int parent = -1;   ///< the part that it is a part of; -1: the model itself
  std::string file;  ///< that describes it
};

struct Parameter {
  std::string name;
  SymbolId symbol;
  Expression value;  ///< a number, or a formula of parameters before it
  Place place;
  /// A repetition counts with it, so that the model's very coordinates depend on it: to change it,
  /// read the model anew.
  bool structural = false;
};

/// What is told of an input beside its value.
struct InputRole {
  std::string unit = {}, description = {};
  std::optional<double> lowest = std::nullopt, highest = std::nullopt;  ///< values beyond are refused
};

/// A value that is set from outside while a model is simulated. It is held between the times at which it is set: then
/// it is one of the parameters, which --set, sweeps and sensitivities know. Or it is given once and for all, as a
/// formula of time or a table.
struct Input {
  std::string name;
  int parameter = -1;    ///< its place in Model::parameters; -1: it is given as a formula of time
  Expression value = 0;  ///< what formulas see: the parameter's symbol, or the formula of time
  InputRole role = {};
  Place place = {};
  std::string assigned = {};  ///< the formula of time that was set when the model was read, as text
  std::string setter = {};    ///< what sets it in a simulation: "controller 'pd'", "a function"; "": the caller

  bool is_held() const { return parameter >= 0; }
};

struct Coordinate {
  std::string name;
  SymbolId symbol;                       ///< x
  SymbolId rate;                         ///< x'
  SymbolId acceleration;                 ///< x''
  Expression initial = 0;                ///< of parameters
  Expression initial_rate = 0;           ///< of parameters; unused where the rate follows from the speeds
  std::optional<Expression> kinematics;  ///< x' in terms of the speeds; none: x' is a speed by itself
  Word rate_word = {};                   ///< "vx" where crank.vx is another name of crank.x'; "": there is none
  Expression force = 0;                  ///< generalised force
  Place place;
  InitialClaim initial_claim = InitialClaim::none, rate_claim = InitialClaim::none;
  bool is_state = false;  ///< a first-order state that drives others: its kinematics are its law

  /// The other name of x'; "" if there is none.
  std::string rate_name() const {
    return rate_word.empty() ? "" : name.substr(0, name.rfind('.') + 1) + rate_word.text();
  }
};

/// A quasi-velocity.
struct Speed {
  std::string name;
  SymbolId symbol;              ///< u
  SymbolId acceleration;        ///< u'
  std::string other_name = {};  ///< crank.x' for crank.vx
  Expression initial = 0;
  Expression force = 0;  ///< generalised force conjugate to u; of a state, its rate
  Place place;
  InitialClaim claim = InitialClaim::none;
  bool is_state = false;      ///< a first-order state, of no inertia but the 1 before its rate
  bool is_algebraic = false;  ///< a state without a rate of its own: constraints alone say what it is
};

/// residual = 0. A velocity constraint has a rate or a speed in it, a position constraint has none.
struct Constraint {
  std::string name;
  Expression residual;
  bool on_velocity = false;
  int part = -1;                           ///< that it belongs to; -1: the model itself, as what joins parts does
  Expression softness = 0;                 ///< σ²: what it gives way for each unit of its multiplier; of parameters
  SymbolId multiplier = Graph::no_symbol;  ///< lambda(NAME)
  Place place;
};

/// A force at a point, mapped to generalised forces by the point's own derivatives; or on something that
/// moves at a given velocity, such as a torque on an angular velocity.
struct Load {
  std::string name;
  std::vector<Expression> at;
  std::vector<Expression> force;
  Place place;
  std::vector<Expression> velocity = {};  ///< instead of `at`
};

/// Inertia of a joint's rate, which is linear in the speeds: it acts along that rate by −inertia times its own rate.
struct Rotor {
  int joint;
  Expression inertia;  ///< of parameters
  Expression rate;
  Expression energy;  ///< ½ inertia rate²
};

/// Dry friction holds at rest, up to `ratio` times what it is in motion: there sign(slip) may be as much.
struct Breakaway {
  Expression slip, ratio;
  Place place;
  std::string name = {};  ///< of the joint or constraint that rubs
  /// Coordinates that are taken for those of one point: the force that presses was not given, and is λ times the length
  /// of the constraint's gradient.
  std::vector<SymbolId> of_one_point = {};
};

/// Coordinates that are more than the motion needs (a quaternion has four, a rotation three) keep their
/// meaning by this: after a step, and before the equations are evaluated, coordinate := value.
struct Retraction {
  SymbolId coordinate;
  Expression value;      ///< of coordinates
  bool derived = false;  ///< its value is to be taken where those that are not derived have been retracted
};

struct Output {
  std::string name;
  Expression value;
  Place place;
  std::string unit = {}, group = {};  ///< outputs of one unit, or of one group, share an axis
};

/// What happens where a watched function is zero: the event is told of, or ends the run as well.
enum class AtEvent { tell, stop };

/// Something that is watched: its zero crossings are located, logged, and may act on the run or end it.
struct Watch {
  std::string name;
  Expression value;
  bool stop = false;
  Place place;
  CrossingDirection direction = CrossingDirection::both;
  Action action = {};
  std::optional<Contact> contact = std::nullopt;
};

/// What a solid to draw has and a line has not.
struct Solid {
  std::vector<Expression> size;                    ///< of parameters
  Vector3 at;                                      ///< its middle, in the axes of the body, from its centre of mass
  Quaternion orientation;                          ///< in the axes of the body
  std::string file;                                ///< of a mesh, as a path that can be opened
  std::shared_ptr<const Mesh> mesh = nullptr;      ///< in place of a file
  std::optional<Expression> reach = std::nullopt;  ///< how far along it something moves: it is longer by as much
};

/// Points by the formulas of their components. Large models draw many lines: a component takes the room of a number.
class DrawnPoints {
 public:
  using Point = std::vector<Expression>;

  DrawnPoints() = default;
  /// All have as many components. Numbers become formulas of the graph.
  DrawnPoints(Graph& graph, const std::vector<Point>& points);

  std::size_t size() const { return nodes_.empty() ? 0 : nodes_.size() / components_; }
  bool empty() const { return nodes_.empty(); }
  Point operator[](std::size_t k) const;

  class Iterator {
   public:
    Iterator(const DrawnPoints& points, std::size_t k) : points_(&points), k_(k) {}
    Point operator*() const { return (*points_)[k_]; }
    Iterator& operator++() {
      ++k_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return k_ == other.k_; }

   private:
    const DrawnPoints* points_;
    std::size_t k_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  Graph* graph_ = nullptr;
  std::vector<NodeId> nodes_;  ///< point after point
  std::size_t components_ = 0;
};

/// One thing to draw: lines through points of the world, or a solid that a body carries.
///   line, polygon   through the points      point    at each of them      circle   centre and a point on it
///   box             size: lengths along its axes
///   cylinder        size: radius, length; it lies along its own z axis, its middle at `at`
///   sphere          size: radius
///   mesh            file, and size: the factors by which it is stretched along its axes
///   cone, tube, spiral, turn (an arrow about z), gear (and the number of its teeth): size as of a cylinder
///   floor           a plane square to z, as large as what moves on it
///   rod, spring, damper   between two points; size: radius, and of a damper the length of its barrel
struct Drawing {
  Word kind;
  Word color;          ///< a CSS name or #rrggbb; "" if it was not given
  DrawnPoints points;  ///< in world axes, also where a body carries them; none of a solid
  Word label;
  Word body;                           ///< that carries it: "ground" or the name of a body; "" for points of the world
  std::shared_ptr<const Solid> solid;  ///< null for lines and points
  Word role = "";                      ///< what it stands for: "" for itself, else ground, pin, mark, motor, spring

  bool is_carried() const { return solid != nullptr && points.empty(); }
};
/// What a mechanism looks like by itself: bars between joints, wheels, springs, signs of joints and of the ground.
std::vector<Drawing> default_drawing(const Model& model);
/// What is drawn of a model: what its mechanism looks like, unless `draw: {only: …}` stands for it, and what its author
/// adds.
std::vector<Drawing> whole_drawing(const Model& model);

/// One entry of the section `simulate:`, as text; read by the same code as the command line.
struct Setting {
  std::string name;
  std::string value;
  Place place;
};

/// A name in use: what it names, and where that was said.
struct Declaration {
  Word what;
  Place place;
  int index = -1;  ///< which body, joint or force it is
};

/// A value that stands in for the one in the model.
struct Assignment {
  std::string name;   ///< a parameter, NAME(0) or NAME'(0)
  std::string value;  ///< a number, or a formula of parameters

  Assignment(std::string name, std::string value) : name(std::move(name)), value(std::move(value)) {}
  /// The number with all its digits.
  Assignment(std::string name, double value);
};

/// A start that has a name: values of its own for some parameters and initial values.
struct NamedStart {
  std::string name;
  std::vector<Assignment> values;
  Place place;
};

struct Model {
  Model();

  std::string name = "model";
  std::string file;  ///< where it was read from, "" if it was not
  std::string text;  ///< what was read
  std::shared_ptr<Graph> graph;
  SymbolId time;

  std::vector<Submodel> parts;  ///< each after the one it is a part of
  std::vector<Parameter> parameters;
  std::vector<Input> inputs;
  std::vector<Coordinate> coordinates;
  std::vector<Speed> speeds;  ///< beside the rates of those coordinates that have no kinematics
  std::vector<Retraction> retractions;
  std::optional<Expression> kinetic_energy;
  std::optional<Expression> potential_energy;
  /// Kinetic energy in speeds whose momenta p = ∂T/∂u obey ṗ = force by themselves, as the velocity and the
  /// angular velocity of a rigid body in world axes do.
  std::optional<Expression> inertial_energy;
  std::vector<std::vector<Expression>> mass_matrix;  ///< instead of the energies
  std::optional<Expression> energy;                  ///< total energy, beside a mass matrix
  std::vector<Load> loads;
  std::vector<Constraint> constraints;
  std::vector<Body> bodies;  ///< the ground first, where there are any
  std::vector<Joint> joints;
  std::vector<Force> forces;
  std::vector<Rotor> rotors;
  Vector3 gravity;
  std::vector<Output> outputs;
  std::vector<Breakaway> breakaways;
  std::vector<Watch> events;
  std::vector<Controller> controllers;
  std::vector<StateFunction> functions;
  std::vector<Switchable> switchables;
  std::vector<int> drawing_parts;  ///< of each drawing, whose file says so, in parts; -1 or too short: the model's own
  std::vector<Drawing> drawing;
  /// Parts that show nothing but what their author drew, by how their names begin: "left.", or "" for all of the model.
  std::vector<std::string> drawn_by_author;
  std::vector<std::string> hidden, see_through;  ///< names of bodies, joints, forces, or labels
  std::vector<NamedStart> starts;
  std::vector<Setting> simulate;
  bool conserve_energy = false;
  std::vector<std::string> tables;  ///< files of numbers that definitions were made of
  std::vector<std::string> notes;   ///< what a reader of a foreign format left out or took for granted
  std::unordered_map<std::string, Declaration> names;  ///< every name that formulas may use
  /// Of a mechanism in joint coordinates: its equations, which are written out and not derived.
  std::shared_ptr<const JointForm> joint_form;

  // Building one in C++. Names must be new; InputError says which is not.
  Expression t() const;
  Expression parameter(const std::string& name, const Expression& value);
  /// A value that a simulation may be given between steps, which until then is `value`; or, of time, that for good.
  Expression input(const std::string& name, const Expression& value = 0, const InputRole& role = {});
  /// From now on these inputs are what a function of the program makes of its arguments; of (t, q, v) alone without
  /// them, or with those that the model's text gives. They may stand in forces, rates of states, outputs and events.
  /// Throws InputError for inputs that there are not, or that something else sets.
  void drive(const std::vector<std::string>& inputs, StateFunction::Law law, std::vector<Expression> arguments = {});
  Expression coordinate(const std::string& name, const Expression& initial = 0, const Expression& initial_rate = 0);
  Expression speed(const std::string& name, const Expression& initial = 0);
  /// The rate of a coordinate in terms of the speeds.
  void rate(const Expression& coordinate, const Expression& in_terms_of_speeds);
  /// Adds a generalised force on a coordinate, or on a speed where there are speeds.
  void force(const Expression& coordinate_or_speed, const Expression& value);
  void load(std::vector<Expression> at, std::vector<Expression> force);
  /// residual = 0; a position or a velocity constraint by what stands in it.
  void constraint(const std::string& name, const Expression& residual);
  void output(const std::string& name, const Expression& value);
  /// Zeros of this function are located.
  void event(const std::string& name, const Expression& value, AtEvent then = AtEvent::tell);
  /// The multiplier of a constraint, for outputs.
  Expression lambda(const std::string& constraint);
};

/// Friction where a constraint of the model holds, whose residual is known.
void add_friction(Model& model, const Constraint& constraint, const ConstraintFriction& description);
/// Of constraints that rub without saying what presses, and whose coordinates are not those of one point: a sentence
/// for each.
std::vector<std::string> friction_remarks(const Model& model);

/// The same mechanism in the coordinates of a tree of its joints: see docs/theory/joint-coordinates.md. Throws
/// InputError, with what stands in the way, where it cannot be. It is for these values of the parameters (indexed like
/// model.parameters), by default the model's own: which rows say nothing new depends on them.
Model in_joint_coordinates(const Model& model, const std::vector<double>& parameters = {});

/// Reads a model from text (the format of docs/model-file.md), as if the values of `set` stood in it.
/// Throws InputError.
Model read_model(const std::string& text, const std::string& file_name, const std::vector<Assignment>& set = {});
/// Reads a model from a file, or from the gallery if `name` is the name of a gallery model.
Model load_model(const std::string& name, const std::vector<Assignment>& set = {});
/// The models of the gallery: name and the first line of comment.
struct GalleryModel {
  std::string name, path, about;
};
std::vector<GalleryModel> gallery();
/// The folders in which gallery models are looked for, the user's own first.
std::vector<std::string> gallery_folders();

/// Where the coordinate of a joint is to start, as numbers: see JointStart.
struct JointStartValue {
  int joint;
  bool travels;  ///< it is the travel, not the angle
  std::optional<double> position, rate, near;
  InitialClaim position_claim, rate_claim;
};

/// Parameters and initial state as numbers.
struct InitialValues {
  std::vector<double> parameters;  ///< like model.parameters
  std::vector<double> coordinates;
  std::vector<double> speeds;  ///< rates of the coordinates that have no kinematics, then the model's own speeds
  std::vector<InitialClaim> coordinate_claims, speed_claims;  ///< like these; a value that is not zero was given
  /// Of joints that start elsewhere than they are drawn. The coordinates and speeds above are not moved by them.
  std::vector<JointStartValue> joints;
};
/// Evaluates the model's formulas with `set` applied by name. Throws InputError for an unknown name, a
/// value that is no number, or a structural parameter other than the one the model was read with.
InitialValues initial_values(const Model& model, const std::vector<Assignment>& set = {});

}  // namespace TAUT_PUBLIC
