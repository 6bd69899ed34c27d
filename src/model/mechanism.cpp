#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/present.hpp"
#include "model/bodies/sanity.hpp"
#include "model/declare.hpp"
#include "model/joints/motor.hpp"
#include "model/part_kinds.hpp"
#include "model/reader.hpp"
#include "model/sections.hpp"

/// The sections that describe a mechanism: gravity, bodies, joints. What they mean stands in bodies/ and joints/.
namespace taut {
namespace {

const std::vector<std::string> body_keys{"mass",     "inertia",          "position", "orientation",
                                         "velocity", "angular_velocity", "planar",   "fixed"};

/// What a joint that has a coordinate of its own takes beside what its kind needs.
const std::vector<std::string> motor_keys{"position", "velocity", "torque", "force", "limits", "friction", "cut"};

std::vector<std::string> keys_of_joint(const PartType& type) {
  std::vector<std::string> keys{"type"};
  keys.insert(keys.end(), type.needs.begin(), type.needs.end());
  keys.insert(keys.end(), type.takes.begin(), type.takes.end());
  keys.insert(keys.end(), motor_keys.begin(), motor_keys.end());
  return keys;
}

}  // namespace

// ---- vectors ------------------------------------------------------------------------------------

Vector3 Reader::vector3(const Node& node, const std::string& what, const Context& context, const Part& part) const {
  const std::vector<Expression> components = vector(node, what, context, part);
  if (components.size() != 2 && components.size() != 3)
    refuse(node, fmt::format("{} has {}", what, counted(components.size(), "component")),
           "give three components, or two in the x-y plane");
  return {components[0], components[1], components.size() == 3 ? components[2] : Expression(0)};
}

void Reader::check_keys(const Node& node, const std::string& what, const std::vector<std::string>& known) const {
  expect_mapping(node, what, file_);
  for (const Node& key : node.keys) {
    if (std::ranges::find(known, key.text.text) != known.end()) continue;
    refuse(key, fmt::format("{} has no '{}'", what, key.text.text), did_you_mean(key.text.text, known));
  }
}

bool Reader::flag(const Node& node, const std::string& what) const {
  const std::string& text = expect_scalar(node, what, file_).text;
  if (text == "true" || text == "yes") return true;
  if (text != "false" && text != "no") refuse(node, fmt::format("{} is '{}'", what, text), "write true or false");
  return false;
}

// ---- bodies -------------------------------------------------------------------------------------

void Reader::read_bodies() {
  each_entry("bodies", [&](const Entry& entry) { read_body(entry); });
  if (const Node* bodies = first_of("bodies"); bodies != nullptr && model_.bodies.empty())
    refuse(*bodies, "the section 'bodies' has none", "describe bodies, or leave the section out");
  name_center_of_mass();
  check_placements();
  read_gravity();
}

void Reader::read_gravity() {
  const Node* gravity = root_.find("gravity");
  if (gravity != nullptr && model_.bodies.empty())
    refuse(*gravity, "there is gravity, but no body that it could pull at",
           "describe bodies, or put the weights into potential_energy");
  if (gravity != nullptr) add_gravity(model_, gravity_vector(*gravity, own_part()));
  each_part("gravity", [&](const Node& node, const Part& part) { look_at_gravity_of_part(node, part); });
  const bool in_plane = std::ranges::all_of(model_.bodies, &Body::planar);
  if (in_plane && !model_.gravity.z.is_zero())
    model_.notes.push_back("gravity pulls along z, which bodies that are all planar do not feel");
}

Vector3 Reader::gravity_vector(const Node& node, const Part& part) const {
  if (node.kind != Node::Kind::list)
    refuse(node, "gravity is a vector, and this is not one", "say which way it pulls: [0, -9.81, 0]");
  return vector3(node, "gravity", context::initial, part);
}

void Reader::read_body(const Entry& entry) {
  const std::string what = fmt::format("body '{}'", entry.name);
  check_keys(entry.value, what, body_keys);
  BodyDescription body;
  body.name = entry.name;
  body.place = entry.place;
  const auto read = [&](const char* key, auto action) {
    if (const Node* node = entry.value.find(key)) action(*node, fmt::format("the {} of {}", key, what));
  };
  const auto take_vector = [&](Vector3& target) {
    return [&, this](const Node& node, const std::string& name) {
      target = vector3(node, name, context::initial, entry.part);
    };
  };
  read("planar",
       [&](const Node& node, const std::string&) { body.planar = flag(node, fmt::format("'planar' of {}", what)); });
  read("mass", [&](const Node& node, const std::string& name) {
    body.mass = formula(node, name, context::initial, entry.part);
    refuse_impossible_mass(model_, body, place(node));
  });
  read("inertia", [&](const Node& node, const std::string& name) {
    body.inertia = vector(node, name, context::initial, entry.part);
    if (body.inertia.size() != 3 && body.inertia.size() != 6)
      refuse(node, fmt::format("{} has {}", name, counted(body.inertia.size(), "component")),
             "give [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]");
    refuse_impossible_inertia(model_, body, place(node));
  });
  read("position", take_vector(body.position));
  read("velocity", take_vector(body.velocity));
  read("angular_velocity", take_vector(body.angular_velocity));
  read("orientation", [&](const Node& node, const std::string& name) {
    body.orientation = orientation(node, name, entry.part);
    if (body.planar) body.angle = planar_angle(node, name, entry.part);
  });
  read_claims(entry, body);
  place_body(body, entry.part);
  apply_assignments(body);
  const std::size_t coordinates = model_.coordinates.size(), speeds = model_.speeds.size();
  name_body(model_.bodies[add_body(model_, body)], coordinates, speeds);
}

/// Which initial values are given; `fixed: true` keeps all of these, a list those it names.
void Reader::read_claims(const Entry& entry, BodyDescription& body) const {
  std::vector<std::pair<std::string, InitialClaim*>> claims{{"position", &body.position_claim},
                                                            {"orientation", &body.orientation_claim},
                                                            {"velocity", &body.velocity_claim},
                                                            {"angular_velocity", &body.angular_velocity_claim}};
  for (auto& [key, claim] : claims)
    if (entry.value.find(key) != nullptr) *claim = InitialClaim::given;
  const Node* fixed = entry.value.find("fixed");
  if (fixed == nullptr) return;
  const std::string what = fmt::format("'fixed' of body '{}'", body.name);
  if (fixed->kind != Node::Kind::list) {
    if (!flag(*fixed, what)) return;
    for (auto& [key, claim] : claims)
      if (*claim == InitialClaim::given) *claim = InitialClaim::fixed;
    return;
  }
  for (const Node& item : fixed->items) {
    const std::string& name = expect_scalar(item, what, file_).text;
    const auto named = std::ranges::find(claims, name, [](const auto& pair) { return pair.first; });
    if (named == claims.end())
      refuse(item, fmt::format("{} names '{}'", what, name),
             "name position, orientation, velocity or angular_velocity, or write true");
    *named->second = InitialClaim::fixed;
  }
}

/// A quaternion [w, x, y, z], or {axis, angle}.
Quaternion Reader::orientation(const Node& node, const std::string& what, const Part& part) const {
  if (node.kind == Node::Kind::mapping) {
    check_keys(node, what, {"axis", "angle"});
    const Node* axis = node.find("axis");
    const Node* angle = node.find("angle");
    if (axis == nullptr || angle == nullptr)
      refuse(node, fmt::format("{} lacks '{}'", what, axis == nullptr ? "axis" : "angle"),
             "write {axis: [0, 0, 1], angle: pi/4}");
    const std::string axis_of = fmt::format("the axis of {}", what);
    const Vector3 about = vector3(*axis, axis_of, context::initial, part);
    return rotation_about(unit_along(model_, about, axis_of, place(*axis)),
                          formula(*angle, fmt::format("the angle of {}", what), context::initial, part));
  }
  const std::vector<Expression> q = vector(node, what, context::initial, part);
  if (q.size() != 4)
    refuse(node, fmt::format("{} has {}", what, counted(q.size(), "component")),
           "give a quaternion [w, x, y, z], or {axis: [0, 0, 1], angle: pi/4}");
  const Quaternion given{q[0], q[1], q[2], q[3]};
  refuse_far_from_unit(model_, given, what, place(node));
  return normalized(given);
}

/// The angle of {axis: [0, 0, 1], angle: …}, which may be more than a turn; none of any other orientation.
std::optional<Expression> Reader::planar_angle(const Node& node, const std::string& what, const Part& part) const {
  if (node.kind != Node::Kind::mapping) return std::nullopt;
  const Vector3 axis = vector3(*node.find("axis"), what, context::initial, part);
  if (!axis.x.is_zero() || !axis.y.is_zero() || !axis.z.is_constant()) return std::nullopt;
  const Expression angle = formula(*node.find("angle"), what, context::initial, part);
  return axis.z.value() > 0 ? angle : -angle;
}

/// Initial values that were set by name stand in for those of the file.
void Reader::apply_assignments(BodyDescription& body) {
  const auto take = [&](const std::string& name, Expression& value) {
    if (const auto given = assigned(fmt::format("{}.{}(0)", body.name, name), context::initial)) value = *given;
  };
  const char* const axes[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    take(axes[k], body.position[k]);
    if (const auto rate = assigned(fmt::format("{}.{}'(0)", body.name, axes[k]), context::initial))
      body.velocity[k] = *rate;
    take(fmt::format("v{}", axes[k]), body.velocity[k]);
    take(fmt::format("omega_{}", axes[k]), body.angular_velocity[k]);
  }
  if (body.planar) {
    if (const auto angle = assigned(body.name + ".angle(0)", context::initial)) body.angle = *angle;
    if (const auto rate = assigned(body.name + ".angle'(0)", context::initial)) body.angular_velocity.z = *rate;
    return;
  }
  const Quaternion given = body.orientation;
  take("qw", body.orientation.w);
  take("qx", body.orientation.x);
  take("qy", body.orientation.y);
  take("qz", body.orientation.z);
  const Quaternion& q = body.orientation;
  if (q.w == given.w && q.x == given.x && q.y == given.y && q.z == given.z) return;
  refuse_far_from_unit(model_, body.orientation, fmt::format("the orientation of body '{}'", body.name), body.place);
  body.orientation = normalized(body.orientation);
}

/// Lets formulas use what a body gives names to.
void Reader::name_body(const Body& body, std::size_t first_coordinate, std::size_t first_speed) {
  for (std::size_t k = first_coordinate; k < model_.coordinates.size(); ++k) {
    scope_.add(model_.coordinates[k]);
    coordinates_[model_.coordinates[k].name] = k;
  }
  for (std::size_t k = first_speed; k < model_.speeds.size(); ++k) {
    scope_.add(model_.speeds[k]);
    speeds_[model_.speeds[k].name] = k;
  }
  const auto name = [&](const std::string& part, const Expression& value) {
    scope_.add_definition(body.name + "." + part, value);
  };
  const char* const axes[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    if (body.planar) {
      if (k == 2) name("z", body.position.z);
      name(fmt::format("v{}", axes[k]), body.velocity[k]);
      name(fmt::format("omega_{}", axes[k]), body.omega[k]);
    }
    name(fmt::format("a{}", axes[k]), body.acceleration[k]);
    name(fmt::format("alpha_{}", axes[k]), body.alpha[k]);
  }
  if (!body.planar) return;
  name("qw", body.orientation.w);
  name("qx", body.orientation.x);
  name("qy", body.orientation.y);
  name("qz", body.orientation.z);
}

// ---- joints -------------------------------------------------------------------------------------

void Reader::read_joints() {
  if (const Node* joints = first_of("joints"); joints != nullptr && model_.bodies.empty())
    refuse(*joints, "there are joints, but no bodies", "describe the bodies they connect under 'bodies'");
  // Joints that connect joints come after these, wherever they stand in the file.
  for (const bool couples : {false, true}) {
    each_entry("joints", [&](const Entry& entry) {
      if (is_on_moving_plane(entry)) return;
      if ((entry.value.find("joints") != nullptr) == couples) read_joint(entry);
    });
  }
}

void Reader::read_joint(const Entry& entry) {
  const std::string what = fmt::format("joint '{}'", entry.name);
  expect_mapping(entry.value, what, file_);
  const PartType type = part_type(entry, what, "joint", joint_types());
  check_keys(entry.value, fmt::format("the {} {}", type.name, what), keys_of_joint(type));
  JointDescription joint;
  joint.name = entry.name;
  joint.type = type.name;
  joint.place = entry.place;
  read_joint_parts(entry, what, joint);
  place_joint(joint, entry.part);
  const std::size_t rows = model_.constraints.size();
  const int index = add_joint(model_, joint);
  declare_motor(entry, index);
  read_limits(entry, index);
  if (const Node* friction = entry.value.find("friction"); friction != nullptr)
    add_friction(model_, index, joint_friction(*friction, fmt::format("the friction of {}", what), entry.part));
  for (std::size_t k = rows; k < model_.constraints.size(); ++k) scope_.add(model_.constraints[k]);
  give_rows(rows, entry.part);
  name_joint(index);
}

/// The type of an entry of `joints:` or `forces:`; `part` says of which, "joint" or "force".
PartType Reader::part_type(const Entry& entry, const std::string& what, const char* part,
                           const std::vector<PartType>& types) const {
  const Node* node = entry.value.find("type");
  if (node == nullptr)
    throw InputError(entry.place, fmt::format("{} lacks 'type'", what),
                     fmt::format("there are {}", fmt::join(type_names(types), ", ")));
  const std::string wanted = expect_scalar(*node, fmt::format("the type of {}", what), file_).text;
  for (const PartType& type : types)
    if (type.name == wanted) return type;
  refuse(*node, fmt::format("there is no {} of type '{}'", part, wanted), did_you_mean(wanted, type_names(types)));
}

void Reader::read_joint_parts(const Entry& entry, const std::string& what, JointDescription& joint) const {
  const Part& part = entry.part;
  for (std::size_t k = 0; k < entry.value.keys.size(); ++k) {
    const std::string& key = entry.value.keys[k].text.text;
    const Node& node = entry.value.items[k];
    const std::string name = fmt::format("'{}' of {}", key, what);
    const auto names = [&] { return two_names(node, name, part); };
    const auto one = [&] { return vector3(node, name, context::initial, part); };
    const auto number = [&] { return formula(node, name, context::initial, part); };
    if (key == "bodies") {
      const auto both = names();
      joint.first = both[0];
      joint.second = both[1];
      for (std::size_t side = 0; side < 2; ++side) find_body(model_, both[side], place(node.items[side]));
    } else if (key == "joints") {
      joint.joints = names();
      for (std::size_t side = 0; side < 2; ++side) find_joint(model_, joint.joints[side], place(node.items[side]));
    } else if (key == "at") {
      joint.at = one();
    } else if (key == "axis") {
      joint.axis = one();
    } else if (key == "normal") {
      joint.normal = one();
    } else if (key == "axes") {
      joint.axes = two_vectors(node, name, part);
    } else if (key == "points") {
      joint.points = two_vectors(node, name, part);
    } else if (key == "plane") {
      joint.plane = plane(node, name, part);
    } else if (key == "cylinder") {
      joint.cylinder = cylinder(node, name, part);
    } else if (key == "length") {
      joint.length = number();
    } else if (key == "radius") {
      joint.radius = number();
    } else if (key == "pitch") {
      joint.pitch = number();
    } else if (key == "ratio") {
      joint.ratio = number();
    } else if (key == "offset") {
      joint.offset = number();
    } else if (key == "cut") {
      joint.cut = flag(node, name);
    }
  }
}

std::vector<std::string> Reader::two_names(const Node& node, const std::string& what, const Part& part) const {
  expect_list(node, what, file_);
  if (node.items.size() != 2)
    refuse(node, fmt::format("{} names {}", what, counted(node.items.size(), "part")),
           "name two, such as [ground, crank]");
  std::vector<std::string> names;
  for (const Node& item : node.items) names.push_back(name_in(item, what, part));
  return names;
}

std::string Reader::name_in(const Node& node, const std::string& what, const Part& part) const {
  return part.indices.full_body(repetition_.filled(expect_scalar(node, what, file_), part.indices).text);
}

std::vector<Vector3> Reader::two_vectors(const Node& node, const std::string& what, const Part& part) const {
  expect_list(node, what, file_);
  if (node.items.size() != 2)
    refuse(node, fmt::format("{} has {}", what, counted(node.items.size(), "vector")),
           "give two, the first body's and the second's");
  return {vector3(node.items[0], what, context::initial, part), vector3(node.items[1], what, context::initial, part)};
}

/// Lets formulas use what a joint gives names to. Reactions and angles are derived only where they are used.
void Reader::name_joint(int index) {
  const Joint& joint = model_.joints[index];
  const auto name = [&](const std::string& part, std::function<Expression()> derive) {
    scope_.add_derivable(joint.name + "." + part, std::move(derive));
  };
  if (joint.angle_rate)
    name("angle", [this, index] {
      const std::size_t before = model_.coordinates.size();
      const Expression angle = joint_angle(model_, index);
      if (model_.coordinates.size() > before) coordinates_[model_.coordinates.back().name] = before;
      return angle;
    });
  if (joint.travel) name("travel", [this, index] { return *model_.joints[index].travel; });
  if (joint.has_coordinate()) {
    name("rate", [this, index] { return joint_rate(model_, index); });
  } else if (joint.angle_rate) {
    name("angle_rate", [this, index] { return *model_.joints[index].angle_rate; });
    name("travel_rate", [this, index] { return *model_.joints[index].travel_rate; });
  }
  if (joint.has_motor)
    name("effort", [this, index] {
      read_motor(index);
      return *model_.joints[index].effort;
    });
  if (joint.friction) name("friction", [this, index] { return *model_.joints[index].friction; });
  const auto react = [this, index] {
    read_motor(index);
    return reaction(model_, index);
  };
  const char* const axes[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    name(fmt::format("f{}", axes[k]), [react, k] { return react().force[k]; });
    name(fmt::format("t{}", axes[k]), [react, k] { return react().torque[k]; });
  }
}

// ---- motors and limits --------------------------------------------------------------------------

void Reader::declare_motor(const Entry& entry, int joint) {
  using Key = std::pair<const char*, Drive>;
  for (const auto& [key, drive] : {Key{"position", Drive::position}, Key{"velocity", Drive::velocity},
                                   Key{"torque", Drive::torque}, Key{"force", Drive::torque}}) {
    const Node* node = entry.value.find(key);
    if (node == nullptr) continue;
    taut::declare_motor(model_, joint, drive, place(*node));
    if (key == std::string_view("force") && !model_.joints[joint].travel_rate)
      refuse(*node, fmt::format("joint '{}' turns, and a force does not turn it", entry.name), "give 'torque' instead");
    motors_.emplace(joint, Motor{.drive = drive, .value = *node, .part = entry.part});
  }
}

void Reader::read_motors() {
  for (const auto& [joint, motor] : motors_) read_motor(joint);
}

void Reader::read_motor(int joint) {
  const auto found = motors_.find(joint);
  if (found == motors_.end() || found->second.state == Motor::State::read) return;
  Motor& motor = found->second;
  const std::string& name = model_.joints[joint].name;
  if (motor.state == Motor::State::reading) {
    if (motor.drive != Drive::torque) return;  // its effort is a multiplier, whatever the formula says
    refuse(motor.value, fmt::format("the torque of joint '{}' is given by itself", name), "use other names in it");
  }
  motor.state = Motor::State::reading;
  const Context& context = motor.drive == Drive::position   ? context::motor_position
                           : motor.drive == Drive::velocity ? context::motor_velocity
                                                            : context::motor_torque;
  const Expression value = formula(motor.value, fmt::format("the motor of joint '{}'", name), context, motor.part);
  const std::size_t rows = model_.constraints.size();
  drive_motor(model_, joint, {motor.drive, value, place(motor.value)});
  give_rows(rows, motor.part);
  motor.state = Motor::State::read;
}

void Reader::read_limits(const Entry& entry, int joint) {
  const Node* node = entry.value.find("limits");
  if (node == nullptr) return;
  const std::string what = fmt::format("the limits of joint '{}'", entry.name);
  check_keys(*node, what, {"lower", "upper", "stiffness", "damping", "width"});
  const auto number = [&](const char* key) -> std::optional<Expression> {
    const Node* value = node->find(key);
    if (value == nullptr) return std::nullopt;
    return formula(*value, fmt::format("'{}' of {}", key, what), context::initial, entry.part);
  };
  const auto stiffness = number("stiffness");
  if (!stiffness)
    refuse(*node, fmt::format("{} lack 'stiffness'", what), "write {lower: -1, upper: 1, stiffness: 1e4}");
  add_limits(model_, joint,
             {.lower = number("lower"),
              .upper = number("upper"),
              .stiffness = *stiffness,
              .damping = number("damping").value_or(Expression(0)),
              .width = number("width"),
              .place = place(*node)});
}

}  // namespace taut
