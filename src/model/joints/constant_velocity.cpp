#include <fmt/format.h>

#include "model/joints/joint.hpp"

namespace taut {
namespace {

/// v, perpendicular to the unit vector s, after the shortest turn that takes s to the unit vector to.
Vector3 bent(const Vector3& v, const Vector3& s, const Vector3& to) {
  return v - (dot(to, v) / (1 + dot(s, to))) * (s + to);
}

}  // namespace

/// Two shafts that turn alike however they are bent: one point in common, and the turn that takes the first
/// body to the second, counted from straight shafts, has its axis square to the shafts. Then
///   R₂ = B R₁ with B the shortest turn from shaft s₁ to shaft s₂,
/// and a turn of R₁ about s₁ by any angle is one of R₂ about s₂ by the same. With e₁, e₂ across s₁ and their
/// images under B across s₂ that is e₂·Be₁ − e₁·Be₂ = 0.
void build_constant_velocity(JointBuilder& joint) {
  const JointDescription& given = joint.given;
  if (given.axis.has_value() == !given.axes.empty())
    throw InputError(given.place, fmt::format("constant-velocity joint '{}' needs either 'axis' or 'axes'", given.name),
                     "give one axis where the shafts are in line, or axes: [of the first shaft, of the second]");
  const Vector3 s1 = joint.unit(given.axis ? *given.axis : given.axes[0], "axis");
  const Vector3 s2 = given.axis ? s1 : joint.unit(given.axes[1], "second axis");
  if (joint.value(1 + dot(s1, s2)) < 1e-6)
    throw InputError(given.place, fmt::format("the axes of joint '{}' point against each other", given.name),
                     "let both point the same way along the drive, from the first body to the second");
  const auto [e1, e2] = joint.across(s1);
  joint.keep_together(*given.at);
  const Expression turned = dot(joint.turned_first(e2), joint.turned_second(bent(e1, s1, s2))) -
                            dot(joint.turned_first(e1), joint.turned_second(bent(e2, s1, s2)));
  joint.row("turn", turned / 2);
}

}  // namespace taut
