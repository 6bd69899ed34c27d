#include "output/stroboscope.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "taut/error.hpp"

namespace taut {
namespace {

Model sliding(const std::string& drawing) {
  return read_model("coordinates: {x: [0, 0]}\nkinetic_energy: x'^2/2\ndraw:\n" + drawing, "test.yaml");
}

/// x = t³ at uneven times; a cubic is met exactly between rows.
Trajectory cubic_motion() {
  Trajectory trajectory{{"t", "x", "x'"}, {}};
  for (const double t : {0.0, 0.1, 0.7, 1.0, 2.0}) trajectory.rows.push_back({t, t * t * t, 3 * t * t});
  return trajectory;
}

TEST(Stroboscope, FlashesAtEqualIntervalsWhateverTheRows) {
  const auto curves = stroboscope(sliding("  - {point: [x, 0]}\n"), {}, cubic_motion(), {.count = 5});
  ASSERT_EQ(curves.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(curves[k].x[0], std::pow(0.5 * static_cast<double>(k), 3), 1e-14);
  EXPECT_LT(curves[0].faint, curves[4].faint);
}

TEST(Stroboscope, KeepsToItsWindow) {
  Flashes flashes;
  flashes.from = 0.5;
  flashes.to = 1.5;
  flashes.every = 0.25;
  flashes.fade = false;
  const Model model = sliding("  - {point: [x, 0]}\n");
  const auto curves = stroboscope(model, {}, cubic_motion(), flashes);
  ASSERT_EQ(curves.size(), 5u);
  EXPECT_NEAR(curves.front().x[0], 0.125, 1e-14);
  EXPECT_NEAR(curves.back().x[0], 3.375, 1e-14);
  EXPECT_EQ(curves.front().faint, curves.back().faint);
  flashes.from = 3;
  flashes.to = 4;
  EXPECT_THROW(stroboscope(model, {}, cubic_motion(), flashes), InputError);
}

TEST(Stroboscope, DrawsOnceWhatStandsStill) {
  const auto curves = stroboscope(sliding("  - {line: [[0, 0], [5, 0]], color: gray}\n  - {point: [x, 1]}\n"), {},
                                  cubic_motion(), {.count = 4});
  ASSERT_EQ(curves.size(), 5u);
  EXPECT_EQ(curves[0].paint, "gray");
  EXPECT_EQ(curves[0].faint, 1);
}

TEST(Stroboscope, SeesSpaceFromWhereItIsTold) {
  const Model model = sliding("  - {line: [[1, 2, 3], [0, 0, 0]]}\n");
  const auto seen = [&](const View& view) {
    const Curve curve = stroboscope(model, {}, cubic_motion(), {.count = 1, .view = view}).at(0);
    return std::pair{curve.x[0], curve.y[0]};
  };
  EXPECT_NEAR(seen({}).first, 1, 1e-14);
  EXPECT_NEAR(seen({}).second, 2, 1e-14);
  // Along −y, level: x to the right, z up.
  EXPECT_NEAR(seen({-90, 0}).first, 1, 1e-14);
  EXPECT_NEAR(seen({-90, 0}).second, 3, 1e-14);
}

TEST(Stroboscope, DrawsACircleRound) {
  const auto curves = stroboscope(sliding("  - {circle: [[1, 1], [3, 1]]}\n"), {}, cubic_motion(), {.count = 1});
  ASSERT_EQ(curves.size(), 1u);
  ASSERT_GT(curves[0].x.size(), 20u);
  for (std::size_t k = 0; k < curves[0].x.size(); ++k)
    EXPECT_NEAR(std::hypot(curves[0].x[k] - 1, curves[0].y[k] - 1), 2, 1e-14);
}

}  // namespace
}  // namespace taut
