#include "model/forces/force.hpp"

namespace taut {
namespace {

bool is_zero(const Vector3& a) { return a.x.is_zero() && a.y.is_zero() && a.z.is_zero(); }

Vector3 times(const Vector3& a, const Vector3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

}  // namespace

/// Springs and dampers along and about the first body's axes, at rest as the model starts. The displacement u is
/// that of the second body's point in the first's axes. The rotation is twice the vector part of the relative
/// quaternion: the rotation vector to third order, of length 2 sin(θ/2), so that with one stiffness κ for all
/// axes the energy is κ (1 − cos θ); it is meant for θ below half a turn.
void build_bushing(ForceBuilder& bushing) {
  const ForceDescription& given = bushing.given;
  const auto& [first, second] = std::pair<const Body&, const Body&>(bushing.first, bushing.second);
  const Vector3 k = ForceBuilder::in_each_axis(given.stiffness), c = ForceBuilder::in_each_axis(given.damping);
  const Vector3 kappa = ForceBuilder::in_each_axis(given.torsional_stiffness);
  const Vector3 gamma = ForceBuilder::in_each_axis(given.torsional_damping);

  const Vector3 point = second.carried(*given.at);
  const Vector3 u = first.axes.back(point - first.carried(*given.at));
  const Vector3 u_rate = first.axes.back(second.velocity_at(point) - first.velocity_at(point));
  const Quaternion now = conjugate(first.orientation) * second.orientation;
  const Quaternion then = conjugate(first.initial_orientation) * second.initial_orientation;
  const Vector3 turned = Expression(2) * (now * conjugate(then)).vector();
  const Vector3 omega = first.axes.back(second.omega - first.omega);

  if (!is_zero(k)) bushing.potential(dot(k, times(u, u)) / 2);
  if (!is_zero(kappa)) bushing.potential(dot(kappa, times(turned, turned)) / 2);
  if (!is_zero(c)) bushing.load(u_rate, -times(c, u_rate));
  if (!is_zero(gamma)) bushing.load(omega, -times(gamma, omega));
  bushing.acts_at({point});
  bushing.name("u", u);
  bushing.name("turn_", turned);
}

}  // namespace taut
