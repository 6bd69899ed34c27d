#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/import/body_vectors.hpp"
#include "model/import/mjcf_reading.hpp"
#include "model/import/node.hpp"

/// <actuator>: every kind is one law, MuJoCo's `general`:
///   F = gain(L, L̇) u + bias(L, L̇),   gain = g₀ or g₀ + g₁ L + g₂ L̇,   bias = 0 or b₀ + b₁ L + b₂ L̇,
/// where u is the control, or what a first-order state makes of it, and L the length of what it acts through, times the
/// gear. The control is a parameter.
namespace taut::robot {
namespace {

using Three = std::array<double, 3>;

struct Law {
  Three gain{1, 0, 0}, bias{0, 0, 0};
  /// Where the type does not say so, a gain is its first number alone and there is no bias, whatever numbers stand
  /// there.
  std::string gain_type = "fixed", bias_type = "none";
  std::string dynamics = "none";
  double time_constant = 1;
  std::array<double, 6> gear{1, 0, 0, 0, 0, 0};
  /// A range, and what is said of whether it counts; empty once it is known that it does not.
  struct Bounds {
    std::vector<double> range;
    std::string limited = "auto";
  } control, force, state;
  double inherited_range = 0;
  int group = 0;
  std::string unsupported;
};

void take(const std::vector<double>& given, Three& to) {
  if (given.empty()) return;
  to = {0, 0, 0};
  std::copy_n(given.begin(), std::min<std::size_t>(given.size(), 3), to.begin());
}

void apply_range(const Attributes& a, const std::string& word, Law::Bounds& bounds) {
  if (const auto given = a.numbers(word + "range", 2, 2); !given.empty()) bounds.range = given;
  bounds.limited = a.text(word + "limited", bounds.limited);
}

/// `general` gives gains and biases themselves.
void apply_general(const Attributes& a, Law& law) {
  take(a.numbers("gainprm", 1, 10), law.gain);
  take(a.numbers("biasprm", 1, 10), law.bias);
  if (const auto given = a.numbers("dynprm", 1, 10); !given.empty()) law.time_constant = given[0];
  law.dynamics = a.text("dyntype", law.dynamics);
  law.gain_type = a.text("gaintype", law.gain_type);
  law.bias_type = a.text("biastype", law.bias_type);
  for (const char* type : {"gaintype", "biastype", "dyntype"}) {
    static const std::vector<std::string> known{"fixed", "affine", "none", "integrator", "filter", "filterexact"};
    if (a.has(type) && std::ranges::find(known, a.text(type)) == known.end())
      law.unsupported = fmt::format("{} {}", type, a.text(type));
  }
}

void apply_servo(const Attributes& a, Law& law) {
  const double kp = a.number("kp", law.gain[0]);
  double rate = law.bias[2];
  if (a.has("kv")) rate = -a.number("kv", 0);
  if (a.has("dampratio")) rate = a.number("dampratio", 0);  // above 0: made damping when the inertia is known
  law.gain = {kp, 0, 0};
  law.bias = {0, -kp, rate};
  law.bias_type = "affine";
}

/// What a word for a kind of actuator sets; what it does not say stays what the defaults made it.
void apply(const Attributes& a, Law& law) {
  const std::string& kind = a.element();
  const auto gear = a.numbers("gear", 1, 6);
  if (!gear.empty()) law.gear.fill(0);
  std::ranges::copy(gear, law.gear.begin());
  apply_range(a, "ctrl", law.control);
  apply_range(a, "force", law.force);
  apply_range(a, "act", law.state);
  law.inherited_range = a.number("inheritrange", law.inherited_range);
  law.group = static_cast<int>(a.number("group", law.group));
  if (kind == "general") apply_general(a, law);
  if (kind == "motor") law.gain = {1, 0, 0}, law.bias = {0, 0, 0}, law.dynamics = "none";
  if (kind != "general") law.gain_type = kind == "damper" ? "affine" : "fixed";
  if (kind == "position" || kind == "intvelocity") apply_servo(a, law);
  if (kind == "intvelocity") law.dynamics = "integrator";
  if (kind == "position" && a.number("timeconst", 0) > 0)
    law.dynamics = "filterexact", law.time_constant = a.number("timeconst", 0);
  if (kind == "velocity") {
    const double kv = a.number("kv", law.gain[0]);
    law.gain = {kv, 0, 0}, law.bias = {0, 0, -kv}, law.bias_type = "affine";
  }
  if (kind == "damper") law.gain = {0, 0, -a.number("kv", -law.gain[2])}, law.bias = {0, 0, 0};
  if (kind == "cylinder") {
    const double diameter = a.number("diameter", 0);
    law.gain = {a.has("diameter") ? M_PI / 4 * diameter * diameter : a.number("area", law.gain[0]), 0, 0};
    take(a.numbers("bias", 3, 3), law.bias);
    law.bias_type = "affine";
    law.dynamics = "filter", law.time_constant = a.number("timeconst", law.time_constant);
  }
}

std::string affine(const Three& c, const std::string& length, const std::string& rate) {
  std::string sum = c[0] == 0 ? "" : text_of(c[0]);
  if (c[1] != 0) sum = sum_of(sum, times(c[1], length));
  if (c[2] != 0) sum = sum_of(sum, times(c[2], rate));
  return sum;
}

std::string clamped(const std::vector<double>& range, const std::string& formula) {
  return range.empty() ? formula : fmt::format("max({}, min({}, {}))", text_of(range[0]), text_of(range[1]), formula);
}

/// A rate that does not lead a state out of its range.
std::string held_in(const std::vector<double>& range, const std::string& state, const std::string& rate) {
  if (range.empty()) return rate;
  return fmt::format("if({0} >= {2}, min(0, {3}), if({0} <= {1}, max(0, {3}), {3}))", state, text_of(range[0]),
                     text_of(range[1]), rate);
}

/// A force of actuators on a tendon goes to its joints, or along it.
void pull(MjcfReading& in, MjcfTendon& tendon, double gear, const std::string& force) {
  if (tendon.joints.empty()) tendon.tension = sum_of(tendon.tension, times(gear, force));
  for (const auto& [joint, factor] : tendon.joints) {
    std::string& torque = in.robot.joints[static_cast<std::size_t>(joint)].torque;
    torque = sum_of(torque, times(gear * factor, force));
  }
}

class ActuatorReader {
 public:
  explicit ActuatorReader(MjcfReading& in) : in_(in) {}

  void read(const Element& element) {
    const int number = ++count_;
    if (in_.findings.leaves_out("actuators")) return;
    Law law;
    for (const Attributes& defaults : in_.defaults.actuators(element)) apply(defaults, law);
    const Attributes attributes(element);
    apply(attributes, law);
    if (in_.disabled_groups.contains(law.group))
      return in_.findings.pass("left out, for the file disables their group", fmt::format("<{}>", element.name));
    if (law.gain_type != "affine") law.gain[1] = law.gain[2] = 0;
    if (law.bias_type != "affine") law.bias = {0, 0, 0};
    for (Law::Bounds* bounds : {&law.control, &law.force, &law.state})
      if (!in_.compiler(attributes).is_limited(bounds->limited)) bounds->range.clear();
    if (!law.unsupported.empty())
      return in_.findings.unsupported("actuators", attributes.place(),
                                      fmt::format("<{}>: {} cannot be simulated", element.name, law.unsupported));
    const std::string name = attributes.text("name", fmt::format("{}{}", element.name, number));
    if (attributes.has("joint")) return through_joint(attributes, name, law, "joint");
    if (attributes.has("jointinparent")) return through_joint(attributes, name, law, "jointinparent");
    if (attributes.has("tendon")) return through_tendon(attributes, name, law);
    if (attributes.has("site") && !attributes.has("refsite")) return through_site(attributes, name, law);
    in_.findings.unsupported("actuators", attributes.place(),
                             fmt::format("<{}> acts on something else than a joint, a tendon or a site", element.name));
  }

 private:
  /// The control as it counts, or the state that follows it.
  std::string input(const Attributes& a, const std::string& name, const Law& law) {
    const std::string control = in_.names.take(name + "_ctrl", "control", a.place());
    in_.robot.parameters.push_back({control, a.place()});
    in_.controls.push_back({control, ""});
    std::string counted = in_.clamps_controls ? clamped(law.control.range, control) : control;
    if (law.dynamics == "none") return counted;
    std::string state = in_.names.take(name + "_act", "state", a.place());
    yaml::Node made = mapping(a.place());
    put(made, "value", scalar("0", a.place()));
    if (law.dynamics != "integrator" && !(law.time_constant > 0))
      a.refuse("the time constant of this actuator is not above 0", "give dynprm or timeconst above 0");
    const std::string rate =
        law.dynamics == "integrator" ? counted : fmt::format("({} - {})/{}", counted, state, law.time_constant);
    put(made, "rate", scalar(held_in(law.state.range, state, rate), a.place()));
    in_.add("states", state, std::move(made));
    in_.controls.back().state = state;
    return state;
  }

  /// The force; short ones are formulas, others have a name of their own.
  std::string force(const Attributes& a, const std::string& name, const Law& law, const std::string& length,
                    const std::string& rate) {
    std::string u = input(a, name, law), gain = affine(law.gain, length, rate);
    std::string formula = gain == "1" ? u : gain.empty() ? "" : fmt::format("({})*{}", gain, u);
    formula = sum_of(formula, affine(law.bias, length, rate));
    if (formula.empty()) formula = "0";
    if (formula == u && law.force.range.empty()) return u;
    return in_.define(name + "_force", clamped(law.force.range, formula), a.place());
  }

  static double damping_of(double ratio, double stiffness, double inertia) {
    return -2 * ratio * std::sqrt(std::max(0.0, stiffness * inertia));
  }

  void through_joint(const Attributes& a, const std::string& name, Law law, const std::string& word) {
    const int index = in_.any_joint(a, word);
    if (!in_.robot.joints[static_cast<std::size_t>(index)].has_coordinate())
      return through_ball(a, name, law, in_.robot.joints[static_cast<std::size_t>(index)]);
    const double gear = law.gear[0];
    if (law.inherited_range > 0 && in_.ranges.contains(index)) {
      const auto [low, high] = in_.ranges.at(index);
      const double middle = (low + high) / 2, half = (high - low) / 2 * law.inherited_range;
      law.control.range = {middle - half, middle + half};
    }
    if (law.bias[2] > 0)
      law.bias[2] = damping_of(law.bias[2], law.gain[0], reflected_inertia(in_.robot, index) / (gear * gear));
    const std::string made = force(a, name, law, times(gear, in_.coordinate(index)), times(gear, in_.rate(index)));
    std::string& torque = in_.robot.joints[static_cast<std::size_t>(index)].torque;
    torque = sum_of(torque, times(gear, made));
  }

  void through_tendon(const Attributes& a, const std::string& name, Law law) {
    if (in_.findings.leaves_out("tendons")) return;
    MjcfTendon& tendon = in_.tendon(a, "tendon");
    if (tendon.length.empty())
      return in_.findings.unsupported("tendons", a.place(), "this acts through a tendon that wraps around a geom");
    const double gear = law.gear[0];
    if (law.bias[2] > 0) {
      if (tendon.joints.empty()) a.refuse("a dampratio is known through joints and fixed tendons only", "give kv");
      double inertia = 0;
      for (const auto& [joint, factor] : tendon.joints)
        inertia += reflected_inertia(in_.robot, joint) / (gear * gear * factor * factor);
      law.bias[2] = damping_of(law.bias[2], law.gain[0], inertia);
    }
    const std::string made = force(a, name, law, times(gear, tendon.length), times(gear, tendon.rate));
    if (!tendon.force_range.empty()) {
      tendon.actuation = sum_of(tendon.actuation, times(gear, made));
      return;
    }
    pull(in_, tendon, gear, made);
  }

  /// A force or torque on a body: its three components are these factors times a formula.
  struct Wrench {
    const char* type;
    const Link& body;
    Eigen::Vector3d factors;
    const Eigen::Vector3d* at;  ///< where it acts; none: a torque
    bool in_body;               ///< in the axes of the body, else of the world
  };
  void add_force(const std::string& name, const Place& place, const Wrench& wrench, const std::string& formula) {
    if (wrench.factors.isZero(0)) return;
    yaml::Node value = list(place), made = mapping(place);
    for (const double factor : wrench.factors)
      value.items.push_back(factor == 0 ? scalar("0", place) : scalar(times(factor, formula), place));
    put(made, "type", scalar(wrench.type, place));
    put(made, "body", scalar(wrench.body.body, place));
    if (wrench.at != nullptr) put(made, "at", vector(*wrench.at, place));
    if (wrench.in_body) put(made, "axes", scalar("body", place));
    put(made, "value", std::move(value));
    in_.add("forces", in_.names.take(name, "force", place), std::move(made));
  }

  /// A torque about an axis that formulas give.
  void add_torque(const std::string& name, const Place& place, const Link& body, const Components& axis,
                  const std::string& formula) {
    yaml::Node value = list(place), made = mapping(place);
    for (const std::string& part : axis)
      value.items.push_back(scalar(part == "0" ? part : fmt::format("{}*({})", part, formula), place));
    put(made, "type", scalar("torque", place));
    put(made, "body", scalar(body.body, place));
    put(made, "value", std::move(value));
    in_.add("forces", in_.names.take(name, "force", place), std::move(made));
  }

  /// The rate of what a force along `push` and a torque about `twist` act through; a name of its own where the law
  /// asks.
  std::string rate_of(const Attributes& a, const std::string& name, const Law& law, const std::string& along,
                      const std::string& about) {
    const std::string rate = sum_of(along, about);
    if (rate.empty() || (law.gain[2] == 0 && law.bias[2] == 0)) return "0";
    return in_.define(name + "_rate", rate, a.place());
  }

  /// The gear is a force and a torque in the axes of the site.
  void through_site(const Attributes& a, const std::string& name, const Law& law) {
    const MjcfSite site = in_.site(a, "site");
    const Link& body = carrier(in_.robot, site.link);
    if (body.body == "ground") a.refuse("site", "this site does not move", "name one on a body");
    Law constant = law;
    constant.gain[1] = constant.bias[1] = 0;  // the length of a site is 0
    const Eigen::Vector3d at = site.pose.translation();
    const Eigen::Map<const Eigen::Vector3d> gear_push(law.gear.data()), gear_twist(law.gear.data() + 3);
    const Eigen::Vector3d push = site.pose.linear() * gear_push, twist = site.pose.linear() * gear_twist;
    const std::string rate = rate_of(
        a, name, law, product(turned_with(in_.robot, site.link, push), velocity_of_point(in_.robot, site.link, at)),
        product(turned_with(in_.robot, site.link, twist), spin_of(in_.robot, site.link)));
    const std::string made = force(a, name, constant, "0", rate);
    const Eigen::Matrix3d to_body = body.pose.linear().transpose();
    add_force(name + "_push", a.place(), {"force", body, to_body * push, &at, true}, made);
    add_force(name + "_twist", a.place(), {"torque", body, to_body * twist, nullptr, true}, made);
  }

  void through_ball(const Attributes& a, const std::string& name, const Law& law, const Joint& joint) {
    if (joint.kind == JointKind::free) return through_free(a, name, law, joint);
    if (law.gain[1] != 0 || law.bias[1] != 0)
      return in_.findings.unsupported("actuators", a.place(), "an actuator that follows the angle of a ball");
    // A torque in the axes of the body that turns, or of what it turns in, and the opposite on that.
    const Eigen::Map<const Eigen::Vector3d> gear(law.gear.data());
    const Eigen::Vector3d drawn = in_.robot.links[static_cast<std::size_t>(joint.second)].pose.linear() * gear;
    const Components axis = turned_with(in_.robot, a.has("jointinparent") ? joint.first : joint.second, drawn);
    const Components spin = difference(spin_of(in_.robot, joint.second), spin_of(in_.robot, joint.first));
    const std::string made = force(a, name, law, "0", rate_of(a, name, law, "", product(axis, spin)));
    const Link &body = carrier(in_.robot, joint.second), &other = carrier(in_.robot, joint.first);
    add_torque(name + "_twist", a.place(), body, axis, made);
    if (other.body != "ground") add_torque(name + "_twist_back", a.place(), other, axis, times(-1, made));
  }

  /// Of a free joint: a force at the origin of its body in the axes of the world, and a torque in those of the body.
  void through_free(const Attributes& a, const std::string& name, const Law& law, const Joint& joint) {
    const Link &link = in_.robot.links[static_cast<std::size_t>(joint.second)],
               &body = carrier(in_.robot, joint.second);
    Law constant = law;
    constant.gain[1] = constant.bias[1] = 0;  // the length of a free joint is 0
    const Eigen::Map<const Eigen::Vector3d> push(law.gear.data()), gear_twist(law.gear.data() + 3);
    const bool in_world = a.has("jointinparent");
    const Eigen::Vector3d twist = in_world ? Eigen::Vector3d(gear_twist) : link.pose.linear() * gear_twist;
    const std::string rate = rate_of(
        a, name, law, product(turned_with(in_.robot, 0, push), velocity_of_point(in_.robot, joint.second, joint.at)),
        product(turned_with(in_.robot, in_world ? 0 : joint.second, twist), spin_of(in_.robot, joint.second)));
    const std::string made = force(a, name, constant, "0", rate);
    add_force(name + "_push", a.place(), {"force", body, push, &joint.at, false}, made);
    const Eigen::Vector3d in_axes = in_world ? twist : Eigen::Vector3d(body.pose.linear().transpose() * twist);
    add_force(name + "_twist", a.place(), {"torque", body, in_axes, nullptr, !in_world}, made);
  }

  MjcfReading& in_;
  int count_ = 0;
};

/// What all actuators do to a tendon that takes only so much of it.
void pull_bounded(MjcfReading& in, const std::string& name, MjcfTendon& tendon) {
  if (tendon.actuation.empty()) return;
  pull(in, tendon, 1, in.define(name + "_actuation", clamped(tendon.force_range, tendon.actuation), tendon.place));
}

}  // namespace

void read_mjcf_actuators(const Element& root, MjcfReading& in) {
  ActuatorReader reader(in);
  for (const Element* section : children(root, "actuator"))
    for (const Element& element : section->children) {
      const std::size_t before = in.controls.size();
      if (admit(mjcf_rows(), "actuator", element, in.findings)) in.findings.attempt([&] { reader.read(element); });
      if (in.controls.size() == before) in.controls.push_back({});  // keyframes count it
    }
  for (auto& [name, tendon] : in.tendons) pull_bounded(in, name, tendon);
  for (const auto& [index, range] : in.force_ranges) {
    Joint& joint = in.robot.joints[static_cast<std::size_t>(index)];
    if (!joint.torque.empty())
      joint.torque = clamped(range, in.define(joint.label + "_actuators", joint.torque, joint.place));
  }
}

}  // namespace taut::robot
