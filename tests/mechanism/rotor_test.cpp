#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "taut/simulation.hpp"

/// A rotor: inertia about one axis, without mass, carried by a body that has the rest.
namespace taut {
namespace {

/// An arm on a ball joint with a disk that spins about the arm. Either the disk is a body of its own, with mass m and
/// moments J along and Jt across; or these but for J belong to the arm, and a rotor has J. Two masses 1 and m at a
/// distance d have the moment m/(1 + m) d² about their common centre.
std::string gyroscope(bool rotor) {
  const double m = 2, J = 0.04, Jt = 0.02, d = 0.5;
  const double reduced = m / (1 + m) * d * d, centre = (0.5 + m * 1.0) / (1 + m);
  const std::string text = "gravity: [0, 0, -9.81]\nbodies:\n";
  char line[400];
  if (rotor)
    std::snprintf(line, sizeof line,
                  "  arm: {mass: %.17g, inertia: [0.02, %.17g, %.17g], position: [%.17g, 0, 0]}\n"
                  "  disk: {mass: 0, inertia: [%.17g, 0, 0], position: [1, 0, 0], angular_velocity: [30, 0, 0]}\n",
                  1 + m, 0.1 + Jt + reduced, 0.1 + Jt + reduced, centre, J);
  else
    std::snprintf(line, sizeof line,
                  "  arm: {mass: 1, inertia: [0.02, 0.1, 0.1], position: [0.5, 0, 0]}\n"
                  "  disk: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: [1, 0, 0], "
                  "angular_velocity: [30, 0, 0]}\n",
                  m, J, Jt, Jt);
  return text + line +
         "joints:\n"
         "  pivot: {type: spherical, bodies: [ground, arm], at: [0, 0, 0]}\n"
         "  axle: {type: revolute, bodies: [arm, disk], at: [1, 0, 0], axis: [1, 0, 0]}\n"
         "outputs: {tip: disk.z, side: disk.y, spin: axle.rate}\n";
}

TEST(Rotors, MoveAsTheDiskDoesWhoseOtherInertiaTheirCarrierHas) {
  for (const Coordinates coordinates : {Coordinates::bodies, Coordinates::joints}) {
    Options options{.until = 1, .rtol = 1e-11};
    options.coordinates = coordinates;
    const auto outputs = [&](bool rotor) {
      const taut::Run run = simulate(read_model(gyroscope(rotor), "test.yaml"), options);
      EXPECT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
      return run.summary.final_outputs;
    };
    const auto disk = outputs(false), rotor = outputs(true);
    ASSERT_EQ(disk.size(), 3U);
    // The same equations: errors of steps of 1e-11 each, which the fall of a second magnifies by some hundred.
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(rotor[k].value, disk[k].value, 1e-8 * (1 + std::abs(disk[k].value)));
    EXPECT_GT(std::abs(disk[1].value), 1e-3) << "it has to precess for this to say anything";
  }
}

TEST(Rotors, HaveNoMass) {
  EXPECT_THROW(read_model("bodies: {b: {mass: 1, inertia: [0.04, 0, 0]}}\n", "test.yaml"), InputError);
}

}  // namespace
}  // namespace taut
