#pragma once

#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/repetition.hpp"
#include "model/scope.hpp"
#include "model/vector_equation.hpp"
#include "model/yaml_tree.hpp"
#include "taut/model.hpp"

/// Turns the tree of a model file into a Model: parameters first, for repetitions count with them;
/// then every name; then every formula. Where a section stands in the file does not matter.
namespace taut {

class Reader {
 public:
  /// The states of these names drive coordinates, which is known of a model that has been read.
  Reader(const std::string& text, const std::string& file, const std::vector<Assignment>& set,
         std::set<std::string> driving = {});
  Model read();
  /// After read(): states that stand in a constraint beside coordinates, and were not said to.
  const std::set<std::string>& found_driving() const { return found_driving_; }

 private:
  using Node = yaml::Node;
  /// One entry of a mapping, its name filled in.
  struct Entry {
    std::string name;
    Place place;  ///< of the name
    const Node& value;
    const Part& part;
  };

  // reading.cpp: the order of things, and parameters
  void read_header();
  void read_parameters(const Part& part);
  void read_parameter(const std::string& name, const Node& node, const Place& place, const Part& part);
  void explain_parameter(const InputError& error, const Node& parameters, const std::string& name) const;
  double structural_value(const std::string& name, const Place& place);
  void mark_structural(SymbolId symbol);
  std::optional<Expression> assigned(const std::string& name, const Context& context);

  // part_reading.cpp: models inside the model
  void expand(const Node& root, const Instance* around);
  void read_parts(const Part& pass);
  const Instance& read_part(const Node& key, const Node& value, const Part& pass);
  std::string part_file(const Node& node, const std::string& what, const Part& pass) const;
  void refuse_circle(const Node& node, const Instance& instance) const;
  const Node& part_tree(const Instance& instance);
  std::optional<Placement> placement(const Node& entry, const std::string& what, const Part& pass) const;
  void take_settings(const Node& set, const std::string& what, const Instance& instance, const Part& pass);
  void check_settings() const;
  void refuse_name_of_part(const std::string& name, const Place& place, const Part& part) const;
  void check_placements() const;
  void read_gravity();
  Vector3 gravity_vector(const Node& node, const Part& part) const;
  void look_at_gravity_of_part(const Node& gravity, const Part& part);
  /// A point and a direction of a part, in the world.
  static Vector3 placed(const Vector3& point, const Part& part);
  static Vector3 turned(const Vector3& direction, const Part& part);
  void place_body(BodyDescription& body, const Part& part) const;
  static void place_joint(JointDescription& joint, const Part& part);
  static void place_force(ForceDescription& force, const Part& part);
  static void place_on_ground(Solid& solid, const Part& part);
  /// Constraints from the first one on belong to this part.
  void give_rows(std::size_t first, const Part& part);

  // equations.cpp: what the motion obeys
  void declare_names();
  void read_coordinate(const Entry& entry);
  void read_start(const Entry& entry, Coordinate& x);
  void read_initial_rate(const Node& node, const std::string& what, const Part& part, Coordinate& x);
  void read_speed(const Entry& entry);
  std::size_t mechanical_count() const;

  // state_reading.cpp: first-order states
  void read_state(const Entry& entry);
  void read_state_rates();
  const Node& state_part(const Entry& entry, bool rate) const;
  static bool is_without_rate(const Entry& entry);
  std::set<std::string> states_that_drive() const;
  const Node& read_fixed_speed(const Entry& entry, Speed& u);
  void read_definitions();
  void read_rates();
  void read_energies();
  void read_mass_matrix();
  void read_energy();
  void read_forces();
  void refuse_force_on_quaternion(const Coordinate& x, const Entry& entry) const;
  void read_loads();
  void read_load(const Node& node, const std::string& name, const Part& part);
  void read_constraints();
  /// The equation of a constraint, which may stand in a mapping beside other things.
  yaml::PlacedText equation_text(const Entry& entry) const;
  /// The rows of a constraint on a vector, fewer where its bodies cannot leave the plane.
  std::vector<std::string> row_names(const Entry& entry) const;
  void read_vector_rows(const Entry& entry, const VectorEquation& equation, std::size_t first);
  const Node& read_softness(const Entry& entry, Constraint& constraint);
  void read_friction(const Entry& entry, const Constraint& constraint);
  void check_mass() const;

  // mechanism.cpp: bodies, and what connects them
  void read_bodies();
  void read_body(const Entry& entry);
  void read_claims(const Entry& entry, BodyDescription& body) const;
  void apply_assignments(BodyDescription& body);
  void name_body(const Body& body, std::size_t first_coordinate, std::size_t first_speed);
  std::optional<Expression> planar_angle(const Node& node, const std::string& what, const Part& part) const;
  Quaternion orientation(const Node& node, const std::string& what, const Part& part) const;
  void read_joints();
  void read_joint(const Entry& entry);
  PartType part_type(const Entry& entry, const std::string& what, const char* part,
                     const std::vector<PartType>& types) const;
  void read_joint_parts(const Entry& entry, const std::string& what, JointDescription& joint) const;
  void name_joint(int index);
  void declare_motor(const Entry& entry, int joint);
  void read_motors();
  void read_motor(int joint);
  void read_limits(const Entry& entry, int joint);
  /// The name of a body, a joint or a force element that stands here, as the whole model has it.
  std::string name_in(const Node& node, const std::string& what, const Part& part) const;

  // friction_reading.cpp: what rubs
  FrictionDescription joint_friction(const Node& node, const std::string& what, const Part& part) const;
  ConstraintFriction constraint_friction(const Node& node, const std::string& what, const Part& part) const;
  FrictionLaw friction_law(const Node& node, const std::string& what, const Part& part,
                           const std::vector<std::string>& further) const;
  std::optional<Expression> given(const Node& node, const char* key, const std::string& what, const Context& context,
                                  const Part& part) const;

  std::vector<std::string> two_names(const Node& node, const std::string& what, const Part& part) const;
  std::vector<Vector3> two_vectors(const Node& node, const std::string& what, const Part& part) const;
  Vector3 vector3(const Node& node, const std::string& what, const Context& context, const Part& part) const;
  void check_keys(const Node& node, const std::string& what, const std::vector<std::string>& known) const;
  bool flag(const Node& node, const std::string& what) const;

  // surface_reading.cpp: what bodies roll on
  Plane plane(const Node& node, const std::string& what, const Part& part) const;
  Cylinder cylinder(const Node& node, const std::string& what, const Part& part) const;
  Vector3 part_vector(const Node& node, const std::string& what, const char* key, const Context& context,
                      const Part& part) const;
  static bool is_on_moving_plane(const Entry& joint);
  void read_joints_on_moving_planes();

  // force_reading.cpp: force elements
  void read_force_element(const Entry& entry);
  void read_force_parts(const Entry& entry, const std::string& kind, ForceDescription& force);
  void read_force_value(const Node& node, const std::string& what, ForceDescription& force, const Part& part);
  std::vector<Expression> one_or_three(const Node& node, const std::string& what, const Context& context,
                                       const ForceDescription& force, const Part& part) const;
  std::string extent_name(const ForceDescription& spring) const;
  void name_force(const Force& force);

  void name_center_of_mass();
  void name_center_of_mass(const Instance* part);

  // results.cpp: what is recorded and watched, and how it is simulated
  void name_outputs();
  Expression output_value(const std::string& name, const Node& node, const Part& part, int component);
  void read_outputs();
  void read_events();
  void read_event(const Entry& entry);
  void read_conserve();
  void read_simulate();

  // drawing.cpp: what is drawn
  void read_drawing();
  void read_drawing(const Node& node, const Part& part);
  std::vector<std::vector<Expression>> drawn_points(const Node& node, const std::string& kind, const Body* body,
                                                    const Part& part) const;
  void read_solid(const Node& node, const Node& form, const Part& part, Drawing& drawing) const;
  std::vector<Expression> solid_size(const Node& form, const std::string& kind, const Part& part) const;
  std::string mesh_file(const Node& node, const Part& part) const;

  /// A motor whose formula is read after the definitions, or when a definition asks for its effort.
  struct Motor {
    enum class State { waiting, reading, read } state = State::waiting;
    Drive drive;
    const Node& value;
    const Part& part;
  };

  // common to all
  Place place(const Node& node) const { return place_at(file_, node.position); }
  [[noreturn]] void refuse(const Node& node, const std::string& message, const std::string& remedy) const;
  Expression formula(const Node& node, const std::string& what, const Context& context, const Part& part) const;
  std::vector<Expression> vector(const Node& node, const std::string& what, const Context& context,
                                 const Part& part) const;
  std::optional<Expression> sum(const std::string& section, const Context& context) const;
  /// Does something with each part that has the section; errors say at which index.
  void each_part(const std::string& section, const std::function<void(const Node&, const Part&)>& action) const;
  void each_entry(const std::string& section, const std::function<void(const Entry&)>& action) const;
  /// The model file itself, after all its parts.
  const Part& own_part() const;
  const Node* first_of(const std::string& section) const;
  Coordinate* find_coordinate(const std::string& name);
  Speed* find_speed(const std::string& name);

  const std::set<std::string> driving_;
  std::set<std::string> found_driving_;
  std::string file_;
  std::vector<std::string> notes_;  ///< of robot files
  std::list<std::string> files_;    ///< names of the files that were included
  const std::vector<Assignment>& set_;
  Node root_;
  Model model_;
  Scope scope_;
  Repetition repetition_;
  std::vector<Part> parts_;  ///< the models inside the model first, inner ones before outer ones
  /// The tree of a file that parts are instances of, and the names that places in it point to.
  struct PartFile {
    std::list<std::string> files;
    Node tree;
  };
  std::map<std::string, PartFile> part_files_;
  std::list<Instance> instances_;
  std::vector<std::pair<const Instance*, const Node*>> placed_;  ///< with what says where
  /// A value that a model gives to a parameter or an initial value of one of its parts.
  struct Given {
    const Node* key;
    const Node* value;
    Part scope;  ///< where its formula stands
    const Instance* part;
  };
  std::map<std::string, Given> settings_;                        ///< by the name in the whole model
  std::set<const Node*> gravities_;                              ///< of parts, that were looked at
  mutable std::unordered_map<std::string, const Node*> firsts_;  ///< what first_of() has found among the parts
  std::map<int, Motor> motors_;                                  ///< by joint
  std::size_t given_coordinates_ = 0;     ///< by the section of that name; those of bodies follow
  std::vector<double> parameter_values_;  ///< by symbol
  std::pmr::monotonic_buffer_resource memory_;
  NameTable<std::size_t> coordinates_{&memory_}, speeds_{&memory_};  ///< indices by name
  std::vector<std::string> deriving_;                                ///< outputs being worked out, each for the next
};

}  // namespace taut
