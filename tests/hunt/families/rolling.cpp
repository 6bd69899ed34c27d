// Velocity constraints: blades, sleighs, balls and disks that roll. Closed forms and reduced equations.
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/motion.hpp"

namespace taut::hunt {
namespace {

/// A blade at the centre of mass on a slope: turns evenly, slides along itself by g sin.
Case knife_edge(Dice& dice) {
  const double g = dice.between(0.5, 8), w = dice.between(0.3, 4) * dice.sign(), v = dice.between(-2, 2),
               a = dice.between(-3, 3);
  const double m = dice.between(0.3, 3), moment = dice.between(0.05, 1);
  Motion motion;
  motion.rates = [=](Real, const State& y) -> State {
    return {y[3] * std::cos(y[2]), y[3] * std::sin(y[2]), w, -g * std::sin(y[2])};
  };
  motion.start = {0, 0, a, v};
  motion.names = {"x", "y", "heading"};
  motion.figures = [](Real, const State& y) -> State { return {y[0], y[1], y[2]}; };
  Case out;
  const bool quasi = dice.chance(0.4);
  const std::string parameters =
      fmt::format("parameters: {{m: {}, J: {}, g: {}}}\n", text_of(m), text_of(moment), text_of(g));
  if (quasi)
    out.model =
        parameters +
        fmt::format(
            "coordinates: {{x: 0, y: 0, heading: {}}}\nspeeds: {{u: {}, s: 0, w: {}}}\n"
            "rates: {{x: u*cos(heading) - s*sin(heading), y: u*sin(heading) + s*cos(heading), heading: w}}\n"
            "mass_matrix:\n  - [m, 0, 0]\n  - [0, m, 0]\n  - [0, 0, J]\n"
            "forces: {{u: m*s*w - m*g*sin(heading), s: -m*u*w - m*g*cos(heading)}}\nconstraints: {{edge: s = 0}}\n",
            text_of(a), text_of(v), text_of(w));
  else
    out.model =
        parameters + fmt::format(
                         "coordinates:\n  x: [0, {}]\n  y: [0, {}]\n  heading: [{}, {}]\nkinetic_energy: m/2*(x'^2 + "
                         "y'^2) + J/2*heading'^2\n"
                         "potential_energy: m*g*y\nconstraints: {{edge: x'*sin(heading) = y'*cos(heading)}}\n",
                         text_of(v * std::cos(Real(a))), text_of(v * std::sin(Real(a))), text_of(a), text_of(w));
  out.plan = draw_plan(dice, {.step = 0.002, .energy_law = !quasi, .rates_are_speeds = !quasi});
  out.until = dice.between(0.5, 6);
  out.expected = expected_of(motion, out.until);
  return out;
}

/// Chaplygin's sleigh, the mass ahead of the blade by c: u' = c w², w' = −m c u w / (J + m c²).
Case sleigh(Dice& dice) {
  const double m = dice.between(0.3, 3), moment = dice.between(0.05, 1), c = dice.between(0.1, 0.6);
  const Real u = dice.between(0.5, 3) * dice.sign(), w = dice.between(0.5, 4) * dice.sign(), a = dice.between(-3, 3);
  Motion motion;
  motion.rates = [=](Real, const State& y) -> State {
    return {y[3] * std::cos(y[2]),
            y[3] * std::sin(y[2]),
            y[4],
            c * y[4] * y[4],
            -m * c * y[3] * y[4] / (moment + m * Real(c) * c),
            0};
  };
  motion.start = {0, 0, a, u, w, 1};
  motion.names = {"px", "py", "turn"};
  motion.figures = [](Real, const State& y) -> State { return {y[0], y[1], y[2]}; };
  const Real ca = std::cos(a), sa = std::sin(a);
  Case out;
  const bool bodies = dice.chance(0.5);
  if (bodies)
    out.model = fmt::format(
        "bodies:\n  s: {{mass: {0}, inertia: [{1}, {1}, {1}], position: [{2}, {3}, 0], velocity: [{4}, {5}, 0], "
        "angular_velocity: [0, 0, {6}], planar: true}}\njoints:\n"
        "  blade: {{type: knife-edge, bodies: [ground, s], at: [0, 0, 0], axis: [{7}, {8}, 0]}}\n"
        "outputs: {{px: \"point(s, [-{2}, -{3}, 0]).x\", py: \"point(s, [-{2}, -{3}, 0]).y\", turn: \"{9} + "
        "s.angle\"}}\n",
        text_of(m), text_of(moment), text_of(c * ca), text_of(c * sa), text_of(u * ca - c * sa * w),
        text_of(u * sa + c * ca * w), text_of(w), text_of(ca), text_of(sa), text_of(a));
  else
    out.model = fmt::format(
        "parameters: {{m: {}, J: {}, c: {}}}\ncoordinates:\n  x: [0, {}]\n  y: [0, {}]\n  a: [{}, {}]\n"
        "kinetic_energy: m/2*((x' - c*a'*sin(a))^2 + (y' + c*a'*cos(a))^2) + J/2*a'^2\n"
        "constraints: {{blade: x'*sin(a) = y'*cos(a)}}\noutputs: {{px: x, py: y, turn: a}}\n",
        text_of(m), text_of(moment), text_of(c), text_of(u * ca), text_of(u * sa), text_of(a), text_of(w));
  out.plan = draw_plan(dice, {.step = 0.002, .energy_law = true});
  out.until = dice.between(0.5, 5);
  out.expected = expected_of(motion, out.until);
  return out;
}

/// A ball on a slope rolls at 5/7 of g sin.
Case ball_on_slope(Dice& dice) {
  const double r = dice.between(0.05, 0.5), m = dice.between(0.2, 4), tilt = dice.between(0.05, 0.8);
  const Real gx = 9.81L * std::sin(Real(tilt)), gz = 9.81L * std::cos(Real(tilt));
  const double vx = dice.between(-2, 2), vy = dice.between(-2, 2), spin = dice.between(-5, 5);
  const double moment = 0.4 * m * r * r;
  Case out;
  out.until = dice.between(0.5, 4);
  out.model = fmt::format(
      "gravity: [{}, 0, -{}]\nbodies:\n  ball: {{mass: {}, inertia: [{}, {}, {}], position: [0, 0, {}], "
      "velocity: [{}, {}, 0], angular_velocity: [{}, {}, {}]}}\n"
      "joints:\n  roll: {{type: rolling-ball, bodies: [ground, ball], radius: {}, "
      "plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}\n",
      text_of(gx), text_of(gz), text_of(m), text_of(moment), text_of(moment), text_of(moment), text_of(r), text_of(vx),
      text_of(vy), text_of(-Real(vy) / r), text_of(Real(vx) / r), text_of(spin), text_of(r));
  const Real g = static_cast<double>(gx), share = m * Real(r) * r / (m * Real(r) * r + moment), t = out.until;
  out.plan = draw_plan(dice, {.step = 0.01, .energy_law = true, .rates_are_speeds = false});
  const Real size = 1 + (std::abs(vx) + std::abs(vy)) * t + g * t * t;
  out.expected = {{"ball.x", vx * t + share * g * t * t / 2, size}, {"ball.y", vy * t, size}, {"ball.z", r, size}};
  return out;
}

/// A ball on a turntable goes in a circle, at 2/7 of the table's rate.
Case ball_on_turntable(Dice& dice) {
  const double r = dice.between(0.05, 0.3), table = dice.between(0.5, 5), x0 = dice.between(0.2, 1),
               vx = dice.between(-1, 1);
  const double moment = 0.4 * r * r, vy = dice.between(-1, 1);
  // No slip at the bottom: v + ω × (−r e_z) = table velocity there: vx − r ω_y = 0, vy + r ω_x = W x0.
  Case out;
  out.until = dice.between(0.5, 6);
  out.model = fmt::format(
      "gravity: [0, 0, -9.81]\nbodies:\n  ball: {{mass: 1, inertia: [{0}, {0}, {0}], position: [{1}, 0, {2}], "
      "velocity: [{3}, {4}, 0], angular_velocity: [{5}, {6}, 0]}}\n"
      "joints:\n  roll: {{type: rolling-ball, bodies: [ground, ball], radius: {2}, plane: {{point: [0, 0, 0], "
      "normal: [0, 0, 1], velocity: [\"-{7}*ball.y\", \"{7}*ball.x\", 0]}}}}\n",
      text_of(moment), text_of(x0), text_of(r), text_of(vx), text_of(vy), text_of((Real(table) * x0 - vy) / r),
      text_of(Real(vx) / r), text_of(table));
  const Real j = moment / (moment + Real(r) * r), w = j * table, t = out.until, c = std::cos(w * t),
             s = std::sin(w * t);
  out.plan = draw_plan(dice, {.step = 0.01, .rates_are_speeds = false});
  const Real size = (1 + std::abs(vx) / w + std::abs(vy) / w) * (1 + w * t);
  out.expected = {{"ball.x", x0 + (vx * s - vy * (1 - c)) / w, size}, {"ball.y", (vy * s + vx * (1 - c)) / w, size}};
  return out;
}

/// An upright disk rolls in a circle: rolling and turning evenly.
Case upright_disk(Dice& dice) {
  const double r = dice.between(0.1, 0.6), roll = dice.between(0.5, 6), turn = dice.between(0.2, 3) * dice.sign();
  const double m = dice.between(0.3, 3);
  Case out;
  out.until = dice.between(0.5, 6);
  // The plane's own equations, upright by construction: x, y, heading, roll.
  out.model = fmt::format(
      "parameters: {{r: {}, m: {}}}\ncoordinates:\n  x: [0, {}]\n  y: [0, 0]\n  h: [0, {}]\n  p: [0, {}]\n"
      "kinetic_energy: m/2*(x'^2 + y'^2) + m*r^2/8*h'^2 + m*r^2/4*p'^2\n"
      "constraints:\n  along: x' = r*p'*cos(h)\n  across: y' = r*p'*sin(h)\n",
      text_of(r), text_of(m), text_of(Real(r) * roll), text_of(turn), text_of(roll));
  out.plan = draw_plan(dice, {.step = 0.01, .energy_law = true});
  const Real radius = Real(r) * roll / turn, a = Real(turn) * out.until,
             size = (1 + std::abs(radius)) * (1 + std::abs(a));
  out.expected = {{"x", radius * std::sin(a), size},
                  {"y", radius * (1 - std::cos(a)), size},
                  {"h", a, size},
                  {"p", Real(roll) * out.until, size}};
  return out;
}

/// Constant speed under gravity, a constraint that is not linear: the force is square to the gradient 2 v.
Case constant_speed(Dice& dice) {
  const double v = dice.between(0.5, 4), g = dice.between(0.5, 10);
  Motion motion;
  motion.rates = [=](Real, const State& y) -> State {
    return {v * std::cos(y[2]), v * std::sin(y[2]), -g / v * std::cos(y[2]), 0};
  };
  const Real a = dice.between(-1.3, 3);
  motion.start = {0, 0, a, 0};
  motion.names = {"x", "y", "x'", "y'"};
  motion.figures = [=](Real, const State& y) -> State { return {y[0], y[1], v * std::cos(y[2]), v * std::sin(y[2])}; };
  Case out;
  out.model = fmt::format(
      "coordinates:\n  x: [0, {}]\n  y: [0, {}]\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: {}*y\n"
      "constraints: {{pace: x'^2 + y'^2 = {}^2}}\n",
      text_of(v * std::cos(a)), text_of(v * std::sin(a)), text_of(g), text_of(v));
  out.plan = draw_plan(dice, {.step = 0.002});
  out.until = dice.between(0.3, 2);
  out.expected = expected_of(motion, out.until);
  return out;
}

}  // namespace

std::vector<Family> rolling_families() {
  return {{"rolling-knife-edge", "a blade on a slope, also in quasi-velocities", knife_edge},
          {"rolling-sleigh", "Chaplygin's sleigh, as equations and as a body", sleigh},
          {"rolling-ball", "a ball on a slope", ball_on_slope},
          {"rolling-turntable", "a ball on a turntable", ball_on_turntable},
          {"rolling-disk", "an upright disk in a circle", upright_disk},
          {"rolling-pace", "constant speed, a constraint that is not linear", constant_speed}};
}

}  // namespace taut::hunt
