// Pendulums: one angle is the truth, written in several redundant ways.
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/lagrange.hpp"
#include "hunt/motion.hpp"

namespace taut::hunt {
namespace {

/// A mass on a rod, its angle from hanging, with damping c per mass.
struct Pendulum {
  double mass, length, gravity, damping;
  double angle, rate;
  double until;

  static Pendulum draw(Dice& dice) {
    Pendulum p{dice.between(0.2, 5), dice.between(0.3, 3), dice.between(1, 20), 0, 0, 0, 0};
    if (dice.chance(0.3)) p.damping = dice.between(0.01, 1);
    p.angle = dice.between(-2.5, 2.5);
    p.rate = dice.between(-4, 4);
    p.until = dice.between(0.5, 8);
    return p;
  }
  State rates(const State& y) const { return {y[1], -Real(gravity) / length * std::sin(y[0]) - Real(damping) * y[1]}; }
  State place(const State& y) const {
    const Real s = std::sin(y[0]), c = std::cos(y[0]), l = length;
    return {l * s, -l * c, l * c * y[1], l * s * y[1]};
  }
  std::vector<Expected> expected() const {
    Motion motion;
    motion.rates = [p = *this](Real, const State& y) { return p.rates(y); };
    motion.start = {angle, rate};
    motion.names = {"x", "y", "x'", "y'"};
    motion.figures = [p = *this](Real, const State& y) { return p.place(y); };
    return expected_of(motion, until);
  }
  /// Everything but the constraints, in x and y.
  std::string head() const {
    const State p = place({angle, rate});
    std::string text = fmt::format("parameters: {{m: {}, l: {}, g: {}, c: {}}}\n", text_of(mass), text_of(length),
                                   text_of(gravity), text_of(damping));
    text += fmt::format("coordinates: {{x: [{}, {}], y: [{}, {}]}}\n", text_of(p[0]), text_of(p[2]), text_of(p[1]),
                        text_of(p[3]));
    text += "kinetic_energy: m/2*(x'^2 + y'^2)\npotential_energy: m*g*y\n";
    if (damping > 0) text += "forces: {x: -c*m*x', y: -c*m*y'}\n";
    return text;
  }
  Wish wish() const {
    const double pace = std::max(std::sqrt(gravity / length), std::abs(rate));
    return {.step = 0.01 / pace, .energy_law = true};
  }
};

Case pendulum_case(Dice& dice, const std::string& constraints, const Pendulum& pendulum) {
  Case out;
  out.model = pendulum.head() + constraints;
  out.plan = draw_plan(dice, pendulum.wish());
  out.until = pendulum.until;
  out.expected = pendulum.expected();
  return out;
}

Case in_a_plane(Dice& dice) {
  const Pendulum pendulum = Pendulum::draw(dice);
  return pendulum_case(dice, "constraints: {rod: x^2 + y^2 = l^2}\n", pendulum);
}

Case of_true_length(Dice& dice) {
  const Pendulum pendulum = Pendulum::draw(dice);
  return pendulum_case(dice, "constraints: {rod: \"sqrt(x^2 + y^2) = l\"}\n", pendulum);
}

Case redundant(Dice& dice) {
  const Pendulum pendulum = Pendulum::draw(dice);
  return pendulum_case(dice,
                       "constraints:\n  rod: x^2 + y^2 = l^2\n  again: sqrt(x^2 + y^2) = l\n"
                       "  cubed: (x^2 + y^2)^3 = l^6\n",
                       pendulum);
}

Case scaled(Dice& dice) {
  const Pendulum pendulum = Pendulum::draw(dice);
  const double scale = dice.scaled(1e-6, 1e6);
  std::string rows = fmt::format("constraints:\n  rod: {0}*(x^2 + y^2) = {0}*l^2\n", text_of(scale));
  if (dice.chance(0.5)) rows += fmt::format("  again: {0}*(x^2 + y^2 - l^2)\n", text_of(1 / scale));
  return pendulum_case(dice, rows, pendulum);
}

Case polar(Dice& dice) {
  const Pendulum p = Pendulum::draw(dice);
  Case out;
  out.model = fmt::format(
      "parameters: {{m: {}, l: {}, g: {}, c: {}}}\ncoordinates: {{r: {}, a: [{}, {}]}}\n"
      "kinetic_energy: m/2*(r'^2 + r^2*a'^2)\npotential_energy: -m*g*r*cos(a)\nforces: {{a: -c*m*r^2*a'}}\n"
      "constraints: {{rod: r = l}}\noutputs: {{px: r*sin(a), py: -r*cos(a)}}\n",
      text_of(p.mass), text_of(p.length), text_of(p.gravity), text_of(p.damping), text_of(p.length), text_of(p.angle),
      text_of(p.rate));
  out.plan = draw_plan(dice, p.wish());
  out.until = p.until;
  out.expected = p.expected();
  out.expected.resize(2);
  out.expected[0].name = "px";
  out.expected[1].name = "py";
  return out;
}

/// n point masses on rods, angles from hanging: sums of A_ij cos(a_i − a_j).
Case chain(Dice& dice, int n) {
  std::vector<double> m, l;
  for (int k = 0; k < n; ++k) m.push_back(dice.between(0.3, 3)), l.push_back(dice.between(0.3, 1.5));
  const double g = dice.between(2, 12);
  const auto lagrangian = [m, l, g, n](const auto&, const auto& q, const auto& v) {
    auto vx = q[0] * 0, vy = vx, y = vx, sum = vx;
    for (int k = 0; k < n; ++k) {
      vx = vx + l[k] * cos(q[k]) * v[k];
      vy = vy + l[k] * sin(q[k]) * v[k];
      y = y - l[k] * cos(q[k]);
      sum = sum + m[k] / 2 * (vx * vx + vy * vy) - m[k] * g * y;
    }
    return sum;
  };
  Motion motion;
  motion.rates = ReducedEquations(n, lagrangian);
  for (int k = 0; k < n; ++k) motion.start.push_back(dice.between(-1.5, 1.5));
  for (int k = 0; k < n; ++k) motion.start.push_back(dice.between(-2, 2));
  motion.figures = [l, n](Real, const State& y) {
    State out;
    Real x = 0, z = 0, vx = 0, vz = 0;
    for (int k = 0; k < n; ++k) {
      x += l[k] * std::sin(y[k]), z -= l[k] * std::cos(y[k]);
      vx += l[k] * std::cos(y[k]) * y[n + k], vz += l[k] * std::sin(y[k]) * y[n + k];
      out.insert(out.end(), {x, z, vx, vz});
    }
    return out;
  };
  const State place = motion.figures(0, motion.start);
  std::string coordinates, kinetic, potential, rows;
  for (int k = 0; k < n; ++k) {
    const std::string i = std::to_string(k + 1), before = std::to_string(k);
    motion.names.insert(motion.names.end(), {"x" + i, "y" + i, "x" + i + "'", "y" + i + "'"});
    coordinates += fmt::format("  x{}: [{}, {}]\n  y{}: [{}, {}]\n", i, text_of(place[4 * k]),
                               text_of(place[4 * k + 2]), i, text_of(place[4 * k + 1]), text_of(place[4 * k + 3]));
    kinetic += fmt::format("{}{}/2*(x{}'^2 + y{}'^2)", k ? " + " : "", text_of(m[k]), i, i);
    potential += fmt::format("{}{}*y{}", k ? " + " : "", text_of(Real(m[k] * g)), i);
    rows += k == 0 ? fmt::format("  rod1: x1^2 + y1^2 = {}^2\n", text_of(l[0]))
                   : fmt::format("  rod{0}: (x{0} - x{1})^2 + (y{0} - y{1})^2 = {2}^2\n", i, before, text_of(l[k]));
  }
  Case out;
  out.model = "coordinates:\n" + coordinates + "kinetic_energy: " + kinetic + "\npotential_energy: " + potential +
              "\nconstraints:\n" + rows;
  out.plan = draw_plan(dice, {.step = 0.002, .energy_law = true});
  out.until = dice.between(0.5, 3);
  out.expected = expected_of(motion, out.until);
  return out;
}

Case double_pendulum(Dice& dice) { return chain(dice, 2); }
Case triple_pendulum(Dice& dice) { return chain(dice, 3); }

/// Polar angle from hanging and azimuth, in truth; x, y, z in the model.
Case spherical(Dice& dice) {
  const double m = dice.between(0.2, 5), l = dice.between(0.3, 3), g = dice.between(1, 20);
  const auto lagrangian = [=](const auto&, const auto& q, const auto& v) {
    const auto s = sin(q[0]);
    return m * l * l / 2 * (v[0] * v[0] + s * s * v[1] * v[1]) + m * g * l * cos(q[0]);
  };
  Motion motion;
  motion.rates = ReducedEquations(2, lagrangian);
  motion.start = {dice.between(0.4, 2), dice.between(-3, 3), dice.between(-2, 2), dice.between(0.7, 3) * dice.sign()};
  motion.names = {"x", "y", "z", "x'", "y'", "z'"};
  motion.figures = [l](Real, const State& y) -> State {
    const Real s = std::sin(y[0]), c = std::cos(y[0]), sa = std::sin(y[1]), ca = std::cos(y[1]);
    return {l * s * ca,  l * s * sa, -l * c, l * (c * ca * y[2] - s * sa * y[3]), l * (c * sa * y[2] + s * ca * y[3]),
            l * s * y[2]};
  };
  const State p = motion.figures(0, motion.start);
  Case out;
  out.model = fmt::format(
      "coordinates:\n  x: [{}, {}]\n  y: [{}, {}]\n  z: [{}, {}]\nkinetic_energy: {}/2*(x'^2 + y'^2 + z'^2)\n"
      "potential_energy: {}*z\nconstraints: {{rod: x^2 + y^2 + z^2 = {}^2}}\n",
      text_of(p[0]), text_of(p[3]), text_of(p[1]), text_of(p[4]), text_of(p[2]), text_of(p[5]), text_of(m),
      text_of(Real(m * g)), text_of(l));
  out.plan = draw_plan(dice, {.step = 0.002, .energy_law = true});
  out.until = dice.between(0.5, 6);
  out.expected = expected_of(motion, out.until);
  return out;
}

}  // namespace

std::vector<Family> pendulum_families() {
  return {{"pendulum-xy", "a mass on a rod, in x and y", in_a_plane},
          {"pendulum-length", "the rod as a square root", of_true_length},
          {"pendulum-redundant", "the rod written three times", redundant},
          {"pendulum-scaled", "rows scaled by 1e-6 to 1e6", scaled},
          {"pendulum-polar", "in polar coordinates", polar},
          {"pendulum-double", "two masses on rods", double_pendulum},
          {"pendulum-triple", "three masses on rods", triple_pendulum},
          {"pendulum-spherical", "a mass on a rod in space", spherical}};
}

}  // namespace taut::hunt
