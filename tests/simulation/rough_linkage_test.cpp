#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "taut/simulation.hpp"

/// Frictions whose reactions depend on the motion that they brake, and on each other.
namespace taut {
namespace {

double value(const std::vector<NamedValue>& list, const std::string& name) {
  return std::ranges::find(list, name, &NamedValue::name)->value;
}

Summary summary_of(const std::string& text, double until, const std::string& integrator, double rtol) {
  return simulate(read_model(text, "rough.yaml"),
                  {.until = until, .rtol = rtol, .integrator = integrator, .record = false})
      .summary;
}

std::vector<double> sliding_times(const Summary& summary) {
  std::vector<double> times;
  for (const auto& event : summary.events)
    if (event.kind == "sliding") times.push_back(event.t);
  return times;
}

class RoughBy : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Integrators, RoughBy, testing::Values("dop853", "dopri5", "cvode-bdf"));

// ---- a tip that sticks ------------------------------------------------------------------------------

/// A rod of length 2 on a rough floor falls about its tip, which does not slip, and is a pendulum then: its angle
/// follows from 4/3 θ'' = −g cos θ.
TEST_P(RoughBy, FloorHoldsTheTipOfARodThatFalls) {
  const std::string rod =
      "coordinates: {x: [0.5, 0], y: [sin(1.2), 0], th: [1.2, 0]}\n"
      "kinetic_energy: (x'^2 + y'^2)/2 + th'^2/6\npotential_energy: 9.81*y\n"
      "constraints: {tip: {equation: y - sin(th) = 0, friction: {coefficient: 0.7, along: x - cos(th)}}}\n"
      "outputs: {tip_x: x - cos(th)}\n";
  const std::string pendulum =
      "coordinates: {th: [1.2, 0]}\nkinetic_energy: 4/3*th'^2/2\npotential_energy: 9.81*sin(th)\n";
  const Summary fallen = summary_of(rod, 0.5, GetParam(), 1e-9);
  const Summary turned = summary_of(pendulum, 0.5, "dop853", 1e-12);
  EXPECT_NEAR(value(fallen.final_coordinates, "th"), value(turned.final_coordinates, "th"), 1e-7);
  EXPECT_NEAR(value(fallen.final_outputs, "tip_x"), 0.5 - std::cos(1.2), 1e-8);
  EXPECT_LT(fallen.steps, 1000);
}

// ---- more frictions than freedoms -------------------------------------------------------------------

/// A block in a groove of two walls that press with 9.81 and 4: neither wall lets go before both are at their bounds,
/// whatever each of them bears until then. 2 t = 0.3·9.81 + 0.2·4.
TEST_P(RoughBy, TwoWallsLetGoTogether) {
  const std::string groove =
      "coordinates: {x: 0, y: 0, z: 0}\nkinetic_energy: (x'^2 + y'^2 + z'^2)/2\npotential_energy: 9.81*y\n"
      "forces: {x: 2*t, z: 4}\n"
      "constraints:\n"
      "  floor: {equation: y = 0, friction: {coefficient: 0.3, along: x}}\n"
      "  wall: {equation: z = 0, friction: {coefficient: 0.2, along: x}}\n";
  const double held = 0.3 * 9.81 + 0.2 * 4, start = held / 2, end = 3;
  const Summary summary = summary_of(groove, end, GetParam(), 1e-9);
  EXPECT_NEAR(value(summary.final_coordinates, "x"), std::pow(end - start, 3) / 3, 1e-7);
  const auto times = sliding_times(summary);
  ASSERT_FALSE(times.empty());
  EXPECT_NEAR(times.back(), start, 1e-6);
}

// ---- a four-bar with rough pins ---------------------------------------------------------------------

/// Rods of lengths 1, 2.2 and 1.8 between pins at (0, 0) and (2, 0), each with mass 1 per metre and its inertia about
/// the middle, from Newton's and Euler's laws of each rod: unknown are the forces of four pins and the crank's
/// acceleration. The torque of a pin's friction depends on its force, which is found by iteration; the crank turns
/// forwards, or is just about to stop.
class FourBar {
 public:
  static constexpr double a = 1, b = 2.2, c = 1.8, d = 2, g = 9.81, torque_per_force = 0.2 * 0.05;

  /// Angles of crank, coupler and rocker.
  static std::array<double, 3> angles(double crank) {
    const double x = d - a * std::cos(crank), y = -a * std::sin(crank), far = std::hypot(x, y);
    const double coupler = std::atan2(y, x) + std::acos((far * far + b * b - c * c) / (2 * b * far));
    const double cx = a * std::cos(crank) + b * std::cos(coupler) - d, cy = a * std::sin(crank) + b * std::sin(coupler);
    return {crank, coupler, std::atan2(cy, cx)};
  }
  /// Rates of all three where the crank's is w.
  static std::array<double, 3> rates(const std::array<double, 3>& angle, double w) {
    const auto [p, q, r] = angle;
    return {w, a * w * std::sin(r - p) / (b * std::sin(q - r)), a * w * std::sin(q - p) / (c * std::sin(q - r))};
  }
  static double acceleration(double crank, double w);
};

double FourBar::acceleration(double crank, double w) {
  const auto angle = angles(crank), rate = rates(angle, w), forwards = rates(angle, 1);
  const std::array<double, 3> length{a, b, c};
  const auto along = [&](int i) { return Eigen::Vector2d(std::cos(angle[i]), std::sin(angle[i])); };
  const auto across = [&](int i) { return Eigen::Vector2d(-std::sin(angle[i]), std::cos(angle[i])); };
  const auto cross = [](const Eigen::Vector2d& u, const Eigen::Vector2d& v) { return u.x() * v.y() - u.y() * v.x(); };
  // Unknown: forces on the crank at A, on the coupler at B, on the rocker at C and at D, and three accelerations.
  std::array<double, 4> press{};
  double found = 0;
  for (int round = 0; round < 200; ++round) {
    Eigen::Matrix<double, 11, 11> M = Eigen::Matrix<double, 11, 11>::Zero();
    Eigen::Matrix<double, 11, 1> rhs = Eigen::Matrix<double, 11, 1>::Zero();
    const std::array<double, 4> turning{forwards[0], forwards[1] - forwards[0], forwards[2] - forwards[1], forwards[2]};
    std::array<double, 4> brake{};  // on the later body of each pin
    for (int k = 0; k < 4; ++k) brake[k] = -torque_per_force * press[k] * (turning[k] > 0 ? 1 : -1);
    const std::array<double, 3> torque{brake[0] - brake[1], brake[1] - brake[2], brake[2] + brake[3]};
    // The start of each rod: A, B, and D for the rocker. How fast it and the middle are accelerated, linear in α.
    for (int i = 0; i < 3; ++i) {
      const double m = length[i];
      Eigen::Vector2d constant = -0.5 * length[i] * rate[i] * rate[i] * along(i);
      if (i == 1) constant -= a * rate[0] * rate[0] * along(0);
      M.block<2, 1>(2 * i, 8 + i) = m * 0.5 * length[i] * across(i);
      if (i == 1) M.block<2, 1>(2 * i, 8) = m * a * across(0);
      rhs.segment<2>(2 * i) = -m * constant - Eigen::Vector2d(0, m * g);
      M(6 + i, 8 + i) = m * length[i] * length[i] / 12;
      rhs[6 + i] = torque[i];
    }
    const auto force = [&](int pin, int rod, double sign, double place) {  // at the start (−1) or end (1) of a rod
      M.block<2, 2>(2 * rod, 2 * pin) -= sign * Eigen::Matrix2d::Identity();
      const Eigen::Vector2d arm = 0.5 * place * length[rod] * along(rod);
      M(6 + rod, 2 * pin) -= sign * cross(arm, {1, 0});
      M(6 + rod, 2 * pin + 1) -= sign * cross(arm, {0, 1});
    };
    force(0, 0, 1, -1), force(1, 0, -1, 1), force(1, 1, 1, -1), force(2, 1, -1, 1), force(2, 2, 1, 1),
        force(3, 2, 1, -1);
    // The loop: what the end of the coupler is accelerated by is what the end of the rocker is.
    M.block<2, 1>(9, 8) = a * across(0);
    M.block<2, 1>(9, 9) = b * across(1);
    M.block<2, 1>(9, 10) = -c * across(2);
    rhs.segment<2>(9) =
        a * rate[0] * rate[0] * along(0) + b * rate[1] * rate[1] * along(1) - c * rate[2] * rate[2] * along(2);
    const Eigen::Matrix<double, 11, 1> x = M.fullPivLu().solve(rhs);
    for (int k = 0; k < 4; ++k) press[k] = x.segment<2>(2 * k).norm();
    const double before = std::exchange(found, x[8]);
    if (std::abs(found - before) < 1e-15 * std::abs(found)) break;
  }
  return found;
}

std::string four_bar(double crank, double w) {
  const auto angle = FourBar::angles(crank), rate = FourBar::rates(angle, w);
  const auto rod = [&](const char* name, double x, double y, int i, double l, double vx, double vy) {
    const double s = std::sin(angle[i]), c = std::cos(angle[i]);
    const auto text = [](double number) {
      char digits[32];
      std::snprintf(digits, sizeof digits, "%.17g", number);
      return std::string(digits);
    };
    return std::string("  ") + name + ": {mass: " + text(l) + ", inertia: [1, 1, " + text(l * l * l / 12) +
           "], planar: true, position: [" + text(x + l / 2 * c) + ", " + text(y + l / 2 * s) + ", 0], velocity: [" +
           text(vx - l / 2 * rate[i] * s) + ", " + text(vy + l / 2 * rate[i] * c) + ", 0], angular_velocity: [0, 0, " +
           text(rate[i]) + "]}\n";
  };
  const auto pin = [&](const char* name, const char* bodies, double x, double y) {
    char line[300];
    std::snprintf(line, sizeof line,
                  "  %s: {type: revolute, bodies: [%s], at: [%.17g, %.17g, 0], axis: [0, 0, 1], friction: "
                  "{coefficient: 0.2, radius: 0.05}}\n",
                  name, bodies, x, y);
    return std::string(line);
  };
  const double bx = std::cos(crank), by = std::sin(crank), cx = 2 + 1.8 * std::cos(angle[2]),
               cy = 1.8 * std::sin(angle[2]);
  return "gravity: [0, -9.81, 0]\nbodies:\n" + rod("crank", 0, 0, 0, 1, 0, 0) +
         rod("coupler", bx, by, 1, 2.2, -w * by, w * bx) + rod("rocker", 2, 0, 2, 1.8, 0, 0) + "joints:\n" +
         pin("A", "ground, crank", 0, 0) + pin("B", "crank, coupler", bx, by) + pin("C", "coupler, rocker", cx, cy) +
         pin("D", "ground, rocker", 2, 0) + "outputs: {turned: A.angle, spin: crank.omega_z}\n";
}

/// The crank's angle and rate by the classical Runge–Kutta formula.
std::array<double, 2> swing(double crank, double w, double until, int steps) {
  const double h = until / steps;
  for (int k = 0; k < steps; ++k) {
    const double a1 = FourBar::acceleration(crank, w), w2 = w + h / 2 * a1;
    const double a2 = FourBar::acceleration(crank + h / 2 * w, w2), w3 = w + h / 2 * a2;
    const double a3 = FourBar::acceleration(crank + h / 2 * w2, w3), w4 = w + h * a3;
    const double a4 = FourBar::acceleration(crank + h * w3, w4);
    crank += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
    w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return {crank, w};
}

TEST_P(RoughBy, PinsOfAFourBarBrakeIt) {
  const double crank = 1.2, w = 2, until = 0.25;
  const auto coarse = swing(crank, w, until, 200), fine = swing(crank, w, until, 400);
  ASSERT_NEAR(coarse[0], fine[0], 1e-10) << "the reference itself";
  const Summary summary = summary_of(four_bar(crank, w), until, GetParam(), 1e-10);
  EXPECT_EQ(summary.outcome, Outcome::done);
  EXPECT_NEAR(value(summary.final_outputs, "turned"), fine[0] - crank, 1e-8);
  EXPECT_NEAR(value(summary.final_outputs, "spin"), fine[1], 1e-8);
}

/// Where its speed becomes zero it turns round, or stays. No pin is turned round before that.
TEST_P(RoughBy, PinsOfAFourBarBrakeItDownToStandstill) {
  const auto time_to_stop = [](double step) {
    std::array<double, 2> state{1.2, 0.8}, next = state;
    int steps = 0;
    for (; next[1] > 0; ++steps) {
      state = next;
      next = swing(state[0], state[1], step, 1);
    }
    double shortest = 0, longest = step;
    for (int k = 0; k < 50; ++k) {
      const double middle = (shortest + longest) / 2;
      (swing(state[0], state[1], middle, 1)[1] > 0 ? shortest : longest) = middle;
    }
    return (steps - 1) * step + shortest;
  };
  const double t = time_to_stop(1.0 / 1000);
  ASSERT_NEAR(t, time_to_stop(1.0 / 500), 1e-9) << "the reference itself";
  const Summary summary = summary_of(four_bar(1.2, 0.8), t, GetParam(), 1e-10);
  EXPECT_NEAR(value(summary.final_outputs, "spin"), 0, 1e-8);
}

}  // namespace
}  // namespace taut
