#include "model/tree/body_names.hpp"

#include <algorithm>

namespace taut {

BodyNames::BodyMotion BodyNames::motion_of(std::size_t b) {
  const BodyPlace& place = motion_.tree_links.places[b];
  const WorldMotion::State& s = motion_.world.links[place.link];
  const Vector3 c = s.axes * place.center;
  BodyMotion m;
  m.position = s.origin + c;
  m.velocity = s.velocity + cross(s.omega, c);
  m.omega = s.omega;
  const Vector3 centripetal = cross(s.omega, cross(s.omega, c));
  m.alpha = s.alpha;
  m.acceleration = s.acceleration + cross(s.alpha, c) + centripetal;
  m.bias_alpha = s.bias_alpha;
  m.bias = s.bias + cross(s.bias_alpha, c) + centripetal;
  m.axes = place.is_link ? s.axes : s.axes * place.axes;
  const Quaternion& q = w_.model.bodies[b].initial_orientation;
  Transcript& drawn = w_.parameters_only();
  m.orientation = place.is_link ? motion_.tree_links.links[place.link].quaternion
                                : s.turned * Quaternion{drawn(q.w), drawn(q.x), drawn(q.y), drawn(q.z)};
  return m;
}

void BodyNames::bind() {
  for (const Coordinate& given : w_.model.coordinates)
    if (w_.stays(given.symbol) && !w_.is_of_body(given.symbol)) bind_same(given);
  for (const Speed& given : w_.model.speeds)
    if (w_.stays(given.symbol) && !w_.is_of_body(given.symbol)) bind_same(given);
  for (std::size_t b = 1; b < w_.model.bodies.size(); ++b) bind_body(b);
  for (std::size_t k = 0; k < w_.tree.branches.size(); ++k)
    if (w_.tree.branches[k].joint >= 0) bind_joint(k);
}

void BodyNames::bind_same(const Coordinate& given) {
  const Coordinate& x = *std::ranges::find(w_.out.coordinates, given.name, &Coordinate::name);
  for (Transcript* to : {&w_.full, &w_.bias}) {
    to->bind(given.symbol, w_.symbol(x.symbol));
    to->bind(given.rate, w_.symbol(x.rate));
  }
  w_.full.bind(given.acceleration, w_.symbol(x.acceleration));
  w_.bias.bind(given.acceleration, 0);
}

void BodyNames::bind_same(const Speed& given) {
  const Speed& u = *std::ranges::find(w_.out.speeds, given.name, &Speed::name);
  for (Transcript* to : {&w_.full, &w_.bias}) to->bind(given.symbol, w_.symbol(u.symbol));
  w_.full.bind(given.acceleration, w_.symbol(u.acceleration));
  w_.bias.bind(given.acceleration, 0);
}

void BodyNames::bind_body(std::size_t b) {
  const Body& body = w_.pose.model().bodies[b];
  const BodyMotion m = motion_of(b);
  if (body.planar) {
    const Expression c = w_.pose.axes(b).columns[0].x, s = w_.pose.axes(b).columns[0].y;
    w_.bind_both(c, m.axes.columns[0].x);
    w_.bind_both(s, m.axes.columns[0].y);
    w_.bind_both(body.angle, planar_angle(b));
  } else {
    for (int k = 0; k < 3; ++k) w_.bind_both(w_.pose.axes(b).columns[k], m.axes.columns[k]);
    const auto& [w, x, y, z] = m.orientation;
    w_.bind_both(body.orientation.w, w);
    w_.bind_both(body.orientation.vector(), {x, y, z});
  }
  w_.bind_both(body.position, m.position);
  w_.bind_both(body.velocity, m.velocity);
  w_.bind_both(body.omega, m.omega);
  w_.full.bind(body.acceleration, m.acceleration);
  w_.full.bind(body.alpha, m.alpha);
  w_.bias.bind(body.acceleration, m.bias);
  w_.bias.bind(body.alpha, m.bias_alpha);
}

Expression BodyNames::planar_angle(std::size_t b) {
  const BodyPlace& place = motion_.tree_links.places[b];
  if (place.is_link) return motion_.tree_links.links[place.link].angle;
  Expression angle = w_.parameters_only()(w_.model.bodies[b].initial_angle);
  for (int k = place.link; k > 0; k = motion_.tree_links.links[k].parent) {
    const Link& link = motion_.tree_links.links[k];
    if (link.motion == Link::Motion::turn) angle += link.drawn_direction.z * link.angle;
    const auto base =
        std::ranges::find_if(motion_.tree_links.places, [&](const BodyPlace& p) { return p.is_link && p.link == k; });
    if (base != motion_.tree_links.places.end())
      angle -= w_.parameters_only()(w_.model.bodies[base - motion_.tree_links.places.begin()].initial_angle);
  }
  return angle;
}

void BodyNames::bind_joint(std::size_t branch) {
  const int joint = w_.tree.branches[branch].joint;
  const PoseForm::JointSymbols& symbols = w_.pose.joint(joint);
  const std::vector<TreeCoordinate>& lines = motion_.coordinates[branch].lines;
  const auto bind_line = [&](const PoseForm::Symbols& s, const TreeCoordinate& x) {
    w_.bind_both(s.value, x.value);
    w_.bind_both(s.rate, x.rate);
    w_.full.bind(s.acceleration, x.acceleration);
    w_.bias.bind(s.acceleration, 0);
    motion_.generalised[*symbol_of(s.rate)] = motion_.speed_of.at(*symbol_of(x.rate));
  };
  if (symbols.travel) bind_line(*symbols.travel, lines.front());
  if (symbols.angle) bind_line(*symbols.angle, lines.back());
}

}  // namespace taut
