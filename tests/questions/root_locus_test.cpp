// Eigenvalues over a parameter, responses over the frequency, digits that hold.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "taut/error.hpp"
#include "taut/questions.hpp"

namespace taut {
namespace {

TEST(RootLocus, BicycleIsStableBetweenThePublishedSpeeds) {
  // Meijaard et al. 2007: weave 4.29238253634111, capsize 6.02426201538837 m/s.
  LocusOptions options;
  options.set = {{"nudge", 0.0}};
  options.over = "v";
  for (int k = 0; k <= 10; ++k) options.values.push_back(3 + 0.4 * k);
  const RootLocus locus = root_locus(load_model("bicycle", options.set), options);
  ASSERT_EQ(locus.crossings.size(), 2U);
  EXPECT_NEAR(locus.crossings[0].value, 4.29238253634111, 1e-9);
  EXPECT_GT(locus.crossings[0].eigenvalue.imag(), 1);
  EXPECT_NEAR(locus.crossings[1].value, 6.02426201538837, 1e-8);
}

TEST(RootLocus, RollingDiskKeepsUprightAboveItsLimit) {
  // A disk that rolls straight on is stable for v² > g r/3 (thin, I = m r²/4, 1/2): Neimark & Fufaev.
  LocusOptions options;
  options.over = "w";
  options.values = {1, 2, 3, 4};
  const RootLocus locus = root_locus(read_model(R"(
model: wheel
gravity: [0, 0, -9.81]
parameters: {r: 0.5, m: 2, w: 3}
bodies:
  wheel: {mass: m, inertia: [m*r^2/4, m*r^2/2, m*r^2/4], position: [0, 0, r], velocity: [w*r, 0, 0],
          angular_velocity: [0, w, 0]}
joints:
  rolls: {type: rolling-disk, bodies: [ground, wheel], radius: r, axis: [0, 1, 0], plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
)",
                                                "test.yaml"),
                                     options);
  ASSERT_EQ(locus.crossings.size(), 0U);  // below the limit one grows, above it swings without growing: no crossing
  const double limit = std::sqrt(9.81 / (3 * 0.5));
  for (std::size_t k = 0; k < locus.values.size(); ++k) {
    double growth = 0;
    for (const auto& value : locus.eigenvalues[k]) growth = std::max(growth, value.real());
    EXPECT_EQ(growth > 1e-3, locus.values[k] < limit) << locus.values[k];
  }
}

TEST(FrequencyResponse, OscillatorAnswersAsItsClosedForm) {
  // m x'' + c x' + k x = F: 1/(k − m ω² + i c ω), and its acceleration −ω² times that.
  LinearizeOptions options;
  options.inputs = {"F"};
  options.outputs = {"x", "x''"};
  const StateSpace space = linearize(
      read_model("model: s\nparameters: {F: 0, m: 2, c: 0.7, k: 30}\ncoordinates: {x: 0}\nkinetic_energy: m/2*x'^2\n"
                 "potential_energy: k/2*x^2\nforces: {x: F - c*x'}\n",
                 "test.yaml"),
      options);
  const FrequencyResponse found = frequency_response(space, {0.1, 0.6, 5});
  for (std::size_t k = 0; k < found.frequencies.size(); ++k) {
    const double w = 2 * std::numbers::pi * found.frequencies[k];
    const std::complex<double> expected = 1.0 / std::complex<double>(30 - 2 * w * w, 0.7 * w);
    EXPECT_LT(std::abs(found.response[k](0, 0) - expected), 1e-14);
    EXPECT_LT(std::abs(found.response[k](1, 0) + w * w * expected), 1e-12);
  }
}

TEST(Modes, MotionThatIsOnlySteadyForAMomentIsNotCalledSteady) {
  // A pendulum passes its lowest point: no acceleration there, and slopes that are stationary.
  const Modes modes = find_modes(
      read_model("model: s\ncoordinates: {s: [0, 2]}\nkinetic_energy: s'^2/2\npotential_energy: -9.81*cos(s)\n",
                 "test.yaml"),
      {});
  EXPECT_FALSE(modes.steady);
}

TEST(Modes, ShapesInJointCoordinatesTellWhereBodiesGo) {
  const char* const text = R"(
model: swing
gravity: [0, -9.81, 0]
bodies: {bob: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, -2, 0]}}
joints: {pin: {type: revolute, bodies: [ground, bob], at: [0, 0, 0], axis: [0, 0, 1]}}
)";
  LinearizeOptions options;
  options.coordinates = Coordinates::joints;
  const Modes modes = find_modes(read_model(text, "test.yaml"), options);
  const auto at = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(modes.coordinates, name) - modes.coordinates.begin());
  };
  ASSERT_LT(at("bob.x"), modes.coordinates.size());
  EXPECT_NEAR(std::abs(modes.modes.at(0).shape[at("bob.x")] / modes.modes.at(0).shape[at("pin.angle")]), 2, 1e-12);
  EquilibriumOptions rest;
  rest.coordinates = Coordinates::joints;
  const Equilibria found = find_equilibria(read_model(text, "test.yaml"), rest);
  EXPECT_NEAR(value_of(found.found.at(0).coordinates, "bob.y"), -2, 1e-12);
}

TEST(Certify, WaysOfDifferentKindsAgreeOnAPendulum) {
  CertifyOptions options;
  options.run.until = 2;
  const Certificate found = certify(load_model("pendulum"), options);
  EXPECT_TRUE(found.reason.empty()) << found.reason;
  int counted = 0;
  for (const CertifyingRun& run : found.runs) counted += run.reason.empty();
  EXPECT_GE(counted, 6);
  EXPECT_GT(found.digits, 7);
  // What all agree upon is so: a period and its parts have closed forms; here energy, x'² + y'² = −2 g y.
  const auto value = [&](const std::string& name) {
    for (const CertifiedValue& one : found.values)
      if (one.name == name) return one.value;
    throw std::runtime_error(name);
  };
  EXPECT_NEAR(std::pow(value("x'"), 2) + std::pow(value("y'"), 2), -2 * 9.81 * value("y"), 1e-8);
}

TEST(Certify, ChaosLeavesFewDigits) {
  CertifyOptions options;
  options.run.until = 60;
  options.rtol = 1e-9;
  const Certificate found = certify(read_model(R"(
model: double
coordinates: {a: 2.5, b: 2}
kinetic_energy: a'^2 + b'^2/2 + a'*b'*cos(a - b)
potential_energy: -9.81*(2*cos(a) + cos(b))
)",
                                               "test.yaml"),
                                    options);
  EXPECT_LT(found.digits, 2);
}

}  // namespace
}  // namespace taut
