#include <fmt/format.h>

#include <cmath>

#include "model/bodies/present.hpp"
#include "taut/model.hpp"

/// Stops at the ends of a joint's coordinate c. At a depth d beyond an end a stop pushes back by
///   F(d) = k d²/(2w)  for 0 ≤ d ≤ w,   k (d − w/2)  beyond:
/// it takes hold without a jump or a kink and has the stiffness k from the depth w on. Its potential has two
/// continuous derivatives. Damping acts inside the stop only and sets in over the same width: −c s²(3 − 2s) ċ
/// with s = min(d/w, 1).
namespace taut {
namespace {

/// One end: how deep the coordinate stands in it, split at the width.
struct Stop {
  Expression stiffness, width, curved, straight;

  Stop(const LimitsDescription& given, const Expression& width_, const Expression& depth)
      : stiffness(given.stiffness),
        width(width_),
        curved(min(max(depth, 0), width_)),
        straight(max(depth - width_, 0)) {}

  Expression energy() const {
    return stiffness * (curved * curved * curved / (6 * width) + straight * (straight + width) / 2);
  }
  Expression force() const { return stiffness * (curved * curved / (2 * width) + straight); }
  /// From 0 outside to 1 at the width.
  Expression hold() const {
    const Expression s = curved / width;
    return s * s * (3 - 2 * s);
  }
};

class Limits {
 public:
  Limits(Model& model, int joint, const LimitsDescription& given) : model_(model), joint_(joint), given_(given) {}

  void add() {
    check();
    const Expression c = joint_coordinate(model_, joint_), rate = joint_rate(model_, joint_);
    Expression energy = 0, effort = 0, hold = 0;
    if (given_.upper) {
      const Stop stop(given_, width(), c - *given_.upper);
      energy += stop.energy();
      effort -= stop.force();
      hold += stop.hold();
    }
    if (given_.lower) {
      const Stop stop(given_, width(), *given_.lower - c);
      energy += stop.energy();
      effort += stop.force();
      hold += stop.hold();
    }
    model_.potential_energy = model_.potential_energy ? *model_.potential_energy + energy : energy;
    const Expression drag = -given_.damping * hold * rate;
    if (!drag.is_zero())
      model_.loads.push_back({model_.joints[joint_].name + ".limits", {}, {drag}, given_.place, {rate}});
    model_.joints[joint_].stop = effort + drag;
  }

 private:
  void check() const {
    const Joint& joint = model_.joints[joint_];
    if (!joint.has_coordinate())
      refuse(fmt::format("the {} joint '{}' has no single coordinate to limit", joint.type, joint.name),
             "revolute, prismatic, screw and point-on-line joints have one");
    if (joint.stop) refuse(fmt::format("joint '{}' has limits already", joint.name), "give them once");
    if (!given_.lower && !given_.upper)
      refuse(fmt::format("the limits of joint '{}' have no end", joint.name), "give 'lower', 'upper' or both");
    if (given_.lower && !(value(*given_.lower) < 0))
      refuse(fmt::format("the lower limit of joint '{}' is {}, not below zero", joint.name, value(*given_.lower)),
             "a joint starts at zero, between its limits");
    if (given_.upper && !(value(*given_.upper) > 0))
      refuse(fmt::format("the upper limit of joint '{}' is {}, not above zero", joint.name, value(*given_.upper)),
             "a joint starts at zero, between its limits");
    if (!(value(given_.stiffness) > 0))
      refuse(fmt::format("the stiffness of the limits of joint '{}' is not above zero", joint.name),
             "give the slope of the stop, a force per length or a torque per angle");
    if (!(value(given_.damping) >= 0))
      refuse(fmt::format("the damping of the limits of joint '{}' is below zero", joint.name), "give zero or more");
    if (!(value(width()) > 0))
      refuse(fmt::format("the width of the limits of joint '{}' is not above zero", joint.name),
             "give the depth over which the stops take hold, or leave it out");
  }

  /// By default 1 % of the range; of a range with one end, of its distance from the start.
  Expression width() const {
    if (given_.width) return *given_.width;
    return (given_.upper.value_or(Expression(0)) - given_.lower.value_or(Expression(0))) / 100;
  }

  double value(const Expression& formula) const { return value_now(model_, formula); }
  [[noreturn]] void refuse(const std::string& message, const std::string& remedy) const {
    throw InputError(given_.place, message, remedy);
  }

  Model& model_;
  int joint_;
  const LimitsDescription& given_;
};

}  // namespace

void add_limits(Model& model, int joint, const LimitsDescription& description) {
  Limits(model, joint, description).add();
}

}  // namespace taut
