// A platform on six springs swings as its stiffness and mass say, in either coordinates; rest is told once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <random>

#include "taut/questions.hpp"

namespace taut {
namespace {

struct Platform {
  std::string text;
  Vector frequencies;  ///< rad/s, ascending
};

/// Springs at their free lengths from base points to points of a body at the origin: K = Σ k j jᵀ with j = (n, p × n).
Platform random_platform(unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> draw(-1, 1);
  const double mass = 2 + draw(generator);
  const Eigen::Vector3d inertia(1.2 + 0.3 * draw(generator), 1.1, 0.9 + 0.2 * draw(generator));
  Matrix K = Matrix::Zero(6, 6);
  std::string springs;
  for (int i = 0; i < 6; ++i) {
    const double angle = i * M_PI / 3 + 0.2 * draw(generator), turn = angle + (i % 2 == 0 ? 0.6 : -0.6);
    const Eigen::Vector3d p(std::cos(angle), std::sin(angle), 0.1 * draw(generator));
    const Eigen::Vector3d base(1.6 * std::cos(turn), 1.6 * std::sin(turn), -1.5 + 0.2 * draw(generator));
    const double k = 300 + 100 * draw(generator);
    const Eigen::Vector3d n = (p - base).normalized();
    Vector j(6);
    j << n, p.cross(n);
    K += k * j * j.transpose();
    springs += fmt::format(
        "  s{}: {{type: spring, bodies: [ground, top], points: [[{}, {}, {}], [{}, {}, {}]], stiffness: {}, length: "
        "{}}}\n",
        i, base[0], base[1], base[2], p[0], p[1], p[2], k, (p - base).norm());
  }
  Vector M(6);
  M << mass, mass, mass, inertia;
  const Vector scale = M.cwiseSqrt().cwiseInverse();
  const Matrix scaled = scale.asDiagonal() * K * scale.asDiagonal();
  return {fmt::format(
              "model: platform\nbodies:\n  top: {{mass: {}, inertia: [{}, {}, {}], position: [0, 0, 0]}}\nforces:\n{}",
              mass, inertia[0], inertia[1], inertia[2], springs),
          Eigen::SelfAdjointEigenSolver<Matrix>(scaled).eigenvalues().cwiseSqrt()};
}

TEST(Platform, OnSixSpringsSwingsWithTheFrequenciesOfItsStiffness) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Platform platform = random_platform(seed);
    for (const Coordinates coordinates : {Coordinates::bodies, Coordinates::joints}) {
      LinearizeOptions options;
      options.coordinates = coordinates;
      const Modes modes = find_modes(read_model(platform.text, "test.yaml"), options);
      ASSERT_EQ(modes.modes.size(), 12U) << seed;
      for (int k = 0; k < 6; ++k) {
        const auto& pair = modes.modes[static_cast<std::size_t>(2 * k)].eigenvalue;
        EXPECT_NEAR(std::abs(pair.imag()), platform.frequencies[k], 1e-9 * platform.frequencies[k]) << seed;
        EXPECT_NEAR(pair.real(), 0, 1e-9 * platform.frequencies[5]) << seed;
      }
    }
  }
}

TEST(Equilibrium, PositionsThatDifferInWhatNothingDependsOnAreOne) {
  // A door hangs or stands on its leaning hinges, however often its angle counts round. Told by bodies it may be hung
  // upside down, too.
  for (const Coordinates coordinates : {Coordinates::bodies, Coordinates::joints}) {
    EquilibriumOptions options;
    options.coordinates = coordinates;
    options.all = true;
    options.starts = 30;
    const Equilibria all = find_equilibria(load_model("door-three-hinges"), options);
    EXPECT_GE(all.found.size(), 2U);
    if (coordinates == Coordinates::joints) EXPECT_EQ(all.found.size(), 2U);
    for (std::size_t i = 0; i < all.found.size(); ++i)
      for (std::size_t k = 0; k < i; ++k) {
        double apart = 0;
        for (const char* name : {"door.x", "door.y", "door.z"})
          apart += std::abs(value_of(all.found[i].coordinates, name) - value_of(all.found[k].coordinates, name));
        EXPECT_GT(apart, 1e-2) << i << ' ' << k;
      }
  }
}

TEST(Accuracy, WhatIsZeroButForRoundingPutsNothingOutOfReach) {
  // A slider without gravity across it keeps its angle to rounding.
  Options options;
  options.until = 1.5;
  options.accuracy = 1e-8;
  options.record = false;
  const Summary summary = simulate(read_model(R"(
model: sledge
gravity: [0, -9.81, 0]
bodies:
  sledge: {mass: 0.7, inertia: [0.2, 0.2, 0.3], position: [-0.1, -0.7, 0], velocity: [0.4, -0.3, 0], planar: true}
  bob: {mass: 2, inertia: [0.2, 0.2, 0.2], position: [-0.7, -0.2, 0], velocity: [0.4, -0.3, 0], planar: true}
joints:
  rail: {type: prismatic, bodies: [ground, sledge], at: [0.4, -0.3, 0], axis: [-0.8, 0.6, 0]}
  pin: {type: revolute, bodies: [sledge, bob], at: [-0.4, -0.6, 0], axis: [0, 0, 1]}
)",
                                              "test.yaml"),
                                   options)
                              .summary;
  ASSERT_TRUE(summary.accuracy);
  EXPECT_TRUE(summary.accuracy->reached) << summary.verdict_reason;
}

}  // namespace
}  // namespace taut
