#include <fmt/format.h>

#include "model/joints/joint.hpp"

namespace taut {

/// A rod without mass between two points: (d·d − L²)/(2L) = 0. Unlike |d| − L it is smooth where d vanishes,
/// and near |d| = L it is a length all the same.
void build_distance(JointBuilder& joint) {
  const Vector3& from = joint.given.points[0];
  const Vector3& to = joint.given.points[1];
  const Expression length = joint.given.length.value_or(norm(to - from));
  if (!(joint.value(length) > 0))
    throw InputError(joint.given.place,
                     joint.given.length
                         ? fmt::format("the length of joint '{}' is not above zero", joint.given.name)
                         : fmt::format("the two points of joint '{}' are one, so it has no length", joint.given.name),
                     "give points that are apart, or use a spherical joint for two that stay together");
  if (!(joint.value(norm(to - from)) > 0))
    throw InputError(
        joint.given.place,
        fmt::format("the two points of joint '{}' start as one, so it has no direction to pull in", joint.given.name),
        "give points that are apart at the start");
  const Vector3 apart = joint.on_second(to) - joint.on_first(from);
  joint.row("length", (dot(apart, apart) - length * length) / (2 * length));
  joint.acts_at(joint.on_second(to));
}

}  // namespace taut
