#include "hunt/four_bar.hpp"

#include <cmath>

#include "hunt/motion.hpp"
#include "hunt/quadrature.hpp"

namespace taut::hunt {

/// The end of the coupler is a corner of the triangle (crank's tip, rocker's pivot, end) with sides D, coupler, rocker.
/// Its height follows from Heron's formula, with the two factors that vanish where the linkage is flat written by the
/// differences of the lengths, which keep their digits.
FourBar::Place FourBar::place(Real a, Real da) const {
  const Real p = crank, q = coupler, r = rocker, d = ground;
  const Real ax = p * std::cos(a), ay = p * std::sin(a), ux = d - ax, uy = -ay;
  const Real sine = std::sin(a / 2), cosine = std::cos(a / 2);
  const Real D = std::sqrt(ux * ux + uy * uy);
  const Real wide = std::abs(q - r);
  // D² = (d − p)² + 4 d p sin²(a/2) = (d + p)² − 4 d p cos²(a/2)
  const Real over = ((d - p - wide) * (d - p + wide) + 4 * d * p * sine * sine) / (D + wide);
  const Real under = ((q + r - d - p) * (q + r + d + p) + 4 * d * p * cosine * cosine) / (q + r + D);
  const Real height = std::sqrt((D + q + r) * under * over * (D + wide)) / (2 * D);
  const Real along = (D * D + (q - r) * (q + r)) / (2 * D);
  const Real px = ax + (along * ux - branch * height * uy) / D, py = ay + (along * uy + branch * height * ux) / D;
  const Real b = std::atan2(py - ay, px - ax), c = std::atan2(py, px - d);
  // The coupler's end moves square to the rocker: the crank's tip and the turn of the coupler add up to that.
  const Real cross = branch * height * D;  // (px − ax)(py) − (py − ay)(px − d)
  const Real db = -da * (ax * py - ay * (px - d)) / cross;
  const Real dc = -da * (ax * (py - ay) - ay * (px - ax)) / cross;
  return {a, b, c, da, db, dc, px, py};
}

Real FourBar::kinetic(const Place& k) const {
  const Real p = crank, q = coupler, r = rocker;
  const Real x = -p * std::sin(k.a) * k.da - q / 2 * std::sin(k.b) * k.db;
  const Real y = p * std::cos(k.a) * k.da + q / 2 * std::cos(k.b) * k.db;
  return crank_mass * p * p / 6 * k.da * k.da + coupler_mass / 2 * (x * x + y * y) +
         coupler_mass * q * q / 24 * k.db * k.db + rocker_mass * r * r / 6 * k.dc * k.dc;
}

std::string FourBar::equations(const std::string& more) const {
  const Place k = place(angle, rate);
  return fmt::format(
      "parameters: {{p: {}, q: {}, r: {}, d: {}, m1: {}, m2: {}, m3: {}}}\n"
      "coordinates:\n  a: [{}, {}]\n  b: [{}, {}]\n  c: [{}, {}]\n"
      "kinetic_energy: m1*p^2/6*a'^2 + m2/2*((p*a'*sin(a) + q/2*b'*sin(b))^2 + (p*a'*cos(a) + q/2*b'*cos(b))^2)"
      " + m2*q^2/24*b'^2 + m3*r^2/6*c'^2\n"
      "constraints:\n  x: p*cos(a) + q*cos(b) = d + r*cos(c)\n  y: p*sin(a) + q*sin(b) = r*sin(c)\n{}"
      "outputs: {{crank_angle: a, px: d + r*cos(c), py: r*sin(c), spin: a'}}\n",
      text_of(crank), text_of(coupler), text_of(rocker), text_of(ground), text_of(crank_mass), text_of(coupler_mass),
      text_of(rocker_mass), text_of(k.a), text_of(k.da), text_of(k.b), text_of(k.db), text_of(k.c), text_of(k.dc),
      more);
}

namespace {

std::string rod(const std::string& name, Real mass, Real length, Real x, Real y, Real vx, Real vy, Real angle,
                Real rate, const std::string& more) {
  const Real moment = mass * length * length / 12;
  return fmt::format(
      "  {}: {{mass: {}, inertia: [{}, {}, {}], position: [{}, {}, 0], orientation: {{axis: [0, 0, 1], angle: {}}}, "
      "velocity: [{}, {}, 0], angular_velocity: [0, 0, {}]{}}}\n",
      name, text_of(mass), text_of(moment / 100), text_of(moment), text_of(moment), text_of(x), text_of(y),
      text_of(angle), text_of(vx), text_of(vy), text_of(rate), more);
}

std::string hinge(const std::string& name, const std::string& bodies, Real x, Real y) {
  return fmt::format("  {}: {{type: revolute, bodies: [{}], at: [{}, {}, 0], axis: [0, 0, 1]}}\n", name, bodies,
                     text_of(x), text_of(y));
}

}  // namespace

std::string FourBar::bodies(const std::string& more) const {
  const Place k = place(angle, rate);
  const Real d = ground, ax = crank * std::cos(k.a), ay = crank * std::sin(k.a);
  const Real bx = (k.px - ax) / 2, by = (k.py - ay) / 2, cx = (k.px - d) / 2, cy = k.py / 2;
  std::string text = "bodies:\n";
  text += rod("crank", crank_mass, crank, ax / 2, ay / 2, -ay / 2 * k.da, ax / 2 * k.da, k.a, k.da, more);
  text += rod("coupler", coupler_mass, coupler, ax + bx, ay + by, -ay * k.da - by * k.db, ax * k.da + bx * k.db, k.b,
              k.db, more);
  text += rod("rocker", rocker_mass, rocker, d + cx, cy, -cy * k.dc, cx * k.dc, k.c, k.dc, more);
  text += "joints:\n" + hinge("A", "ground, crank", 0, 0) + hinge("B", "crank, coupler", ax, ay) +
          hinge("C", "coupler, rocker", k.px, k.py) + hinge("D", "ground, rocker", d, 0);
  text += fmt::format(
      "outputs: {{crank_angle: \"{} + A.angle\", px: \"point(rocker, [{}, 0, 0]).x\", "
      "py: \"point(rocker, [{}, 0, 0]).y\", spin: crank.omega_z}}\n",
      text_of(angle), text_of(Real(rocker) / 2), text_of(Real(rocker) / 2));
  return text;
}

std::vector<Expected> FourBar::expected(double until, const std::vector<std::string>& names) const {
  Motion motion;
  motion.start = {angle, rate};
  motion.names = names;
  motion.solve = [&](const State& start, Real end, Real) -> State {
    const Real energy = kinetic(place(start[0], start[1]));
    const Real miss = std::min(std::abs(Real(ground) - crank - std::abs(Real(coupler) - rocker)),
                               std::abs(Real(coupler) + rocker - ground - crank));
    OneWay way{.pace = [&](Real u) { return std::sqrt(kinetic(place(u, 1)) / energy); },
               .start = start[0],
               .direction = start[1] > 0 ? 1.0L : -1.0L,
               .bend = 0,
               .period = pi,
               .width = std::min(0.1L, std::sqrt(miss))};
    const Real u = way.at(end);
    return {u, way.direction / way.pace(u)};
  };
  motion.figures = [&](Real, const State& y) -> State {
    const Place k = place(y[0], y[1]);
    return {k.a, k.px, k.py, k.da};
  };
  return expected_of(motion, until);
}

}  // namespace taut::hunt
