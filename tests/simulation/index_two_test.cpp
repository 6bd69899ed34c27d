#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "taut/simulation.hpp"

namespace taut {
namespace {

Summary run_by_index_two(const std::string& text, double until, double rtol) {
  const Model model = read_model(text, "model.yaml");
  Options options = options_of(model);
  options.method = Choice("stabilized-index-2");
  options.until = until;
  options.rtol = rtol;
  options.record = false;
  options.native = Native::off;
  return simulate(model, options).summary;
}

double final_coordinate(const Summary& summary, const std::string& name) {
  for (const NamedValue& value : summary.final_coordinates)
    if (value.name == name) return value.value;
  return std::nan("");
}

/// x'' = −x from (0, 1) meets a stop of stiffness k at 1 − gap, just before it turns. In the stop it swings about
/// another centre at another rate, and leaves as fast as it came.
TEST(StabilizedIndexTwo, FeelsAStopThatItOnlyJustReaches) {
  constexpr double k = 1e5, until = 2.8, rtol = 1e-8;
  for (const double gap : {1e-5, 5e-5, 1e-3}) {
    const double stop = 1 - gap, rate = std::sqrt(1 + k), centre = k * stop / (1 + k);
    const double enters = std::asin(stop), v = std::cos(enters);
    const double phase = until - enters - 2 * std::atan2(v / rate, stop - centre) / rate;
    const Summary summary = run_by_index_two(fmt::format("coordinates: {{x: [0, 1]}}\nkinetic_energy: x'^2/2\n"
                                                         "potential_energy: x^2/2 + {}/2*max(0, x - {:.17g})^2\n",
                                                         k, stop),
                                             until, rtol);
    EXPECT_EQ(summary.verdict, Verdict::done) << gap;
    // An error e of the speed changes the time of contact by e/√gap; some hundred steps add up.
    EXPECT_NEAR(final_coordinate(summary, "x"), stop * std::cos(phase) - v * std::sin(phase),
                1e3 * rtol * (1 + 1 / std::sqrt(gap)))
        << gap;
  }
}

TEST(StabilizedIndexTwo, ComesToRestWhereDryFrictionStopsIt) {
  const Summary summary =
      run_by_index_two("coordinates: {x: [0, 1]}\nkinetic_energy: x'^2/2\nforces: {x: \"-0.7*sign(x')\"}\n", 3, 1e-8);
  EXPECT_EQ(summary.verdict, Verdict::done);
  EXPECT_NEAR(final_coordinate(summary, "x"), 1 / 1.4, 1e-6);
}

/// A particle comes along the x axis of x y = offset and has to leave along y: as fast as it came, since nothing does
/// work, so that x + y is the way back to 1 but for what the corner saves.
TEST(StabilizedIndexTwo, TurnsAtABendOrSaysThatItCannotTell) {
  for (int power = 4; power <= 14; power += 2) {
    const double offset = std::pow(10.0, -power);
    const Summary summary =
        run_by_index_two(fmt::format("coordinates: {{x: [1, -1], y: [{0}, {0}]}}\nkinetic_energy: (x'^2 + y'^2)/2\n"
                                     "constraints: {{c: x*y = {0}}}\n",
                                     offset),
                         2, 1e-8);
    if (!is_trusted(summary.verdict)) continue;
    EXPECT_NEAR(final_coordinate(summary, "y"), 1, 4 * std::sqrt(offset) + 1e-4) << offset;
  }
}

/// The constraints of a slider-crank with rod = crank (1 + 2e-13) miss the upright position by far less than steps at
/// 1e-8 keep them.
TEST(StabilizedIndexTwo, DoesNotTrustABendThatItsOwnErrorMade) {
  constexpr double a = -0.5, r = 1, w = -2;
  const double rod = r * (1 + 2e-13), b = std::asin(-r * std::sin(a) / rod);
  const double rate = -r * std::cos(a) * w / (rod * std::cos(b));
  const double x = r * std::cos(a), y = r * std::sin(a), end = x + rod * std::cos(b);
  const double vx = -y * w, vy = x * w, slide = vx - rod * std::sin(b) * rate;
  const std::string text = fmt::format(
      "bodies:\n"
      "  crank: {{mass: 1, inertia: [0.001, 0.08, 0.08], position: [{0:.17g}, {1:.17g}, 0], orientation: {{axis: [0, "
      "0, "
      "1], angle: {2:.17g}}}, velocity: [{3:.17g}, {4:.17g}, 0], angular_velocity: [0, 0, {5:.17g}]}}\n"
      "  rod: {{mass: 1, inertia: [0.001, 0.08, 0.08], position: [{6:.17g}, {1:.17g}, 0], orientation: {{axis: [0, 0, "
      "1], "
      "angle: {7:.17g}}}, velocity: [{8:.17g}, {4:.17g}, 0], angular_velocity: [0, 0, {9:.17g}]}}\n"
      "  slider: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: [{10:.17g}, 0, 0], velocity: [{11:.17g}, 0, 0]}}\n"
      "joints:\n"
      "  pivot: {{type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
      "  elbow: {{type: revolute, bodies: [crank, rod], at: [{12:.17g}, {13:.17g}, 0], axis: [0, 0, 1]}}\n"
      "  wrist: {{type: revolute, bodies: [rod, slider], at: [{10:.17g}, 0, 0], axis: [0, 0, 1]}}\n"
      "  rail: {{type: prismatic, bodies: [ground, slider], at: [{10:.17g}, 0, 0], axis: [1, 0, 0]}}\n",
      x / 2, y / 2, a, vx / 2, vy / 2, w, (x + end) / 2, b, (vx + slide) / 2, rate, end, slide, x, y);
  const Summary summary = run_by_index_two(text, 1, 1e-8);
  EXPECT_FALSE(is_trusted(summary.verdict)) << summary.verdict_reason;
}

}  // namespace
}  // namespace taut
