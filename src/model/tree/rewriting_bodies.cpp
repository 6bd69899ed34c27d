#include "model/tree/rewriting.hpp"

#include <algorithm>

/// What the names of bodies and joints mean in joint coordinates.
namespace taut {

Rewriting::BodyMotion Rewriting::motion_of(std::size_t b) {
  const BodyPlace& place = tree_links_.places[b];
  const WorldMotion::State& s = motion_.links[place.link];
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
  const Quaternion& q = model_.bodies[b].initial_orientation;
  Transcript& drawn = parameters_only();
  m.orientation = place.is_link ? tree_links_.links[place.link].quaternion
                                : s.turned * Quaternion{drawn(q.w), drawn(q.x), drawn(q.y), drawn(q.z)};
  return m;
}

void Rewriting::bind() {
  for (const Coordinate& given : model_.coordinates)
    if (stays(given.symbol) && !is_of_body(given.symbol)) bind_same(given);
  for (const Speed& given : model_.speeds)
    if (stays(given.symbol) && !is_of_body(given.symbol)) bind_same(given);
  for (std::size_t b = 1; b < model_.bodies.size(); ++b) bind_body(b);
  for (std::size_t k = 0; k < tree_.branches.size(); ++k)
    if (tree_.branches[k].joint >= 0) bind_joint(k);
}

void Rewriting::bind_both(const Expression& formula, const Expression& value) {
  full_.bind(formula, value);
  bias_.bind(formula, value);
}

void Rewriting::bind_both(const Vector3& formula, const Vector3& value) {
  for (int k = 0; k < 3; ++k) bind_both(formula[k], value[k]);
}

void Rewriting::bind_same(const Coordinate& given) {
  const Coordinate& x = *std::ranges::find(out_.coordinates, given.name, &Coordinate::name);
  for (Transcript* to : {&full_, &bias_}) {
    to->bind(given.symbol, symbol(x.symbol));
    to->bind(given.rate, symbol(x.rate));
  }
  full_.bind(given.acceleration, symbol(x.acceleration));
  bias_.bind(given.acceleration, 0);
}

void Rewriting::bind_same(const Speed& given) {
  const Speed& u = *std::ranges::find(out_.speeds, given.name, &Speed::name);
  for (Transcript* to : {&full_, &bias_}) to->bind(given.symbol, symbol(u.symbol));
  full_.bind(given.acceleration, symbol(u.acceleration));
  bias_.bind(given.acceleration, 0);
}

void Rewriting::bind_body(std::size_t b) {
  const Body& body = pose_.model().bodies[b];
  const BodyMotion m = motion_of(b);
  if (body.planar) {
    const Expression c = pose_.axes(b).columns[0].x, s = pose_.axes(b).columns[0].y;
    bind_both(c, m.axes.columns[0].x);
    bind_both(s, m.axes.columns[0].y);
    bind_both(body.angle, planar_angle(b));
  } else {
    for (int k = 0; k < 3; ++k) bind_both(pose_.axes(b).columns[k], m.axes.columns[k]);
    const auto& [w, x, y, z] = m.orientation;
    bind_both(body.orientation.w, w);
    bind_both(body.orientation.vector(), {x, y, z});
  }
  bind_both(body.position, m.position);
  bind_both(body.velocity, m.velocity);
  bind_both(body.omega, m.omega);
  full_.bind(body.acceleration, m.acceleration);
  full_.bind(body.alpha, m.alpha);
  bias_.bind(body.acceleration, m.bias);
  bias_.bind(body.alpha, m.bias_alpha);
}

Expression Rewriting::planar_angle(std::size_t b) {
  const BodyPlace& place = tree_links_.places[b];
  if (place.is_link) return tree_links_.links[place.link].angle;
  Expression angle = parameters_only()(model_.bodies[b].initial_angle);
  for (int k = place.link; k > 0; k = tree_links_.links[k].parent) {
    const Link& link = tree_links_.links[k];
    if (link.motion == Link::Motion::turn) angle += link.drawn_direction.z * link.angle;
    const auto base =
        std::ranges::find_if(tree_links_.places, [&](const BodyPlace& p) { return p.is_link && p.link == k; });
    if (base != tree_links_.places.end())
      angle -= parameters_only()(model_.bodies[base - tree_links_.places.begin()].initial_angle);
  }
  return angle;
}

void Rewriting::bind_joint(std::size_t branch) {
  const int joint = tree_.branches[branch].joint;
  const PoseForm::JointSymbols& symbols = pose_.joint(joint);
  const std::vector<TreeCoordinate>& lines = coordinates_[branch].lines;
  const auto bind_line = [&](const PoseForm::Symbols& s, const TreeCoordinate& x) {
    bind_both(s.value, x.value);
    bind_both(s.rate, x.rate);
    full_.bind(s.acceleration, x.acceleration);
    bias_.bind(s.acceleration, 0);
    generalised_[*symbol_of(s.rate)] = speed_of_.at(*symbol_of(x.rate));
  };
  if (symbols.travel) bind_line(*symbols.travel, lines.front());
  if (symbols.angle) bind_line(*symbols.angle, lines.back());
}

}  // namespace taut
