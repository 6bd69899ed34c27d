// What no joint may change: energy, momentum, and the motion itself when the whole mechanism is put elsewhere.
#include <gtest/gtest.h>

#include "mechanism/random_mechanism.hpp"

namespace taut {
namespace {

using testing::momentum_of;
using testing::random_mechanism;
using testing::RandomMechanism;

Options tight(double until, double rtol) {
  Options options;
  options.until = until;
  options.rtol = rtol;
  options.atol = rtol / 100;
  options.assemble = true;
  options.max_steps = 50'000;
  return options;
}

auto run(const RandomMechanism& mechanism, double until, double rtol) {
  return simulate(mechanism.model(), tight(until, rtol));
}

/// A motion that comes close to a singular position, such as shafts folded back on each other, needs another digit.
constexpr double tolerances[] = {1e-11, 1e-12};

class Invariants : public ::testing::TestWithParam<unsigned> {};

TEST_P(Invariants, EnergyAndMomentumAreKept) {
  const unsigned seed = GetParam();
  const bool floating = seed % 2 == 1;
  const RandomMechanism mechanism =
      random_mechanism(seed, 3 + static_cast<int>(seed % 3), static_cast<int>(seed % 2), floating);
  const auto begun = run(mechanism, 0, tolerances[0]);
  const auto before = momentum_of(mechanism, begun.summary);
  for (const double rtol : tolerances) {
    const auto done = run(mechanism, 10, rtol);
    const auto after = momentum_of(mechanism, done.summary);
    const double energy = std::max({1.0, before.kinetic, after.kinetic + after.lifted});
    const bool kept = done.summary.outcome == Outcome::done && *done.summary.max_energy_error <= 1e-8 * energy;
    if (!kept && rtol != tolerances[1]) continue;
    ASSERT_EQ(done.summary.outcome, Outcome::done) << done.summary.reason;
    EXPECT_LE(*done.summary.max_energy_error, 1e-8 * energy);
    EXPECT_LE(done.summary.max_position_violation.value_or(0), 1e-10);
    if (!floating) return;
    EXPECT_LE((after.linear - before.linear).norm(), 1e-9);
    EXPECT_LE((after.angular - before.angular).norm(), 1e-9 * std::max(1.0, after.size));
    return;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, Invariants, ::testing::Range(0U, 100U));

class FrameInvariance : public ::testing::TestWithParam<unsigned> {};

TEST_P(FrameInvariance, TheSameMotionElsewhere) {
  const unsigned seed = GetParam();
  const RandomMechanism here = random_mechanism(seed, 4, static_cast<int>(seed % 2), false);
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(1.1, Eigen::Vector3d(0.3, -0.5, 0.8).normalized()));
  const Eigen::Vector3d shift(2, -1, 0.5);
  RandomMechanism there = here.moved(turn, shift);
  there.reverse_order();
  // Both begin from velocities that satisfy the constraints; what the projection makes of others depends on no frame.
  const auto a = run(here, 1, tolerances[1]), b = run(there, 1, tolerances[1]);
  ASSERT_EQ(a.summary.outcome, Outcome::done) << a.summary.reason;
  ASSERT_EQ(b.summary.outcome, Outcome::done) << b.summary.reason;
  for (const auto& body : here.bodies) {
    const auto position = [&](const auto& run) {
      const auto& q = run.summary.final_coordinates;
      return Eigen::Vector3d(value_of(q, body.name + ".x"), value_of(q, body.name + ".y"),
                             value_of(q, body.name + ".z"));
    };
    const Eigen::Vector3d moved = turn * position(a) + shift;
    EXPECT_LE((moved - position(b)).norm(), 1e-9 * std::max(1.0, moved.norm())) << body.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, FrameInvariance, ::testing::Range(200U, 228U));

}  // namespace
}  // namespace taut
