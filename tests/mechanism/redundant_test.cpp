// Mechanisms that are held more often than need be run as if they were held just enough.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <sstream>

#include "mechanism/motions.hpp"

namespace taut::test {
namespace {

/// Parameters as the model was read with them. In coordinates of bodies every constraint is there to be counted.
Run run(const Model& model) {
  const auto result =
      simulate(model, {.until = 10, .rtol = 1e-12, .atol = 1e-14, .coordinates = Coordinates::bodies, .every = 0.2});
  EXPECT_EQ(result.summary.outcome, Outcome::done) << model.name << ": " << result.summary.reason;
  EXPECT_LE(*result.summary.max_position_violation, 1e-10);
  EXPECT_LE(*result.summary.max_velocity_violation, 1e-10);
  return result;
}

/// So many rows are implied by the others; they are named, and by the names of rows.
void expect_dependent(const Model& model, const Run& run, std::size_t count) {
  EXPECT_EQ(run.summary.dependent.size(), count);
  EXPECT_EQ(static_cast<std::size_t>(run.summary.constraints - run.summary.rank_max), count);
  EXPECT_EQ(run.summary.rank_min, run.summary.rank_max);
  EXPECT_EQ(run.summary.degrees_of_freedom, 1);
  EXPECT_FALSE(run.summary.multipliers_unique);
  std::set<std::string> rows;
  for (const Constraint& constraint : model.constraints) rows.insert(constraint.name);
  for (const std::string& name : run.summary.dependent) EXPECT_TRUE(rows.contains(name)) << name;
  // Which of rows that imply each other is named is a matter of choice; how many are is not.
  EXPECT_EQ(check(model).dependent.size(), count);
}

/// The text of a gallery model, each line changed by `change`; lines for which it returns nothing are left out.
std::string changed_text(const std::string& name, const std::function<std::string(const std::string&)>& change) {
  std::istringstream lines(load_model(name).text);
  std::string text, line;
  while (std::getline(lines, line)) text += change(line + "\n");
  return text;
}

TEST(Redundant, ADoorOnThreeHingesMovesAsOnOne) {
  const Model three = load_model("mechanisms/door-three-hinges");
  const Model one = read_model(
      changed_text("mechanisms/door-three-hinges",
                   [](const std::string& line) {
                     return line.starts_with("  top:") || line.starts_with("  bottom:") ? std::string() : line;
                   }),
      "one_hinge.yaml");
  ASSERT_EQ(three.constraints.size(), 15U);
  ASSERT_EQ(one.constraints.size(), 5U);
  const auto held = run(three), minimal = run(one);
  expect_dependent(three, held, 10);
  EXPECT_TRUE(minimal.summary.dependent.empty());
  for (const char* name : {"angle", "edge_x", "edge_y", "edge_z"})
    EXPECT_LE(apart(column(held, name), column(minimal, name)), 1e-9) << name;
}

TEST(Redundant, APlanarFourBarOfSpatialHingesMovesAsOneOfPlanarBodies) {
  const Model spatial = load_model("mechanisms/four-bar-spatial");
  const Model planar = read_model(
      changed_text(
          "mechanisms/four-bar-spatial",
          [](const std::string& line) { return line.starts_with("    mass:") ? "    planar: true\n" + line : line; }),
      "planar.yaml");
  ASSERT_EQ(spatial.constraints.size(), 20U);
  ASSERT_EQ(planar.constraints.size(), 8U);
  const auto held = run(spatial), minimal = run(planar);
  expect_dependent(spatial, held, 3);
  EXPECT_TRUE(minimal.summary.dependent.empty());
  for (const char* name : {"crank_angle", "B_x", "B_y"})
    EXPECT_LE(apart(column(held, name), column(minimal, name)), 1e-9) << name;
}

/// Without the third crank its mass goes to the first, which moves alike.
constexpr const char* two_cranks = R"(
model: two-cranks
parameters: {g: 9.81, r: 0.5, w: -3, mc: 1, mp: 6, Ic: mc*r^2/12, x2: 2}
gravity: [0, -g, 0]
bodies:
  crank1: {mass: 2*mc, inertia: [0, 0, 2*Ic], position: [0, r/2, 0], velocity: [-w*r/2, 0, 0],
           angular_velocity: [0, 0, w], planar: true}
  crank2: {mass: mc, inertia: [0, 0, Ic], position: [x2, r/2, 0], velocity: [-w*r/2, 0, 0],
           angular_velocity: [0, 0, w], planar: true}
  plate: {mass: mp, inertia: [0, 0, 2], position: [1, r + 0.2, 0], velocity: [-w*r, 0, 0], planar: true}
joints:
  base1: {type: revolute, bodies: [ground, crank1], at: [0, 0, 0], axis: [0, 0, 1]}
  base2: {type: revolute, bodies: [ground, crank2], at: [x2, 0, 0], axis: [0, 0, 1]}
  pin1: {type: revolute, bodies: [crank1, plate], at: [0, r, 0], axis: [0, 0, 1]}
  pin2: {type: revolute, bodies: [crank2, plate], at: [x2, r, 0], axis: [0, 0, 1]}
outputs: {angle: base1.angle, tilt: plate.angle}
)";

/// With gravity upward the cranks swing to and fro by 38 degrees, and never come into line.
TEST(Redundant, AParallelogramOfThreeCranksSwingsAsOneOfTwo) {
  const std::vector<Assignment> set{{"g", "-9.81"}};
  const Model three = load_model("mechanisms/parallelogram-three-cranks", set);
  const Model two = read_model(two_cranks, "two_cranks.yaml", set);
  ASSERT_EQ(three.constraints.size(), 12U);
  ASSERT_EQ(two.constraints.size(), 8U);
  const auto held = run(three), minimal = run(two);
  expect_dependent(three, held, 1);
  EXPECT_TRUE(minimal.summary.dependent.empty());
  EXPECT_EQ(minimal.summary.passages, 0);
  for (const char* name : {"angle", "tilt"}) EXPECT_LE(apart(column(held, name), column(minimal, name)), 1e-9) << name;
}

/// Going round, two cranks come into line twice a turn; a third keeps the rank. The plate does not turn, so one angle
/// describes all: (3 mc/3 + mp) r² θ'' = (3 mc/2 + mp) g r sin θ from the upright.
TEST(Redundant, AParallelogramOfThreeCranksGoesRoundWhereOneOfTwoIsSingular) {
  const Model three = load_model("mechanisms/parallelogram-three-cranks");
  const auto held = run(three), minimal = run(read_model(two_cranks, "two_cranks.yaml"));
  using Real = IndependentMotion::Real;
  IndependentMotion exact(
      0, -3, 1e-4L, [](Real angle, Real) { return 7.5L * static_cast<Real>(9.81) / (7 * 0.5L) * std::sin(angle); });
  const auto t = column(held, "t"), angle = column(held, "angle");
  for (std::size_t k = 0; k < t.size(); ++k)
    EXPECT_NEAR(angle[k], static_cast<double>(exact.theta_at(t[k])), 1e-9) << t[k];
  EXPECT_EQ(held.summary.passages, 0) << "the third crank leaves no position undecided";
  EXPECT_EQ(minimal.summary.passages, 18);
  // Each of the minimal model's passages leaves an error of its own.
  EXPECT_LE(apart(column(minimal, "angle"), angle), 1e-8);
}

/// Long steps are looked into as well; there the rows kept at their ends may depend on each other although others do
/// not.
TEST(Redundant, AThirdCrankLeavesNoPassageAtAnyTolerance) {
  const Model three = load_model("mechanisms/parallelogram-three-cranks");
  for (const char* kernel : {"cod", "mixed", "auto"})
    for (const double rtol : {1e-5, 1e-6, 1e-8}) {
      const auto held = simulate(three, {.until = 10, .rtol = rtol, .linear = kernel, .record = false});
      EXPECT_EQ(held.summary.outcome, Outcome::done) << held.summary.reason;
      EXPECT_EQ(held.summary.passages, 0) << kernel << rtol;
    }
}

/// The angle of a joint that closes a loop counts turns, and follows from those of the branches: led along with them,
/// the thread of a screw that is said twice holds wherever they are.
TEST(Redundant, AScrewSaidTwiceIsOneScrew) {
  const std::string one = R"yaml(
gravity: [0, 0, -9.81]
bodies:
  arm: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0], velocity: [0, 1, 0], angular_velocity: [0, 0, 2]}
  nut: {mass: 2, inertia: [0.2, 0.2, 0.2], position: [1, 0, 0.3], velocity: [0, 2, 0], angular_velocity: [0, 0, 2]}
joints:
  hinge: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1]}
  thread: {type: screw, bodies: [arm, nut], at: [1, 0, 0.3], axis: [0.3, 0.2, 1], pitch: 0.7}
)yaml";
  const std::string two =
      one + "  again: {type: screw, bodies: [arm, nut], at: [1, 0, 0.3], axis: [0.3, 0.2, 1], pitch: 0.7}\n";
  const Options options{.until = 3, .rtol = 1e-10, .coordinates = Coordinates::joints, .record = false};
  const Summary once = simulate(read_model(one, "one.yaml"), options).summary;
  const Summary twice = simulate(read_model(two, "two.yaml"), options).summary;
  EXPECT_EQ(twice.verdict, Verdict::done) << twice.verdict_reason;
  EXPECT_EQ(twice.constraints, 0);
  // The same equations; the second angle is carried along.
  for (std::size_t k = 0; k < once.final_coordinates.size(); ++k) {
    const NamedValue& value = once.final_coordinates[k];
    const auto same = std::ranges::find(twice.final_coordinates, value.name, &NamedValue::name);
    ASSERT_NE(same, twice.final_coordinates.end()) << value.name;
    EXPECT_NEAR(same->value, value.value, 1e-8) << value.name;
  }
}

}  // namespace
}  // namespace taut::test
