#include "hunt/linkage.hpp"

#include <cmath>
#include <utility>

#include "hunt/lagrange.hpp"
#include "hunt/motion.hpp"
#include "hunt/quadrature.hpp"

namespace taut::hunt {

SliderCrank::Place SliderCrank::place(Real a, Real da) const {
  // Of 1 − sin² nothing would be left where both links are as long; the difference of the lengths keeps its digits.
  const Real r = crank, l = rod, sine = -r * std::sin(a) / l;
  const Real cosine = std::sqrt(r * r * std::cos(a) * std::cos(a) + (l - r) * (l + r)) / l;
  const Real b = std::atan2(sine, cosine);
  const Real db = -r * std::cos(a) * da / (l * cosine);
  return {a, b, r * std::cos(a) + l * cosine, da, db, -r * std::sin(a) * da - l * sine * db};
}

SliderCrank::Place SliderCrank::place_by_rod(Real b, Real db) const {
  SliderCrank mirrored = *this;
  std::swap(mirrored.crank, mirrored.rod);
  const Place p = mirrored.place(b, db);
  return {p.b, p.a, p.s, p.db, p.da, p.ds};
}

Real SliderCrank::kinetic(const Place& p) const {
  const Real r = crank, l = rod;
  const Real x = -r * std::sin(p.a) * p.da - l / 2 * std::sin(p.b) * p.db;
  const Real y = r * std::cos(p.a) * p.da + l / 2 * std::cos(p.b) * p.db;
  return crank_mass * r * r / 6 * p.da * p.da + rod_mass / 2 * (x * x + y * y) + rod_mass * l * l / 24 * p.db * p.db +
         slider_mass / 2 * p.ds * p.ds;
}

/// Without gravity T is constant: dt = √(T at unit rate / T) of the shorter link's angle, which never turns back.
SliderCrank::Place SliderCrank::end_without_gravity(Real a, Real da, Real until) const {
  const bool by_crank = crank < rod;
  const auto at = [&](Real u, Real du) { return by_crank ? place(u, du) : place_by_rod(u, du); };
  const Real l = rod, r = crank;
  const Real b = by_crank ? 0 : std::atan2(-r * std::sin(a), std::sqrt(l * l - r * r * std::sin(a) * std::sin(a)));
  const Real first = by_crank ? a : b;
  const Real first_rate = by_crank ? da : -r * std::cos(a) * da / (l * std::cos(b));
  const Real energy = kinetic(at(first, first_rate));
  const Real width = std::sqrt(std::abs(l - r) * (l + r)) / std::max(r, l);
  OneWay way{.pace = [&](Real u) { return std::sqrt(kinetic(at(u, 1)) / energy); },
             .start = first,
             .direction = first_rate > 0 ? 1.0L : -1.0L,
             .bend = pi / 2,
             .period = pi,
             .width = width};
  const Real u = way.at(until);
  return at(u, way.direction / way.pace(u));
}

std::string SliderCrank::equations() const {
  const Place p = place(angle, rate);
  std::string text =
      fmt::format("parameters: {{r: {}, l: {}, m1: {}, m2: {}, m3: {}, g: {}}}\n", text_of(crank), text_of(rod),
                  text_of(crank_mass), text_of(rod_mass), text_of(slider_mass), text_of(gravity));
  text += fmt::format("coordinates:\n  a: [{}, {}]\n  b: [{}, {}]\n  s: [{}, {}]\n", text_of(p.a), text_of(p.da),
                      text_of(p.b), text_of(p.db), text_of(p.s), text_of(p.ds));
  text +=
      "kinetic_energy: m1*r^2/6*a'^2 + m2/2*((r*a'*sin(a) + l/2*b'*sin(b))^2 + (r*a'*cos(a) + l/2*b'*cos(b))^2)"
      " + m2*l^2/24*b'^2 + m3/2*s'^2\n"
      "potential_energy: m1*g*r/2*sin(a) + m2*g*(r*sin(a) + l/2*sin(b))\n"
      "constraints:\n  height: r*sin(a) + l*sin(b) = 0\n  reach: s = r*cos(a) + l*cos(b)\n";
  return text;
}

namespace {

/// A uniform rod from one point to another that turns at `rate`.
std::string rod_body(const std::string& name, double mass, Real length, Real x, Real y, Real vx, Real vy, Real angle,
                     Real rate, const std::string& more) {
  return fmt::format(
      "  {}: {{mass: {}, inertia: [{}, {}, {}], position: [{}, {}, 0], orientation: {{axis: [0, 0, 1], angle: {}}}, "
      "velocity: [{}, {}, 0], angular_velocity: [0, 0, {}]{}}}\n",
      name, text_of(mass), text_of(mass * length * length / 1200), text_of(mass * length * length / 12),
      text_of(mass * length * length / 12), text_of(x), text_of(y), text_of(angle), text_of(vx), text_of(vy),
      text_of(rate), more);
}

std::vector<Expected> named(std::vector<Expected> list) {
  std::erase_if(list, [](const Expected& expected) { return expected.name.empty(); });
  return list;
}

std::string bodies(const SliderCrank& s, const std::string& more) {
  const auto p = s.place(s.angle, s.rate);
  const Real r = s.crank, l = s.rod;
  const Real ax = r * std::cos(p.a), ay = r * std::sin(p.a), vx = -ay * p.da, vy = ax * p.da;
  const Real bx = l / 2 * std::cos(p.b), by = l / 2 * std::sin(p.b);
  std::string text = fmt::format("gravity: [0, {}, 0]\nbodies:\n", text_of(-s.gravity));
  text += rod_body("crank", s.crank_mass, r, ax / 2, ay / 2, vx / 2, vy / 2, p.a, p.da, more);
  text += rod_body("rod", s.rod_mass, l, ax + bx, ay + by, vx - by * p.db, vy + bx * p.db, p.b, p.db, more);
  text +=
      fmt::format("  slider: {{mass: {}, inertia: [0.1, 0.1, 0.1], position: [{}, 0, 0], velocity: [{}, 0, 0]{}}}\n",
                  text_of(s.slider_mass), text_of(p.s), text_of(p.ds), more);
  text += "joints:\n  pivot: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}\n";
  text += fmt::format("  elbow: {{type: revolute, bodies: [crank, rod], at: [{}, {}, 0], axis: [0, 0, 1]}}\n",
                      text_of(ax), text_of(ay));
  text += fmt::format("  wrist: {{type: revolute, bodies: [rod, slider], at: [{}, 0, 0], axis: [0, 0, 1]}}\n",
                      text_of(p.s));
  text += fmt::format("  rail: {{type: prismatic, bodies: [ground, slider], at: [{}, 0, 0], axis: [1, 0, 0]}}\n",
                      text_of(p.s));
  return text;
}

}  // namespace

std::string SliderCrank::planar_bodies() const {
  return bodies(*this, ", planar: true") + "outputs: {angle: crank.angle, tilt: rod.angle, spin: crank.omega_z}\n";
}

std::string SliderCrank::spatial_bodies() const {
  return bodies(*this, "") +
         fmt::format("outputs: {{angle: \"{} + pivot.angle\", spin: crank.omega_z}}\n", text_of(angle));
}

std::vector<Expected> SliderCrank::expected_without_gravity(double until, const std::vector<std::string>& names) const {
  const bool by_crank = crank < rod;
  Motion motion;
  motion.start = {angle, rate};
  motion.names = names;
  motion.solve = [&](const State& start, Real end, Real) -> State {
    const Place p = end_without_gravity(start[0], start[1], end);
    return by_crank ? State{p.a, p.da} : State{p.b, p.db};
  };
  motion.figures = [&](Real t, const State& y) -> State {
    const Place p = by_crank || t == 0 ? place(y[0], y[1]) : place_by_rod(y[0], y[1]);
    return {p.a, p.b, p.s, p.da};
  };
  return named(expected_of(motion, until));
}

std::vector<Expected> SliderCrank::expected(double until, const std::vector<std::string>& names) const {
  const auto lagrangian = [s = *this](const auto&, const auto& q, const auto& v) {
    const Real r = s.crank, l = s.rod;
    const auto sine = -(r * sin(q[0])) / l, cosine = sqrt(r * r * cos(q[0]) * cos(q[0]) + (l - r) * (l + r)) / l;
    const auto db = -(r * cos(q[0]) * v[0]) / (l * cosine);
    const auto ax = -(r * sin(q[0]) * v[0]), ay = r * cos(q[0]) * v[0];
    const auto mx = ax - l / 2 * sine * db, my = ay + l / 2 * cosine * db;
    const auto ds = ax - l * sine * db;
    const auto kinetic = s.crank_mass * r * r / 6 * v[0] * v[0] + s.rod_mass / 2 * (mx * mx + my * my) +
                         s.rod_mass * l * l / 24 * db * db + s.slider_mass / 2 * ds * ds;
    return kinetic - s.gravity * (s.crank_mass * r / 2 * sin(q[0]) + s.rod_mass * (r * sin(q[0]) + l / 2 * sine));
  };
  Motion motion;
  motion.rates = ReducedEquations(1, lagrangian);
  motion.start = {angle, rate};
  motion.names = names;
  motion.figures = [s = *this](Real, const State& y) -> State {
    const Place p = s.place(y[0], y[1]);
    return {p.a, p.b, p.s, p.da};
  };
  return named(expected_of(motion, until));
}

}  // namespace taut::hunt
