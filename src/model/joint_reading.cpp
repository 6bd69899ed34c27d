#include "model/joint_reading.hpp"

#include <fmt/format.h>

#include "model/friction_reading.hpp"
#include "model/joints/motor.hpp"
#include "model/keys.hpp"
#include "model/part_placement.hpp"
#include "model/part_types.hpp"
#include "model/sections.hpp"
#include "model/space_reading.hpp"

namespace taut {
namespace {

template <std::optional<Expression> JointDescription::*member>
void read_joint_number(const Value& value, JointDescription& joint) {
  joint.*member = value.formula(context::initial);
}

/// The length of a rod may change with time.
void read_rod_length(const Value& value, JointDescription& joint) {
  static constexpr Context length_context{"the length of a rod", context::constants | bit(SymbolKind::time),
                                          "use numbers, parameters and t"};
  joint.length = value.formula(length_context);
}

template <std::optional<Vector3> JointDescription::*member>
void read_joint_vector(const Value& value, JointDescription& joint) {
  joint.*member = value.vector3(context::initial);
}

template <std::vector<Vector3> JointDescription::*member>
void read_joint_vectors(const Value& value, JointDescription& joint) {
  joint.*member = value.two_vectors();
}

void read_joined_bodies(const Value& value, JointDescription& joint) {
  const auto both = value.two_names();
  joint.first = both[0];
  joint.second = both[1];
  for (std::size_t side = 0; side < 2; ++side)
    find_body(value.model(), both[side], value.context().place(value.node().items[side]));
}

void read_coupled_joints(const Value& value, JointDescription& joint) {
  joint.joints = value.two_names();
  for (std::size_t side = 0; side < 2; ++side)
    find_joint(value.model(), joint.joints[side], value.context().place(value.node().items[side]));
}

const Keys<JointDescription> joint_keys{{
    {"bodies", read_joined_bodies},
    {"joints", read_coupled_joints},
    {"at", read_joint_vector<&JointDescription::at>},
    {"axis", read_joint_vector<&JointDescription::axis>},
    {"normal", read_joint_vector<&JointDescription::normal>},
    {"axes", read_joint_vectors<&JointDescription::axes>},
    {"points", read_joint_vectors<&JointDescription::points>},
    {"plane", [](const Value& v, JointDescription& joint) { joint.plane = read_plane(v); }},
    {"cylinder", [](const Value& v, JointDescription& joint) { joint.cylinder = read_cylinder(v); }},
    {"length", read_rod_length},
    {"radius", read_joint_number<&JointDescription::radius>},
    {"pitch", read_joint_number<&JointDescription::pitch>},
    {"ratio", read_joint_number<&JointDescription::ratio>},
    {"offset", read_joint_number<&JointDescription::offset>},
}};

/// What a joint has beside what its kind needs, to be read when the joint is there: motors, limits, friction, a rotor,
/// whether it is cut, and where it starts.
struct JointExtras {
  std::optional<Value> position, velocity, torque, force, limits, friction, armature, cut;
  std::optional<Value> angle, travel, rate, angle_rate, travel_rate, near, fixed;
};

template <std::optional<Value> JointExtras::*member>
void keep_joint_extra(const Value& value, JointExtras& extras) {
  extras.*member = value;
}

const Keys<JointExtras> joint_extra_keys{{
    {"position", keep_joint_extra<&JointExtras::position>},
    {"velocity", keep_joint_extra<&JointExtras::velocity>},
    {"torque", keep_joint_extra<&JointExtras::torque>},
    {"force", keep_joint_extra<&JointExtras::force>},
    {"limits", keep_joint_extra<&JointExtras::limits>},
    {"friction", keep_joint_extra<&JointExtras::friction>},
    {"armature", keep_joint_extra<&JointExtras::armature>},
    {"cut", keep_joint_extra<&JointExtras::cut>},
    {"angle", keep_joint_extra<&JointExtras::angle>},
    {"travel", keep_joint_extra<&JointExtras::travel>},
    {"rate", keep_joint_extra<&JointExtras::rate>},
    {"angle_rate", keep_joint_extra<&JointExtras::angle_rate>},
    {"travel_rate", keep_joint_extra<&JointExtras::travel_rate>},
    {"near", keep_joint_extra<&JointExtras::near>},
    {"fixed", keep_joint_extra<&JointExtras::fixed>},
    {"engaged", [](const Value& v, JointExtras&) { v.flag(); }},  // which is read where events are declared
}};

/// Limits, before it is known whether what is given is enough.
struct GivenLimits {
  std::optional<Expression> lower, upper, stiffness, damping, width;
};

template <std::optional<Expression> GivenLimits::*member>
void read_limit(const Value& value, GivenLimits& limits) {
  limits.*member = value.formula(context::initial);
}

const Keys<GivenLimits> limit_keys{{
    {"stiffness", read_limit<&GivenLimits::stiffness>},
    {"lower", read_limit<&GivenLimits::lower>},
    {"upper", read_limit<&GivenLimits::upper>},
    {"damping", read_limit<&GivenLimits::damping>},
    {"width", read_limit<&GivenLimits::width>},
}};

LimitsDescription read_limits(const Value& value) {
  GivenLimits given;
  read_keys(value, limit_keys, given);
  if (!given.stiffness)
    value.refuse(fmt::format("{} lack 'stiffness'", value.what()), "write {lower: -1, upper: 1, stiffness: 1e4}");
  return {.lower = given.lower,
          .upper = given.upper,
          .stiffness = *given.stiffness,
          .damping = given.damping.value_or(Expression(0)),
          .width = given.width,
          .place = value.place()};
}

/// Where a joint starts: what stands in the file, and what was set by name in its stead.
class StartReading {
 public:
  StartReading(const ReadingContext& in, const Joint& joint, const JointExtras& extras)
      : in_(in), joint_(joint), extras_(extras), what_(fmt::format("joint '{}'", joint.name)) {}

  std::optional<JointStart> read() {
    if (!may_be_set() && !stands_in_file()) return std::nullopt;
    refuse_rate_of_two();
    JointStart::Value& own = joint_.travel_rate ? start_.travel : start_.angle;
    take(extras_.angle, "angle(0)", start_.angle.position);
    take(extras_.travel, "travel(0)", start_.travel.position);
    take(extras_.angle_rate, "angle'(0)", start_.angle.rate);
    take(extras_.travel_rate, "travel'(0)", start_.travel.rate);
    take(extras_.rate, "rate(0)", own.rate);
    take(extras_.near, "near(0)", own.near);
    const bool given = start_.angle.is_given() || start_.travel.is_given();
    if (extras_.fixed) keep(given);
    return given ? std::optional(start_) : std::nullopt;
  }

 private:
  bool may_be_set() const { return !in_.set.empty() || !in_.settings.empty(); }
  bool stands_in_file() const {
    return extras_.angle || extras_.travel || extras_.rate || extras_.angle_rate || extras_.travel_rate ||
           extras_.near || extras_.fixed;
  }

  void refuse_rate_of_two() const {
    for (const auto* value : {&extras_.rate, &extras_.near})
      if (*value && !joint_.has_coordinate())
        (*value)->refuse(fmt::format("{}, of type {}, does not have one coordinate of its own", what_, joint_.type),
                         "a cylindrical joint has angle_rate and travel_rate");
  }

  void take(const std::optional<Value>& value, const char* name, std::optional<Expression>& into) {
    if (value) into = value->called(fmt::format("the start of {}", what_)).formula(context::initial);
    if (const auto set = in_.assigned(fmt::format("{}.{}", joint_.name, name), context::initial)) into = *set;
  }

  /// `fixed: true` keeps all that is given.
  void keep(bool given) {
    const Value fixed = extras_.fixed->called(fmt::format("'fixed' of {}", what_));
    if (!given) fixed.refuse(fmt::format("{} is fixed, and has no start", what_), "give 'angle', 'travel' or 'rate'");
    if (!fixed.flag()) return;
    for (JointStart::Value* value : {&start_.angle, &start_.travel})
      value->position_claim = value->rate_claim = InitialClaim::fixed;
  }

  const ReadingContext& in_;
  const Joint& joint_;
  const JointExtras& extras_;
  std::string what_;
  JointStart start_;
};

bool is_on_moving_plane(const Entry& joint) {
  const yaml::Node* plane = joint.value.node().find("plane");
  return plane != nullptr && plane->kind == yaml::Node::Kind::mapping && plane->find("velocity") != nullptr;
}

}  // namespace

void JointReader::read() {
  if (const yaml::Node* joints = in_.first_of("joints"); joints != nullptr && in_.model.bodies.empty())
    in_.refuse(*joints, "there are joints, but no bodies", "describe the bodies they connect under 'bodies'");
  // Joints that connect joints come after these, wherever they stand in the file.
  for (const bool couples : {false, true}) {
    in_.each_entry("joints", [&](const Entry& entry) {
      if (is_on_moving_plane(entry)) return;
      if ((entry.value.node().find("joints") != nullptr) == couples) read_joint(entry);
    });
  }
}

void JointReader::read_on_moving_planes() {
  in_.each_entry("joints", [&](const Entry& entry) {
    if (is_on_moving_plane(entry)) read_joint(entry);
  });
}

void JointReader::read_joint(const Entry& entry) {
  const std::string what = fmt::format("joint '{}'", entry.name);
  expect_mapping(entry.value.node(), what, in_.file);
  const PartType& type = read_part_type(entry, "joint", joint_types());
  std::vector<std::string> known = keys_of_kind(joint_keys, type, "type");
  for (const std::string& name : joint_extra_keys.names()) known.push_back(name);
  check_keys(entry.value.called(fmt::format("the {} {}", type.name, what)), known);
  JointDescription joint;
  joint.name = entry.name;
  joint.type = type.name;
  joint.place = entry.place;
  const Value value = entry.value.called(what);
  read_keys_in_order_of_file(value, joint_keys, joint);
  JointExtras extras;
  read_keys_in_order_of_file(value, joint_extra_keys, extras);
  if (extras.cut) joint.cut = extras.cut->called(fmt::format("'cut' of {}", what)).flag();
  place_joint(joint, entry.part());
  const std::size_t rows = in_.model.constraints.size();
  const int index = add_joint(in_.model, joint);
  declare_motor(extras.position, Drive::position, index);
  declare_motor(extras.velocity, Drive::velocity, index);
  declare_motor(extras.torque, Drive::torque, index);
  declare_motor(extras.force, Drive::torque, index);
  if (extras.force && !in_.model.joints[index].travel_rate)
    extras.force->refuse(fmt::format("{} turns, and a force does not turn it", what), "give 'torque' instead");
  if (extras.limits) add_limits(in_.model, index, read_limits(extras.limits->called("the limits of " + what)));
  if (extras.friction) {
    const Value friction = extras.friction->called("the friction of " + what);
    if (const auto constant = read_constant_friction(friction))
      add_constant_friction(in_.model, index, *constant);
    else
      add_friction(in_.model, index, read_joint_friction(friction));
  }
  if (extras.armature)
    add_armature(in_.model, index, extras.armature->called("the armature of " + what).formula(context::initial),
                 extras.armature->place());
  if (const auto start = StartReading(in_, in_.model.joints[index], extras).read())
    start_joint(in_.model, index, *start, entry.place);
  for (std::size_t k = rows; k < in_.model.constraints.size(); ++k) in_.scope.add(in_.model.constraints[k]);
  in_.give_rows(rows, entry.part());
  name_joint(index);
}

/// Lets formulas use what a joint gives names to. Reactions and angles are derived only where they are used.
void JointReader::name_joint(int index) {
  const Joint& joint = in_.model.joints[index];
  const auto name = [&](const std::string& part, std::function<Expression()> derive) {
    in_.scope.add_derivable(joint.name + "." + part, std::move(derive));
  };
  if (joint.angle_rate)
    name("angle", [this, index] {
      const std::size_t before = in_.model.coordinates.size();
      const Expression angle = joint_angle(in_.model, index);
      in_.index_coordinates(before);
      return angle;
    });
  if (joint.travel) name("travel", [this, index] { return *in_.model.joints[index].travel; });
  if (joint.has_coordinate()) {
    name("rate", [this, index] { return joint_rate(in_.model, index); });
  } else if (joint.angle_rate) {
    name("angle_rate", [this, index] { return *in_.model.joints[index].angle_rate; });
    name("travel_rate", [this, index] { return *in_.model.joints[index].travel_rate; });
  }
  if (joint.has_motor)
    name("effort", [this, index] {
      read_motor(index);
      return *in_.model.joints[index].effort;
    });
  if (joint.friction) name("friction", [this, index] { return *in_.model.joints[index].friction; });
  const auto react = [this, index] {
    read_motor(index);
    return reaction(in_.model, index);
  };
  const char* const axes[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    name(fmt::format("f{}", axes[k]), [react, k] { return react().force[k]; });
    name(fmt::format("t{}", axes[k]), [react, k] { return react().torque[k]; });
  }
}

// ---- motors -------------------------------------------------------------------------------------

void JointReader::declare_motor(const std::optional<Value>& value, Drive drive, int joint) {
  if (!value) return;
  taut::declare_motor(in_.model, joint, drive, value->place());
  motors_.emplace(joint, Motor{.drive = drive, .value = *value});
}

void JointReader::read_motors() {
  for (const auto& [joint, motor] : motors_) read_motor(joint);
}

void JointReader::read_motor(int joint) {
  const auto found = motors_.find(joint);
  if (found == motors_.end() || found->second.state == Motor::State::read) return;
  Motor& motor = found->second;
  const std::string& name = in_.model.joints[joint].name;
  if (motor.state == Motor::State::reading) {
    if (motor.drive != Drive::torque) return;  // its effort is a multiplier, whatever the formula says
    motor.value.refuse(fmt::format("the torque of joint '{}' is given by itself", name), "use other names in it");
  }
  motor.state = Motor::State::reading;
  const Context& context = motor.drive == Drive::position   ? context::motor_position
                           : motor.drive == Drive::velocity ? context::motor_velocity
                                                            : context::motor_torque;
  const Expression value = motor.value.called(fmt::format("the motor of joint '{}'", name)).formula(context);
  const std::size_t rows = in_.model.constraints.size();
  drive_motor(in_.model, joint, {motor.drive, value, motor.value.place()});
  in_.give_rows(rows, motor.value.part());
  motor.state = Motor::State::read;
}

}  // namespace taut
