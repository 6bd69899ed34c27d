#include <fmt/format.h>

#include "model/forces/force.hpp"

namespace taut {

/// A spring and a damper on a joint's own coordinate: its angle, which counts turns, or its travel.
void build_torsion_spring(ForceBuilder& spring) {
  const ForceDescription& given = spring.given;
  Model& model = spring.model();
  const int index = find_joint(model, given.joint, given.place);
  const bool turns = model.joints[index].angle_rate.has_value();
  if (!turns && !model.joints[index].travel)
    spring.refuse(fmt::format("acts on joint '{}', which has neither an angle nor a travel", given.joint),
                  "name a joint that turns about an axis or slides along one");
  if (turns ? given.travel : given.angle)
    spring.refuse(fmt::format("has {}, but joint '{}' {}", turns ? "a travel" : "an angle", given.joint,
                              turns ? "turns" : "slides"),
                  turns ? "give 'angle', at which the spring is at rest" : "give 'travel', at which it is at rest");
  const Expression extent = turns ? joint_angle(model, index) : *model.joints[index].travel;
  const Expression rate = turns ? *model.joints[index].angle_rate : *model.joints[index].travel_rate;
  const Expression k = given.stiffness.empty() ? Expression(0) : given.stiffness[0];
  const Expression c = given.damping.empty() ? Expression(0) : given.damping[0];
  const Expression stretch = extent - (turns ? given.angle : given.travel).value_or(Expression(0));
  Expression value = -k * stretch - c * rate;
  if (given.law) {
    value = given.law(extent, rate);
    spring.load(rate, value);
  } else {
    spring.potential(k / 2 * stretch * stretch);
    if (!c.is_zero()) spring.load(rate, -c * rate);
  }
  spring.acts_at({model.joints[index].point});
  spring.name(turns ? "angle" : "travel", extent);
  spring.name("rate", rate);
  spring.name("value", value);
}

}  // namespace taut
