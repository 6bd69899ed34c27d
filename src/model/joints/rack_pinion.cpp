#include <fmt/format.h>

#include "model/joints/joint.hpp"

namespace taut {

/// A wheel that drives a rack: travel of the second joint = radius × angle of the first + offset. A negative radius
/// makes the rack run the other way.
void build_rack_pinion(JointBuilder& joint) {
  const auto coupled = [&](int k) -> const Joint& {
    return joint.model().joints[find_joint(joint.model(), joint.given.joints[k], joint.given.place)];
  };
  if (!coupled(0).has_coordinate() || !coupled(0).angle_rate || !coupled(1).has_coordinate() || !coupled(1).travel_rate)
    throw InputError(joint.given.place,
                     fmt::format("rack and pinion '{}' connects a {} with a {} joint", joint.given.name,
                                 coupled(0).type, coupled(1).type),
                     "name the joint that turns first, then the one that slides: joints: [pinion, rack]");
  joint.couple(joint.nonzero(*joint.given.radius, "radius"), joint.given.offset.value_or(Expression(0)));
}

}  // namespace taut
