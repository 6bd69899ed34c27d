#include "model/joints/joint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/nearest.hpp"
#include "expression/derivative.hpp"
#include "model/bodies/present.hpp"
#include "model/declare.hpp"
#include "model/part_kinds.hpp"

namespace taut {
namespace {

/// Starting configurations given in a few digits are refused only where they are off by more than this.
constexpr double roughly_zero = 1e-6;

/// What a formula depends on, as far as a row of a joint cares.
enum class Dependence { constants, time, motion };

Dependence dependence(const Model& model, const Expression& formula) {
  Dependence result = Dependence::constants;
  for (const SymbolId id : symbols_of(formula)) {
    const SymbolKind kind = model.graph->info(id).kind;
    if (kind == SymbolKind::parameter) continue;
    if (kind != SymbolKind::time) return Dependence::motion;
    result = Dependence::time;
  }
  return result;
}

Expression in_speeds(const Model& model, const Expression& formula) {
  Graph& graph = *model.graph;
  Substitution resolve(graph, [&](SymbolId s) -> Expression {
    const Symbol info = graph.info(s);
    if (info.kind == SymbolKind::rate && model.coordinates[info.index].kinematics)
      return *model.coordinates[info.index].kinematics;
    return {graph, graph.symbol(s)};
  });
  return resolve(formula);
}

/// A coordinate of its own, turned along with the bodies and set right by them after every step, up to
/// whole turns: φ := θ + the angle from θ to where the bodies stand.
Expression unwrapped_angle(Model& model, Joint& joint) {
  if (joint.angle) return *joint.angle;
  Coordinate& theta = add_part_coordinate(model, joint.name, "angle", joint.place);
  theta.kinematics = joint.angle_rate;
  const Expression angle(*model.graph, model.graph->symbol(theta.symbol));
  const Expression c = cos(angle), s = sin(angle);
  model.retractions.push_back(
      {theta.symbol, angle + atan2(*joint.sine * c - *joint.cosine * s, *joint.cosine * c + *joint.sine * s), true});
  joint.angle = angle;
  return angle;
}

/// What a kind of joint needs, has it been given?
void check_given(const JointDescription& given, const PartType& type) {
  const auto is_there = [&](std::string_view need) {
    if (need == "bodies") return !given.second.empty();
    if (need == "joints") return given.joints.size() == 2;
    if (need == "at") return given.at.has_value();
    if (need == "axis") return given.axis.has_value();
    if (need == "normal") return given.normal.has_value();
    if (need == "axes") return given.axes.size() == 2;
    if (need == "points") return given.points.size() == 2;
    if (need == "pitch") return given.pitch.has_value();
    if (need == "ratio") return given.ratio.has_value();
    if (need == "radius") return given.radius.has_value();
    if (need == "plane") return given.plane.has_value();
    return true;
  };
  for (const std::string_view need : type.needs) {
    if (is_there(need)) continue;
    throw InputError(given.place, fmt::format("the {} joint '{}' lacks '{}'", type.name, given.name, need),
                     fmt::format("a {} joint needs {}", type.name, fmt::join(type.needs, ", ")));
  }
}

/// Where a joint stands that bodies can hang on as branches of a tree: see model/tree.
std::shared_ptr<const DrawnJoint> drawn(const JointBuilder& joint, const JointKind& kind) {
  if (!kind.freedoms) return nullptr;
  const JointDescription& given = joint.given;
  DrawnJoint result;
  if (given.at) result.at = *given.at;
  for (const std::string_view need : kind.type.needs) {
    if (need == "axis") result.axes.push_back(joint.unit(*given.axis, "axis"));
    if (need == "normal") result.axes.push_back(joint.unit(*given.normal, "normal"));
    if (need != "axes") continue;
    for (const Vector3& axis : given.axes) result.axes.push_back(joint.unit(axis, "axis"));
  }
  if (given.pitch) result.pitch = *given.pitch;
  return std::make_shared<const DrawnJoint>(std::move(result));
}

/// The bodies a joint acts on; of one that couples others, the bodies those move.
void find_bodies(const Model& model, const JointDescription& given, Joint& joint) {
  if (given.joints.empty()) {
    joint.first = find_body(model, given.first, given.place);
    joint.second = find_body(model, given.second, given.place);
    if (joint.first == joint.second)
      throw InputError(given.place, fmt::format("joint '{}' connects '{}' with itself", given.name, given.first),
                       "name two bodies; the world is 'ground'");
    return;
  }
  const auto moved = [&](const std::string& name) {
    const Joint& coupled = model.joints[find_joint(model, name, given.place)];
    return model.bodies[coupled.second].is_ground ? coupled.first : coupled.second;
  };
  joint.first = moved(given.joints[0]);
  joint.second = moved(given.joints[1]);
}

/// Force and torque on a body, about its centre of mass, of a unit effort along the rate `velocity`.
Reaction pull(const Model& model, const Body& body, const Expression& velocity) {
  Reaction result;
  for (const SymbolKind kind : {SymbolKind::rate, SymbolKind::speed}) {
    for (const auto& [symbol, value] : gradient(velocity, kind)) {
      const Expression moved(*model.graph, model.graph->symbol(symbol));
      for (int k = 0; k < 3; ++k) {
        if (moved == body.velocity[k]) result.force[k] += value;
        if (moved == body.omega[k]) result.torque[k] += value;
      }
    }
  }
  return result;
}

}  // namespace

JointBuilder::JointBuilder(Model& model, const JointDescription& description, Joint& joint)
    : given(description),
      first(model.bodies[joint.first]),
      second(model.bodies[joint.second]),
      model_(model),
      joint_(joint) {}

Vector3 JointBuilder::unit(const Vector3& direction, const char* what) const {
  return unit_along(model_, direction, fmt::format("the {} of joint '{}'", what, given.name), given.place);
}

std::pair<Vector3, Vector3> JointBuilder::across(const Vector3& axis) const {
  int least = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(present_value(model_, axis[k])) < std::abs(present_value(model_, axis[least]))) least = k;
  Vector3 other;
  other[least] = 1;
  const Vector3 e1 = normalized(cross(other, axis));
  return {e1, cross(axis, e1)};
}

void JointBuilder::row(const std::string& name, const Expression& residual) {
  const Dependence on = dependence(model_, residual);
  if (on == Dependence::constants && std::abs(present_value(model_, residual)) < roughly_zero) return;
  if (on != Dependence::motion)
    throw InputError(given.place,
                     fmt::format("joint '{}' cannot hold: no motion of '{}' and '{}' changes what it asks for",
                                 given.name, first.name, second.name),
                     "planar bodies stay at the z of their position and turn about z only: let them meet there, or "
                     "leave 'planar' out");
  joint_.rows.push_back(model_.constraints.size());
  Constraint& constraint = add_constraint(model_, fmt::format("{}.{}", given.name, name), given.place);
  set_residual(model_, constraint, residual, given.place);
}

void JointBuilder::keep_together(const Vector3& at) {
  const Vector3 apart = on_second(at) - on_first(at);
  row("x", apart.x);
  row("y", apart.y);
  row("z", apart.z);
  acts_at(on_second(at));
}

void JointBuilder::keep_on_line(const Vector3& at, const Vector3& axis) {
  const auto [e1, e2] = across(axis);
  const Vector3 apart = on_second(at) - on_first(at);
  row("across1", dot(turned_first(e1), apart));
  row("across2", dot(turned_first(e2), apart));
  acts_at(on_second(at));
}

void JointBuilder::keep_parallel(const Vector3& axis) {
  const auto [e1, e2] = across(axis);
  const Vector3 turned = turned_second(axis);
  row("tilt1", dot(turned_first(e1), turned));
  row("tilt2", dot(turned_first(e2), turned));
}

void JointBuilder::keep_on_plane(const Vector3& at, const Vector3& normal) {
  row("height", dot(turned_first(normal), on_second(at) - on_first(at)));
  acts_at(on_second(at));
}

void JointBuilder::keep_perpendicular(const Vector3& on_first, const Vector3& on_second) {
  const Vector3 a = unit(on_first, "first axis"), b = unit(on_second, "second axis");
  const double cosine = value(dot(a, b));
  if (!(std::abs(cosine) < roughly_zero))
    throw InputError(given.place,
                     fmt::format("the axes of joint '{}' start at {:.6g} degrees to each other, not at 90", given.name,
                                 std::acos(cosine) * 180 / std::numbers::pi),
                     "give two directions that are perpendicular in the starting configuration");
  row("cross", dot(turned_first(a), turned_second(normalized(b - dot(a, b) * a))));
}

void JointBuilder::couple(const Expression& ratio, const Expression& offset) {
  if (given.joints[0] == given.joints[1])
    throw InputError(given.place, fmt::format("joint '{}' couples '{}' with itself", given.name, given.joints[0]),
                     "name two joints");
  for (const std::string& name : given.joints) {
    joint_.coupled.push_back(find_joint(model_, name, given.place));
    const Joint& coupled = model_.joints[joint_.coupled.back()];
    if (!coupled.has_coordinate())
      throw InputError(
          given.place,
          fmt::format("joint '{}' couples the {} joint '{}', which does not have one coordinate of its own", given.name,
                      coupled.type, name),
          "name joints that only turn or only slide");
  }
  const Expression first_coordinate = joint_coordinate(model_, joint_.coupled[0]);
  const Expression second_coordinate = joint_coordinate(model_, joint_.coupled[1]);
  row("mesh", second_coordinate - ratio * first_coordinate - offset);
  acts_at(model_.joints[joint_.coupled[1]].point);
}

void JointBuilder::keep_orientation() {
  if (first.planar && second.planar) {
    const auto initial = [](const Body& body) { return body.is_ground ? Expression(0) : body.initial_angle; };
    row("turn", second.angle - first.angle - (initial(second) - initial(first)));
    return;
  }
  // The rotation from first to second, seen in the first body's axes, against what it was at the start.
  const Quaternion now = conjugate(first.orientation) * second.orientation;
  const Quaternion then = conjugate(first.initial_orientation) * second.initial_orientation;
  const Vector3 turned = (now * conjugate(then)).vector();
  row("turn1", turned.x);
  row("turn2", turned.y);
  row("turn3", turned.z);
}

void JointBuilder::turns_about(const Vector3& axis) {
  const Vector3 now = turned_first(axis);
  joint_.axis = now;
  joint_.angle_rate = dot(now, second.omega - first.omega);
  if (first.planar && second.planar) {
    const auto from_start = [](const Body& body) {
      return body.is_ground ? Expression(0) : body.angle - body.initial_angle;
    };
    joint_.angle = axis.z * (from_start(second) - from_start(first));
    return;
  }
  const auto [e1, e2] = across(axis);
  const Vector3 hand = turned_second(e1);
  joint_.cosine = dot(turned_first(e1), hand);
  joint_.sine = dot(turned_first(e2), hand);
}

void JointBuilder::slides_along(const Vector3& at, const Vector3& axis) {
  const Vector3 now = turned_first(axis);
  joint_.axis = now;
  joint_.travel = dot(now, on_second(at) - on_first(at));
  joint_.travel_rate = rate_of(*joint_.travel);
}

Expression JointBuilder::angle() { return unwrapped_angle(model_, joint_); }

double JointBuilder::value(const Expression& formula) const { return value_now(model_, formula); }

Expression JointBuilder::nonzero(const Expression& number, const char* what) const {
  const double now = value(number);
  if (std::isfinite(now) && now != 0) return number;
  throw InputError(given.place, fmt::format("the {} of joint '{}' is {}", what, given.name, now),
                   "give a number that is not zero");
}

Expression JointBuilder::rate_of(const Expression& formula) const { return in_speeds(model_, dot(formula)); }

int add_joint(Model& model, const JointDescription& description) {
  const JointKind& kind = kind_of(joint_kinds(), description, "joint");
  check_given(description, kind.type);
  claim_name(model, description.name, "a joint", description.place);
  Joint joint;
  joint.name = description.name;
  joint.type = description.type;
  joint.place = description.place;
  joint.cut = description.cut;
  find_bodies(model, description, joint);
  JointBuilder builder(model, description, joint);
  kind.build(builder);
  joint.drawn = drawn(builder, kind);
  if (joint.drawn == nullptr) joint.given = std::make_shared<const JointDescription>(description);
  model.joints.push_back(std::move(joint));
  return model.names[description.name].index = static_cast<int>(model.joints.size()) - 1;
}

int find_joint(const Model& model, const std::string& name, const Place& place) {
  const auto found = model.names.find(name);
  if (found != model.names.end() && found->second.what == "a joint") return found->second.index;
  std::vector<std::string> known;
  for (const Joint& joint : model.joints) known.push_back(joint.name);
  throw InputError(place, fmt::format("there is no joint '{}'", name), did_you_mean(name, known));
}

Expression joint_angle(Model& model, int index) {
  Joint& joint = model.joints[index];
  if (!joint.angle_rate)
    throw InputError(joint.place, fmt::format("joint '{}' has no angle", joint.name),
                     "revolute, cylindrical and screw joints have one");
  return unwrapped_angle(model, joint);
}

Expression joint_coordinate(Model& model, int index) {
  const Joint& joint = model.joints[index];
  if (!joint.has_coordinate())
    throw InputError(joint.place, fmt::format("joint '{}' does not have one coordinate of its own", joint.name),
                     "use a joint that only turns or only slides");
  return joint.travel_rate ? *joint.travel : joint_angle(model, index);
}

Expression joint_rate(const Model& model, int index) {
  const Joint& joint = model.joints[index];
  if (!joint.has_coordinate())
    throw InputError(joint.place, fmt::format("joint '{}' does not have one rate of its own", joint.name),
                     "a cylindrical joint has angle_rate and travel_rate");
  return joint.travel_rate ? *joint.travel_rate : *joint.angle_rate;
}

/// Each row pulls at the second body along the row's gradient in the body's speeds; so do a motor, stops, friction and
/// a rotor, along that of the joint's rate, if `all` counts. Where the second body is the ground, or lacks speeds that
/// the first has, it takes what the first one gives.
static Reaction handed_on(const Model& model, int index, bool all) {
  const Joint& joint = model.joints[index];
  const bool by_first = joint.coupled.empty() && model.bodies[joint.second].planar &&
                        (!model.bodies[joint.first].planar || model.bodies[joint.second].is_ground);
  const Body& body = model.bodies[by_first ? joint.first : joint.second];
  Reaction result;
  const auto add = [&](const Expression& effort, const Expression& velocity) {
    const Reaction unit = pull(model, body, velocity);
    result.force += effort * unit.force;
    result.torque += effort * unit.torque;
  };
  for (const std::size_t row : joint.rows) {
    const Constraint& constraint = model.constraints[row];
    add({*model.graph, model.graph->symbol(constraint.multiplier)},
        in_speeds(model, constraint.on_velocity ? constraint.residual : dot(constraint.residual)));
  }
  for (const auto* effort : {&joint.effort, &joint.stop, &joint.friction})
    if (all && *effort) add(**effort, joint_rate(model, index));
  for (const Rotor& rotor : model.rotors)
    if (all && rotor.joint == index) add(-rotor.inertia * in_speeds(model, dot(rotor.rate)), rotor.rate);
  result.torque = result.torque - cross(joint.point - body.position, result.force);
  return by_first ? Reaction{-result.force, -result.torque} : result;
}

Reaction reaction(const Model& model, int index) { return handed_on(model, index, true); }

Reaction bearing_reaction(const Model& model, int index) { return handed_on(model, index, false); }

const std::vector<PartType>& joint_types() {
  static const std::vector<PartType> types = types_of(joint_kinds());
  return types;
}

}  // namespace taut
