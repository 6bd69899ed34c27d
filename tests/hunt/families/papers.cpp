// The papers' options: gains by constraint, constants, energy control in parts, metrics, alpha, tau, controls; and
// forces that depend on multipliers. A double pendulum and a bead, by reduced equations.
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/lagrange.hpp"
#include "hunt/motion.hpp"

namespace taut::hunt {
namespace {

struct Double {
  double l1, l2, m1, m2, a1, a2, w1, w2, until;

  static Double draw(Dice& dice) {
    return {dice.between(0.5, 1.5),  dice.between(0.5, 1.5),  dice.between(0.5, 2),
            dice.between(0.5, 2),    dice.between(-1, 1),     dice.between(-1, 1),
            dice.between(-1.5, 1.5), dice.between(-1.5, 1.5), dice.between(0.5, 3)};
  }
  /// x1, y1, x2, y2 and their rates.
  State places(const State& y) const {
    const Real s1 = l1 * std::sin(y[0]), c1 = l1 * std::cos(y[0]), s2 = l2 * std::sin(y[1]), c2 = l2 * std::cos(y[1]);
    return {s1, -c1, s1 + s2, -c1 - c2, c1 * y[2], s1 * y[2], c1 * y[2] + c2 * y[3], s1 * y[2] + s2 * y[3]};
  }
  std::string model() const {
    const State p = places({a1, a2, w1, w2});
    std::string coordinates;
    const char* const names[] = {"x1", "y1", "x2", "y2"};
    for (int k = 0; k < 4; ++k)
      coordinates += fmt::format("  {}: [{}, {}]\n", names[k], text_of(p[k]), text_of(p[k + 4]));
    return fmt::format(
        "parameters: {{l1: {}, l2: {}, m1: {}, m2: {}}}\ncoordinates:\n{}"
        "kinetic_energy: m1/2*(x1'^2 + y1'^2) + m2/2*(x2'^2 + y2'^2)\npotential_energy: 9.81*(m1*y1 + m2*y2)\n"
        "constraints: {{rod1: x1^2 + y1^2 = l1^2, rod2: (x2 - x1)^2 + (y2 - y1)^2 = l2^2}}\n",
        text_of(l1), text_of(l2), text_of(m1), text_of(m2), coordinates);
  }
  std::vector<Expected> expected() const {
    const auto lagrangian = [d = *this](const auto&, const auto& q, const auto& v) {
      using std::cos;
      using std::sin;
      const auto between = cos(q[0] - q[1]);
      const Real both = Real(d.m1) + d.m2;
      return Real(0.5) * both * Real(d.l1) * Real(d.l1) * v[0] * v[0] +
             Real(0.5) * Real(d.m2) * Real(d.l2) * Real(d.l2) * v[1] * v[1] +
             Real(d.m2) * Real(d.l1) * Real(d.l2) * v[0] * v[1] * between +
             Real(9.81) * (both * Real(d.l1) * cos(q[0]) + Real(d.m2) * Real(d.l2) * cos(q[1]));
    };
    Motion motion;
    motion.rates = ReducedEquations(2, lagrangian);
    motion.start = {a1, a2, w1, w2};
    motion.names = {"x1", "y1", "x2", "y2", "x1'", "y1'", "x2'", "y2'"};
    motion.figures = [d = *this](Real, const State& y) { return d.places(y); };
    return expected_of(motion, until);
  }
  Case finished(Plan plan) const {
    Case out;
    out.model = model();
    out.plan = std::move(plan);
    out.until = until;
    out.expected = expected();
    out.least_share = 1e-10;
    return out;
  }
};

/// A fixed step with a fixed formula, or a tolerance with another.
Plan draw_steps(Dice& dice, bool fixed) {
  Plan plan;
  if (fixed) {
    plan.step = dice.one_of({"0.001", "0.002"}) == "0.001" ? 0.001 : 0.002;
    plan.integrator = dice.one_of({"rk4", "ab2", "ab3"});
  } else {
    plan.rtol = std::pow(10.0, -dice.whole(5, 10));
    plan.integrator = dice.one_of({"dopri5", "dop853", "auto"});
  }
  return plan;
}

/// Two values of one row each.
std::string by_row(Dice& dice, double least, double most) {
  return fmt::format("rod1:{}:rod2:{}", text_of(dice.between(least, most)), text_of(dice.between(least, most)));
}

/// Eq. (28), (40): rates or constants of each constraint, in either metric, under every control.
Case gains(Dice& dice) {
  const Double d = Double::draw(dice);
  const bool fixed = dice.chance(0.7);
  Plan plan = draw_steps(dice, fixed);
  std::string options = dice.chance(0.6) ? "gains=" + by_row(dice, 2, 40) : "zetas=" + by_row(dice, 0.5, 10);
  if (dice.chance(0.3)) options = fmt::format("zeta={}", text_of(dice.between(0.5, 10)));
  if (dice.chance(0.5)) options += fmt::format(", velocity_gain={}", text_of(dice.between(1, 30)));
  options += dice.chance(0.5) ? ", metric=identity" : "";
  plan.method = fmt::format("gradient-feedback({})", options);
  if (fixed) plan.more.emplace_back("control", dice.one_of({"stages", "euler", "forward-euler", "backward-euler"}));
  return d.finished(plan);
}

/// Eq. (20), (27), (47), (50): energy control in parts, beside several methods.
Case energy_parts(Dice& dice) {
  const Double d = Double::draw(dice);
  Plan plan = draw_steps(dice, true);
  plan.method = dice.one_of({"auto", "perturbation", "baumgarte", "gradient-feedback", "udwadia-kalaba"});
  std::string options;
  if (dice.chance(0.5)) {
    options = fmt::format("rho_v={}, rho_q={}", text_of(dice.scaled(1e-3, 1)), text_of(dice.scaled(1e-4, 1e-2)));
  } else {
    options = fmt::format("gain={}", text_of(dice.between(5, 60)));
    if (dice.chance(0.5)) options += fmt::format(", position=on, ratio={}", text_of(dice.scaled(1e-3, 1)));
  }
  if (dice.chance(0.5)) options += ", metric=identity";
  if (dice.chance(0.5)) options += ", coupling=on";
  plan.energy = fmt::format("gradient({})", options);
  plan.more.emplace_back("control", dice.one_of({"stages", "euler", "forward-euler", "backward-euler"}));
  return d.finished(plan);
}

/// Keerthi et al.: W1, W2, alpha, tau alone, the coupled correction.
Case metrics(Dice& dice) {
  const Double d = Double::draw(dice);
  const auto weights = [&] {
    std::string text = text_of(dice.scaled(0.1, 10));
    for (int k = 0; k < 3; ++k) text += ":" + text_of(dice.scaled(0.1, 10));
    return dice.chance(0.4) ? text : dice.one_of({"mass", "identity"});
  };
  const bool tau_alone = dice.chance(0.4), fixed = !tau_alone && dice.chance(0.3);
  Plan plan = draw_steps(dice, fixed);
  if (!fixed && dice.chance(0.3)) plan.integrator = "abm";
  std::string options = "metric=" + weights();
  if (dice.chance(0.5)) options += ", velocity_metric=" + weights();
  if (dice.chance(0.5)) options += fmt::format(", alpha={}", text_of(dice.scaled(0.1, 10)));
  if (dice.chance(0.4)) options += ", correction=coupled";
  if (tau_alone) options += fmt::format(", p1={}", text_of(*plan.rtol));
  plan.method = fmt::format("perturbation({})", options);
  Case out = d.finished(plan);
  // P1 bounds the norm of an error, in which weights of 0.1 hide three times as much of one entry.
  if (tau_alone) out.least_share = 1e4 * *plan.rtol;
  return out;
}

/// A bead on a ring that is pushed by a share of its own reaction, along x: the multiplier stands in the force.
Case reaction(Dice& dice) {
  const double m = dice.between(0.3, 3), l = dice.between(0.5, 2), c = dice.between(-0.8, 0.8) * l;
  const double angle = dice.between(-2, 2), w = dice.between(-4, 4), until = dice.between(0.5, 4);
  const double d = dice.chance(0.5) ? 0 : dice.between(0.01, 0.3);
  const Real g = 9.81L;
  // λ from the balance along the rod: T (1 + c sin θ / 2l) = m l ω² + m g cos θ, T = −2 l λ.
  const auto lambda = [=](const State& y) {
    const Real tension = (m * l * y[1] * y[1] + m * g * std::cos(y[0])) / (1 + c * std::sin(y[0]) / (2 * Real(l)));
    return -tension / (2 * Real(l));
  };
  Motion motion;
  motion.start = {angle, w};
  motion.names = {"x", "y", "x'", "y'", "pull"};
  motion.rates = [=](Real, const State& y) -> State {
    const Real pull = lambda(y);
    // Beside it a drag by the square of the reaction, along the way.
    const Real drag = d * pull * pull * l * y[1];
    return {y[1], (-m * g * std::sin(y[0]) + c * pull * std::cos(y[0]) - drag) / (Real(m) * l)};
  };
  motion.figures = [=](Real, const State& y) -> State {
    const Real sine = l * std::sin(y[0]), cosine = l * std::cos(y[0]);
    return {sine, -cosine, cosine * y[1], sine * y[1], lambda(y)};
  };
  const State p = motion.figures(0, motion.start);
  Case out;
  out.model = fmt::format(
      "parameters: {{m: {}, l: {}, c: {}, d: {}}}\ncoordinates: {{x: [{}, {}], y: [{}, {}]}}\n"
      "kinetic_energy: m/2*(x'^2 + y'^2)\npotential_energy: 9.81*m*y\n"
      "forces: {{x: c*lambda(ring) - d*lambda(ring)^2*x', y: -d*lambda(ring)^2*y'}}\n"
      "constraints: {{ring: x^2 + y^2 = l^2}}\noutputs: {{pull: lambda(ring)}}\n",
      text_of(m), text_of(l), text_of(c), text_of(d), text_of(p[0]), text_of(p[2]), text_of(p[1]), text_of(p[3]));
  out.plan = draw_plan(dice, {.step = 0.001});
  out.until = until;
  out.expected = expected_of(motion, until);
  out.least_share = 1e-10;
  return out;
}

}  // namespace

std::vector<Family> paper_families() {
  return {{"papers-gains", "gradient feedback with gains of each constraint", gains},
          {"papers-energy", "energy control in parts", energy_parts},
          {"papers-metrics", "corrections in metrics of their own, tau alone, coupled", metrics},
          {"papers-reaction", "a force that depends on a multiplier", reaction}};
}

}  // namespace taut::hunt
