// A driven joint and a free link on it: the free angle's own equation is the truth.
#include <cmath>

#include "hunt/dual.hpp"
#include "hunt/families.hpp"
#include "hunt/lagrange.hpp"
#include "hunt/motion.hpp"

namespace taut::hunt {
namespace {

/// a(t) with its first two derivatives.
struct Course {
  Real a, da, dda;
};
struct Drive {
  std::string words;
  std::function<Course(Real)> course;
  State breaks = {};
};

/// The derivatives by dual numbers of a generic function of time.
template <class Function>
std::function<Course(Real)> differentiated(Function f) {
  return [f](Real t) -> Course {
    const auto y = f(Dual<Dual<Real>>(Dual<Real>(t, 1), Dual<Real>(1, 0)));
    return {y.value.value, y.value.slope, y.slope.slope};
  };
}

Drive tanh_drive(Dice& dice, double until) {
  const double size = dice.between(0.1, 1) * dice.sign(), pace = dice.scaled(2, 150),
               at = until * dice.between(0.3, 0.7);
  return {fmt::format("{}*(1 + tanh({}*(t - {})))", text_of(size), text_of(pace), text_of(at)),
          differentiated([=](const auto& t) { return 2 * size / (1 + exp(-2 * pace * (t - at))); })};
}

Drive sine_drive(Dice& dice, double) {
  const double size = dice.between(0.1, 1), w = dice.between(0.5, 8);
  return {fmt::format("{}*(1 - cos({}*t))", text_of(size), text_of(w)),
          differentiated([=](const auto& t) { return size * (1 - cos(w * t)); })};
}

/// u³ (10 − 15 u + 6 u²) of u = min(1, max(0, (t − at)/length)): at rest with its first two derivatives at both ends.
Drive smoothstep_drive(Dice& dice, double until) {
  const double size = dice.between(0.2, 1.5) * dice.sign(), at = until * dice.between(0.1, 0.6),
               length = dice.scaled(0.05, 2);
  const auto course = [=](Real t) -> Course {
    const Real u = std::clamp<Real>((t - at) / length, 0, 1);
    return {size * u * u * u * (10 - 15 * u + 6 * u * u), size * 30 * u * u * (1 - u) * (1 - u) / length,
            size * 60 * u * (1 - u) * (1 - 2 * u) / (Real(length) * length)};
  };
  const std::string u = fmt::format("min(1, max(0, (t - {})/{}))", text_of(at), text_of(length));
  return {
      fmt::format("{0}*({1})^3*(10 - 15*({1}) + 6*({1})^2)", text_of(size), u), course, {Real(at), Real(at) + length}};
}

/// A rate that ramps up, stays and ramps down: parabolas and a line, kinks in the acceleration.
Drive ramp_drive(Dice& dice, double until) {
  const double rate = dice.between(0.3, 2) * dice.sign(), at = until * dice.between(0.05, 0.5),
               length = dice.between(0.1, 1);
  const auto course = [=](Real t) -> Course {
    const Real u = std::max<Real>(0, t - at), w = std::max<Real>(0, t - at - length);
    return {rate / (2 * length) * (u * u - w * w), rate / length * (u - w),
            rate / length * ((u > 0 ? 1 : 0) - (w > 0 ? 1 : 0))};
  };
  return {fmt::format("{}*(max(0, t - {})^2 - max(0, t - {} - {})^2)", text_of(Real(rate) / (2 * length)), text_of(at),
                      text_of(at), text_of(length)),
          course,
          {Real(at), Real(at) + length}};
}

/// exp(−1/…) would be flat to all orders; a sine to the fourth power is flat enough to look like rest.
Drive late_drive(Dice& dice, double until) {
  const double size = dice.between(0.2, 1) * dice.sign(), width = dice.scaled(0.05, 0.5),
               at = until * dice.between(0.3, 0.7);
  return {fmt::format("{}*exp(-((t - {})/{})^2)", text_of(size), text_of(at), text_of(width)),
          differentiated([=](const auto& t) {
            const auto u = (t - at) / width;
            return size * exp(-(u * u));
          })};
}

/// The rate of these three jumps. The corner comes after a rest, …
Drive corner_drive(Dice& dice, double until) {
  const double rate = dice.between(0.2, 2) * dice.sign(), at = until * dice.between(0.1, 0.9);
  return {fmt::format("{}*max(0, t - {})", text_of(rate), text_of(at)),
          [=](Real t) -> Course {
            return {rate * std::max<Real>(0, t - at), t > at ? rate : Real(0), 0};
          },
          {Real(at)}};
}

/// … or amid a sine, …
Drive bounce_drive(Dice& dice, double until) {
  const double size = dice.between(0.2, 1), w = dice.between(1, 4), phase = dice.between(0.3, 2.8);
  const auto course = [=](Real t) -> Course {
    const Real u = w * t + phase, side = std::sin(u) > 0 ? 1 : -1;
    return {size * std::abs(std::sin(u)), size * w * std::cos(u) * side, -size * w * Real(w) * std::abs(std::sin(u))};
  };
  State breaks;
  for (int k = 1; (k * pi - phase) / w < until; ++k) breaks.push_back((k * pi - phase) / w);
  return {fmt::format("{}*abs(sin({}*t + {}))", text_of(size), text_of(w), text_of(phase)), course, breaks};
}

/// … or between two stretches of even speed.
Drive kinked_drive(Dice& dice, double until) {
  const double slow = dice.between(-1, 1), more = dice.between(0.2, 1.5) * dice.sign(),
               at = until * dice.between(0.1, 0.9);
  return {fmt::format("{}*t + {}*(abs(t - {}) - {})", text_of(slow), text_of(more), text_of(at), text_of(at)),
          [=](Real t) -> Course {
            return {slow * t + more * (std::abs(t - at) - at), slow + (t > at ? more : -more), 0};
          },
          {Real(at)}};
}

/// The crank J a'²/2 carries a link of mass m on a hinge at 1: T as in a double pendulum, gravity on the link's centre.
struct DrivenArm {
  double moment, mass, centre, inertia, gravity, damping;

  Real free_acceleration(const Course& a, Real b, Real db) const {
    // d/dt of ∂L/∂b' with L's angle of the link a + b.
    const Real own = mass * Real(centre) * centre + inertia, cross = mass * Real(centre);
    const Real right = -(own + cross * std::cos(b)) * a.dda - cross * std::sin(b) * a.da * a.da -
                       gravity * cross * std::cos(a.a + b) - damping * db;
    return right / own;
  }
  /// What a jump of a' makes of b': the drive's impulse acts on a alone, and ∂L/∂b' stays.
  Real jump_of_rate(Real jump, Real b) const {
    const Real own = mass * Real(centre) * centre + inertia, cross = mass * Real(centre);
    return -(own + cross * std::cos(b)) / own * jump;
  }
  std::string equations(const std::string& drive, Real b, Real db, const Course& a) const {
    return fmt::format(
        "parameters: {{J: {}, m: {}, c: {}, I: {}, g: {}, k: {}}}\ncoordinates: {{a: [{}, {}], b: [{}, {}]}}\n"
        "kinetic_energy: J/2*a'^2 + m/2*(a'^2 + c^2*(a' + b')^2 + 2*c*a'*(a' + b')*cos(b)) + I/2*(a' + b')^2\n"
        "potential_energy: m*g*(sin(a) + c*sin(a + b))\nforces: {{b: -k*b'}}\nconstraints: {{drive: \"a = {}\"}}\n",
        text_of(moment), text_of(mass), text_of(centre), text_of(inertia), text_of(gravity), text_of(damping),
        text_of(a.a), text_of(a.da), text_of(b), text_of(db), drive);
  }
};

Real fastest(const Drive& drive, double until) {
  Real rate = 0;
  for (int k = 0; k <= 2000; ++k) rate = std::max(rate, std::abs(drive.course(Real(until) * k / 2000).da));
  return rate;
}

Case driven(Dice& dice, Drive (*draw)(Dice&, double)) {
  const double until = dice.between(2, 10);
  const Drive drive = draw(dice, until);
  DrivenArm arm{dice.between(0.1, 1), dice.between(0.3, 2), dice.between(0.2, 0.8), dice.between(0.02, 0.2), 0, 0};
  if (dice.chance(0.3)) arm.gravity = dice.between(1, 10);
  if (dice.chance(0.3)) arm.damping = dice.between(0.01, 0.3);
  Motion motion;
  motion.rates = [=](Real t, const State& y) -> State {
    return {y[1], arm.free_acceleration(drive.course(t), y[0], y[1])};
  };
  motion.start = {dice.between(-1, 1), dice.chance(0.5) ? 0 : dice.between(-3, 3)};
  motion.breaks = drive.breaks;
  motion.jump = [=](Real t, State& y) {
    const Real beside = 1e-15L * t;
    y[1] += arm.jump_of_rate(drive.course(t + beside).da - drive.course(t - beside).da, y[0]);
  };
  motion.names = {"a", "b", "a'", "b'"};
  motion.figures = [=](Real t, const State& y) -> State {
    const Course a = drive.course(t);
    return {a.a, y[0], a.da, y[1]};
  };
  Case out;
  out.model = arm.equations(drive.words, motion.start[0], motion.start[1], drive.course(0));
  out.plan = draw_plan(dice, {.energy_law = true});
  out.until = until;
  out.expected = expected_of(motion, until);
  // A step errs relative to the speeds that there are then, and the drive makes them larger than the start tells.
  for (Expected& expected : out.expected) expected.sensitivity += 1 + fastest(drive, until);
  return out;
}

Case by_tanh(Dice& dice) { return driven(dice, tanh_drive); }
Case by_sine(Dice& dice) { return driven(dice, sine_drive); }
Case by_smoothstep(Dice& dice) { return driven(dice, smoothstep_drive); }
Case by_ramp(Dice& dice) { return driven(dice, ramp_drive); }
Case by_bell(Dice& dice) { return driven(dice, late_drive); }
Case by_corner(Dice& dice) { return driven(dice, corner_drive); }
Case by_bounces(Dice& dice) { return driven(dice, bounce_drive); }
Case by_kink(Dice& dice) { return driven(dice, kinked_drive); }

}  // namespace

std::vector<Family> drive_families() {
  return {{"drive-tanh", "at rest, then a quick turn by tanh", by_tanh},
          {"drive-sine", "to and fro", by_sine},
          {"drive-smoothstep", "a polynomial step by min and max", by_smoothstep},
          {"drive-ramp", "a rate that ramps, by max", by_ramp},
          {"drive-bell", "there and back in a short time", by_bell},
          {"drive-corner", "at rest, then at once at full speed", by_corner},
          {"drive-bounce", "speeds that turn round at once, again and again", by_bounces},
          {"drive-kink", "one speed, then at once another", by_kink}};
}

}  // namespace taut::hunt
