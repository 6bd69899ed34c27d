#include "model/tree/world_motion.hpp"

/// With d the arm from the link before (p) to this one, a the direction of its motion, u its speed, ω_r = Σ a u of what
/// turns and v_r = Σ a u of what travels, all in world axes:
///   ω = ω_p + ω_r                      v = v_p + ω_p × d + v_r
///   ω̇ = ω̇_p + a u̇ + ω_p × ω_r          v̇ = v̇_p + ω̇_p × d + ω_p × (ω_p × d) + a u̇ + 2 ω_p × v_r
namespace taut {
namespace {

using Motion = Link::Motion;

Vector3 zero() { return {}; }

/// The turn of a link against the one before it, as a quaternion in world axes as the model is drawn.
Quaternion turn_of(const Link& link, const Link& before) {
  if (link.motion == Motion::ball) {
    const Vector3 v = before.drawn_axes * link.quaternion.vector();
    return {link.quaternion.w, v.x, v.y, v.z};
  }
  if (link.motion == Motion::travel || link.motion == Motion::none) return {};
  const Vector3 v = sin(link.angle / 2) * link.drawn_direction;
  return {cos(link.angle / 2), v.x, v.y, v.z};
}

/// What the speeds, or the accelerations, of a link's motion give in world axes.
struct Relative {
  Vector3 turning, travelling;
};

Relative relative(const Link& link, const Rotation& before, const std::vector<Expression>& rates) {
  if (rates.empty()) return {};
  if (link.motion == Motion::ball) return {before * Vector3{rates[0], rates[1], rates[2]}, zero()};
  const Vector3 along = rates[0] * (before * link.direction);
  if (link.motion == Motion::turn) return {along, zero()};
  if (link.motion == Motion::travel) return {zero(), along};
  return {along, link.lead * along};
}

WorldMotion::State moved(const Link& link, const WorldMotion::State& p, const Link& before) {
  WorldMotion::State s;
  s.axes = p.axes * link.R;
  const Vector3 d = p.axes * link.r;
  s.origin = p.origin + d;
  s.turned = p.turned * turn_of(link, before) * conjugate(link.drawn_turn);
  const Relative u = relative(link, p.axes, link.rates), du = relative(link, p.axes, link.accelerations);
  s.omega = p.omega + u.turning;
  s.velocity = p.velocity + cross(p.omega, d) + u.travelling;
  const Vector3 gyration = cross(p.omega, u.turning);
  const Vector3 centripetal = cross(p.omega, cross(p.omega, d)) + Expression(2) * cross(p.omega, u.travelling);
  s.bias_alpha = p.bias_alpha + gyration;
  s.bias = p.bias + cross(p.bias_alpha, d) + centripetal;
  s.alpha = p.alpha + gyration + du.turning;
  s.acceleration = p.acceleration + cross(p.alpha, d) + centripetal + du.travelling;
  return s;
}

}  // namespace

WorldMotion world_motion(const std::vector<Link>& links) {
  WorldMotion motion;
  for (const Link& link : links) {
    if (link.parent < 0) {
      motion.links.emplace_back();
      continue;
    }
    motion.links.push_back(moved(link, motion.links[link.parent], links[link.parent]));
  }
  return motion;
}

}  // namespace taut
