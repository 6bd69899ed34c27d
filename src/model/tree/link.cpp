#include "model/tree/link.hpp"

#include <cmath>
#include <optional>

namespace taut {
namespace {

constexpr double rounding = 1e-15;

/// Which of the axes a direction lies along, where numbers tell.
std::optional<int> axis_along(const Vector3& direction) {
  for (int k = 0; k < 3; ++k) {
    const Expression& here = direction[k];
    if (here.is_constant() && std::abs(here.value()) == 1 && direction[(k + 1) % 3].is_zero() &&
        direction[(k + 2) % 3].is_zero())
      return k;
  }
  return std::nullopt;
}

/// Axes whose third lies along a unit vector, the first square to the third of those that the vector is given in, or to
/// the first, where it lies too near that.
Rotation axes_along(const Vector3& z, const ValueNow& now) {
  const bool upright = std::hypot(now(z.x), now(z.y)) < 0.1;
  const Vector3 x = normalized(upright ? Vector3{0, -z.z, z.y} : Vector3{-z.y, z.x, 0});
  return snapped(Rotation{{x, cross(z, x), z}});
}

Rotation turn_about(int axis, const Expression& c, const Expression& s) {
  Rotation result;
  const int a = (axis + 1) % 3, b = (axis + 2) % 3;
  result.columns[a][a] = c;
  result.columns[a][b] = s;
  result.columns[b][a] = -s;
  result.columns[b][b] = c;
  return result;
}

Link after(const std::vector<Link>& links, int parent) {
  Link link;
  link.parent = parent;
  link.drawn_axes = links[parent].drawn_axes;
  link.drawn_origin = links[parent].drawn_origin;
  return link;
}

int added(std::vector<Link>& links, Link link) {
  links.push_back(std::move(link));
  return static_cast<int>(links.size()) - 1;
}

double size_of(const Vector3& v) {
  double size = 0;
  for (int k = 0; k < 3; ++k)
    if (v[k].is_constant()) size = std::max(size, std::abs(v[k].value()));
  return size;
}

Vector3 arm(const std::vector<Link>& links, int parent, const Vector3& at) {
  const Vector3& from = links[parent].drawn_origin;
  return snapped(links[parent].drawn_axes.back(at - from), std::max(size_of(at), size_of(from)));
}

}  // namespace

Expression snapped(const Expression& e, double size) {
  if (!e.is_constant()) return e;
  const double value = e.value();
  if (std::abs(value) <= rounding * size) return 0;
  if (std::abs(std::abs(value) - size) <= rounding * size) return std::copysign(size, value);
  return e;
}

Vector3 snapped(const Vector3& v, double size) { return {snapped(v.x, size), snapped(v.y, size), snapped(v.z, size)}; }

Rotation snapped(const Rotation& rotation) {
  return {{snapped(rotation.columns[0]), snapped(rotation.columns[1]), snapped(rotation.columns[2])}};
}

Rotation between(const Rotation& a, const Rotation& b) {
  return snapped(Rotation{{a.back(b.columns[0]), a.back(b.columns[1]), a.back(b.columns[2])}});
}

Rotation operator*(const Rotation& a, const Rotation& b) {
  return {{a * b.columns[0], a * b.columns[1], a * b.columns[2]}};
}

std::pair<Vector3, Vector3> square_to(const Vector3& axis, const ValueNow& now) {
  int least = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(now(axis[k])) < std::abs(now(axis[least]))) least = k;
  Vector3 other;
  other[least] = 1;
  const Vector3 e1 = normalized(cross(other, axis));
  return {e1, cross(axis, e1)};
}

int add_turn(std::vector<Link>& links, int parent, const TurningLine& line, const Expression& angle,
             const Expression& lead, const ValueNow& now) {
  Link link = after(links, parent);
  link.motion = lead.is_zero() ? Link::Motion::turn : Link::Motion::thread;
  link.lead = lead;
  link.drawn_origin = line.at;
  link.drawn_direction = Expression(line.sense) * line.direction;
  link.direction = snapped(links[parent].drawn_axes.back(link.drawn_direction));
  if (const auto axis = axis_along(link.direction)) {
    link.axis = *axis;
    link.sign = link.direction[*axis].value();
  } else {
    link.fixed = axes_along(link.direction, now);
    link.is_fixed_identity = false;
    link.axis = 2;
    link.drawn_axes = snapped(link.drawn_axes * link.fixed);
  }
  link.angle = angle;
  link.cosine = cos(angle);
  link.sine = link.sign * sin(angle);
  const Rotation turn = turn_about(link.axis, link.cosine, link.sine);
  link.R = link.is_fixed_identity ? turn : link.fixed * turn;
  link.r = arm(links, parent, line.at) + (lead * angle) * link.direction;
  return added(links, std::move(link));
}

int add_travel(std::vector<Link>& links, int parent, const Vector3& direction, double sense, const Expression& way) {
  Link link = after(links, parent);
  link.motion = Link::Motion::travel;
  link.drawn_direction = Expression(sense) * direction;
  link.direction = snapped(links[parent].drawn_axes.back(link.drawn_direction));
  link.r = way * link.direction;
  return added(links, std::move(link));
}

int add_weld(std::vector<Link>& links, int parent) { return added(links, after(links, parent)); }

int add_ball(std::vector<Link>& links, int parent, const Vector3& at, const Quaternion& quaternion) {
  Link link = after(links, parent);
  link.motion = Link::Motion::ball;
  link.drawn_origin = at;
  link.quaternion = quaternion;
  link.R = rotation_of(quaternion);
  link.r = arm(links, parent, at);
  return added(links, std::move(link));
}

}  // namespace taut
