#include "hunt/tree.hpp"

#include <cmath>

namespace taut::hunt {
namespace {

/// Where a body is: a point that was at X is at turned(X) + shift; its velocity field is origin + spin × place.
template <class T>
struct Pose {
  std::array<Triple<T>, 3> columns{};
  Triple<T> shift{}, spin{}, origin{};

  Triple<T> turned(const Triple<Real>& x) const {
    Triple<T> out{};
    for (int i = 0; i < 3; ++i) out[i] = columns[0][i] * x[0] + columns[1][i] * x[1] + columns[2][i] * x[2];
    return out;
  }
  Triple<T> place(const Triple<Real>& x) const { return sum(turned(x), shift); }
  Triple<T> velocity(const Triple<T>& place) const { return sum(origin, cross(spin, place)); }
};

template <class T>
Pose<T> at_rest() {
  Pose<T> pose;
  for (int i = 0; i < 3; ++i) pose.columns[i][i] = T(1);
  return pose;
}

/// Rodrigues: x turned about a unit axis.
template <class T>
Triple<T> rotated(const Triple<Real>& axis, const T& angle, const Triple<Real>& x) {
  using std::cos, std::sin;
  const T c = cos(angle), s = sin(angle);
  const Triple<Real> square = cross(axis, x);
  const Real along = dot(axis, x);
  Triple<T> out{};
  for (int i = 0; i < 3; ++i) out[i] = c * x[i] + s * square[i] + (1 - c) * (along * axis[i]);
  return out;
}

template <class T>
Pose<T> moved(const Link& link, const Pose<T>& parent, const T& q, const T& v) {
  Pose<T> pose = parent;
  const Triple<T> axis = parent.turned(link.axis);
  if (link.slides) {
    pose.shift = sum(parent.shift, times(q, axis));
    pose.origin = sum(parent.origin, times(v, axis));
    return pose;
  }
  const auto carried = [&](const Triple<T>& x) {
    Triple<T> out{};
    for (int i = 0; i < 3; ++i)
      out[i] = parent.columns[0][i] * x[0] + parent.columns[1][i] * x[1] + parent.columns[2][i] * x[2];
    return out;
  };
  for (int k = 0; k < 3; ++k) {
    Triple<Real> unit{0, 0, 0};
    unit[k] = 1;
    pose.columns[k] = carried(rotated(link.axis, q, unit));
  }
  const Triple<T> hinge = parent.place(link.at);
  Triple<T> back = carried(rotated(link.axis, q, link.at));
  for (int i = 0; i < 3; ++i) pose.shift[i] = hinge[i] - back[i];
  const Triple<T> turn = times(v, axis);
  pose.spin = sum(parent.spin, turn);
  pose.origin = sum(parent.origin, cross(hinge, turn));
  return pose;
}

template <class T>
std::vector<Pose<T>> poses(const Tree& tree, const std::vector<T>& q, const std::vector<T>& v) {
  std::vector<Pose<T>> list;
  for (std::size_t k = 0; k < tree.links.size(); ++k) {
    const Link& link = tree.links[k];
    list.push_back(moved(link, link.parent < 0 ? at_rest<T>() : list[link.parent], q[k], v[k]));
  }
  return list;
}

template <class T>
T energy_difference(const Tree& tree, const std::vector<T>& q, const std::vector<T>& v) {
  using std::sqrt;
  T value(0);
  const auto list = poses(tree, q, v);
  for (std::size_t k = 0; k < list.size(); ++k) {
    const Link& link = tree.links[k];
    const Triple<T> centre = list[k].place(link.centre), velocity = list[k].velocity(centre);
    value = value + link.mass / 2 * dot(velocity, velocity) + link.mass * dot(tree.gravity, centre);
    for (int i = 0; i < 3; ++i) {
      const T about = dot(list[k].columns[i], list[k].spin);
      value = value + link.moments[i] / 2 * about * about;
    }
    value = value - link.stiffness / 2 * q[k] * q[k];
  }
  if (tree.spring > 0) {
    Triple<T> d = list.back().place(tree.spring_to);
    for (int i = 0; i < 3; ++i) d[i] = d[i] - tree.spring_from[i];
    const T stretch = sqrt(dot(d, d)) - tree.spring_length;
    value = value - tree.spring / 2 * stretch * stretch;
  }
  return value;
}

/// Coordinates of all joints from those that are free; a motor's own are given by the time.
template <class T>
void complete(const Tree& tree, const T& t, const std::vector<T>& free, const std::vector<T>& free_rates,
              std::vector<T>& q, std::vector<T>& v) {
  using std::cos, std::sin;
  std::size_t next = 0;
  for (const Link& link : tree.links) {
    const bool driven = link.motor == Link::Motor::position;
    q.push_back(driven ? link.size * (1 - cos(link.w * t)) : free[next]);
    v.push_back(driven ? link.size * link.w * sin(link.w * t) : free_rates[next]);
    if (!driven) ++next;
  }
}

std::string vector_text(const Triple<Real>& x) {
  return fmt::format("[{}, {}, {}]", text_of(x[0]), text_of(x[1]), text_of(x[2]));
}

std::string joint_text(const Tree& tree, std::size_t k) {
  const Link& link = tree.links[k];
  const std::string first = link.parent < 0 ? "ground" : fmt::format("b{}", link.parent);
  std::string text =
      fmt::format("  j{0}: {{type: {1}, bodies: [{2}, b{0}], at: {3}, axis: {4}", k,
                  link.slides ? "prismatic" : "revolute", first, vector_text(link.at), vector_text(link.axis));
  if (link.motor == Link::Motor::position)
    text += fmt::format(", position: \"{}*(1 - cos({}*t))\"", text_of(link.size), text_of(link.w));
  if (link.motor == Link::Motor::torque)
    text += fmt::format(", torque: \"{}*sin({}*t)\"", text_of(link.size), text_of(link.w));
  return text + "}\n";
}

std::string body_text(const Tree& tree, std::size_t k, const Pose<Real>& pose) {
  const Link& link = tree.links[k];
  return fmt::format("  b{}: {{mass: {}, inertia: {}, position: {}, velocity: {}, angular_velocity: {}{}}}\n", k,
                     text_of(link.mass), vector_text(link.moments), vector_text(link.centre),
                     vector_text(pose.velocity(link.centre)), vector_text(pose.spin),
                     tree.planar ? ", planar: true" : "");
}

std::string force_text(const Tree& tree) {
  std::string text;
  for (std::size_t k = 0; k < tree.links.size(); ++k) {
    const Link& link = tree.links[k];
    if (link.stiffness > 0 || link.damping > 0)
      text += fmt::format("  s{0}: {{type: torsion-spring, joint: j{0}, stiffness: {1}, damping: {2}}}\n", k,
                          text_of(link.stiffness), text_of(link.damping));
  }
  if (tree.spring > 0)
    text +=
        fmt::format("  pull: {{type: spring, bodies: [ground, b{}], points: [{}, {}], stiffness: {}, length: {}}}\n",
                    tree.links.size() - 1, vector_text(tree.spring_from), vector_text(tree.spring_to),
                    text_of(tree.spring), text_of(tree.spring_length));
  return text.empty() ? "" : "forces:\n" + text;
}

}  // namespace

int Tree::freedoms() const {
  int count = 0;
  for (const Link& link : links) count += link.motor == Link::Motor::position ? 0 : 1;
  return count;
}

std::string Tree::model() const {
  State q(links.size(), 0), v;
  for (const Link& link : links) v.push_back(link.motor == Link::Motor::position ? 0 : link.rate);
  const auto list = poses(*this, q, v);
  std::string text = "gravity: " + vector_text(gravity) + "\nbodies:\n";
  for (std::size_t k = 0; k < links.size(); ++k) text += body_text(*this, k, list[k]);
  text += "joints:\n";
  for (std::size_t k = 0; k < links.size(); ++k) text += joint_text(*this, k);
  text += force_text(*this) + "outputs:\n";
  for (std::size_t k = 0; k < links.size(); ++k)
    text += fmt::format("  q{0}: j{0}.{1}\n  r{0}: j{0}.rate\n", k, links[k].slides ? "travel" : "angle");
  return text;
}

std::vector<Expected> Tree::expected(double until) const {
  const int n = freedoms();
  const auto lagrangian = [tree = *this](const auto& t, const auto& free, const auto& rates) {
    std::decay_t<decltype(free)> q, v;
    complete(tree, t, free, rates, q, v);
    return energy_difference(tree, q, v);
  };
  const auto forces = [tree = *this](Real t, const State&, const State& rates) {
    State list;
    for (const Link& link : tree.links)
      if (link.motor != Link::Motor::position) {
        const Real push = link.motor == Link::Motor::torque ? link.size * std::sin(link.w * t) : 0;
        list.push_back(push - link.damping * rates[list.size()]);
      }
    return list;
  };
  Motion motion;
  motion.rates = ReducedEquations(n, lagrangian, forces);
  motion.start.assign(n, 0);
  for (const Link& link : links)
    if (link.motor != Link::Motor::position) motion.start.push_back(link.rate);
  for (std::size_t k = 0; k < links.size(); ++k)
    motion.names.insert(motion.names.end(), {fmt::format("q{}", k), fmt::format("r{}", k)});
  const std::string last = fmt::format("b{}", links.size() - 1);
  motion.names.insert(motion.names.end(), {last + ".x", last + ".y"});
  motion.figures = [tree = *this, n](Real t, const State& y) {
    State q, v, out;
    complete<Real>(tree, t, State(y.begin(), y.begin() + n), State(y.begin() + n, y.end()), q, v);
    for (std::size_t k = 0; k < q.size(); ++k) out.insert(out.end(), {q[k], v[k]});
    const Triple<Real> end = poses(tree, q, v).back().place(tree.links.back().centre);
    out.insert(out.end(), {end[0], end[1]});
    return out;
  };
  std::vector<Expected> list = expected_of(motion, until);
  for (Expected& expected : list) expected.sensitivity += 1;
  return list;
}

}  // namespace taut::hunt
