#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simulation/repeated_runs.hpp"
#include "taut/model.hpp"
#include "taut/simulation.hpp"

/// Runs one after the other, of one model made ready once, against runs that were made ready by themselves.
namespace taut {
namespace {

/// A loop in space with a slider, a ball and masses that may vary.
const char* const slider_crank = R"(
model: slider
parameters: {r: 0.3, l: 1, m: 2, push: 1}
gravity: [0, 0, -9.81]
bodies:
  crank: {mass: m, inertia: [0.02, 0.02, 0.02], position: [r/2, 0, 0]}
  rod: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [r + l/2, 0, 0]}
  slider: {mass: 1 + m/2, inertia: [0.1, 0.1, 0.1], position: [r + l, 0, 0]}
joints:
  pivot: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0.1, 1]}
  pin: {type: spherical, bodies: [crank, rod], at: [r, 0, 0]}
  wrist: {type: universal, bodies: [rod, slider], at: [r + l, 0, 0], axes: [[0, 1, 0], [0, 0, 1]]}
  rail: {type: prismatic, bodies: [ground, slider], at: [r + l, 0, 0], axis: [1, 0, 0]}
forces:
  motor: {type: torque, body: crank, axis: [0, 0, 1], value: push}
outputs: {turned: pivot.angle}
simulate: {coordinates: joints, until: 0.2, step: 1e-3}
)";

void expect_same(const Summary& one, const Summary& other, const std::string& what) {
  ASSERT_EQ(one.verdict, other.verdict) << what;
  EXPECT_EQ(one.coordinates_used, "joints");
  EXPECT_EQ(one.notes, other.notes) << what;
  for (const auto of : {&Summary::final_coordinates, &Summary::final_rates, &Summary::final_outputs}) {
    const auto &a = one.*of, &b = other.*of;
    ASSERT_EQ(a.size(), b.size()) << what;
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(a[k].value, b[k].value) << what << ": " << a[k].name;
  }
}

TEST(RepeatedRunsInJoints, AreBitForBitThoseMadeByThemselvesWhateverVaries) {
  const Model model = read_model(slider_crank, "slider.yaml");
  const Options options = options_of(model);
  RepeatedRuns runs(model, options, 100);
  // Masses, forces, lengths; starts as drawn and elsewhere.
  const std::vector<std::vector<Assignment>> sets = {{},
                                                     {{"m", 3}},
                                                     {{"push", -2}},
                                                     {{"l", 1.3}},
                                                     {{"m", 0.5}},
                                                     {{"pivot.angle(0)", 0.5}},
                                                     {},
                                                     {{"r", 0.2}, {"l", 0.7}}};
  for (const auto& set : sets) {
    Options alone = options;
    alone.set = set;
    const std::string what = set.empty() ? "as it is" : set.front().name;
    expect_same(runs.run(set).summary, simulate(model, alone).summary, what);
  }
}

}  // namespace
}  // namespace taut
