// Everything that mechanisms have, one small model each: joint coordinates against those of bodies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "mechanism/compared.hpp"
#include "places.hpp"
#include "taut/error.hpp"
#include "taut/model.hpp"
#include "taut/simulation.hpp"

namespace taut::testing {
namespace {

struct Feature {
  const char* name;
  const char* text;
};

const Feature features[] = {
    {"gears", R"yaml(
gravity: [0, -9.81, 0]
bodies:
  a: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.2, 0, 0]}
  b: {mass: 2, inertia: [0.2, 0.2, 0.2], position: [1.1, 0.1, 0]}
  r: {mass: 0.5, inertia: [0.1, 0.1, 0.1], position: [0, -1, 0]}
joints:
  first: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
  second: {type: revolute, bodies: [b, ground], at: [1, 0, 0], axis: [0, 0, 1]}
  slide: {type: prismatic, bodies: [ground, r], at: [0, -1, 0], axis: [1, 0, 0]}
  wheels: {type: gear, joints: [first, second], ratio: -1.5}
  teeth: {type: rack-pinion, joints: [first, slide], radius: 0.3}
outputs: {effort: wheels.tz, pull: teeth.fx, mesh: lambda(wheels.mesh)}
)yaml"},
    {"rolling_disk", R"yaml(
gravity: [0, 0, -9.81]
bodies:
  coin: {mass: 0.1, inertia: [1e-3, 2e-3, 1e-3], position: [0, 0, 0.2], velocity: [1, 0, 0], angular_velocity: [0.1, 5, 0.3]}
joints:
  table: {type: rolling-disk, bodies: [ground, coin], radius: 0.2, axis: [0, 1, 0], plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
outputs: {press: table.fz}
simulate: {assemble: true}
)yaml"},
    {"wheels_under_a_cart", R"yaml(
gravity: [1, 0, -9.81]
bodies:
  cart: {mass: 5, inertia: [0.3, 0.4, 0.5], position: [0, 0, 0.3]}
  left: {mass: 1, inertia: [0.02, 0.03, 0.02], position: [0, 0.3, 0.2]}
  right: {mass: 1, inertia: [0.02, 0.03, 0.02], position: [0, -0.3, 0.2]}
joints:
  hub1: {type: revolute, bodies: [cart, left], at: [0, 0.3, 0.2], axis: [0, 1, 0], torque: 0.3*sin(3*t)}
  hub2: {type: revolute, bodies: [cart, right], at: [0, -0.3, 0.2], axis: [0, 1, 0], friction: {viscous: 0.1}}
  tyre1: {type: rolling-disk, bodies: [ground, left], radius: 0.2, axis: [0, 1, 0], plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
  tyre2: {type: rolling-disk, bodies: [ground, right], radius: 0.2, axis: [0, 1, 0], plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
outputs: {drag: hub2.friction}
)yaml"},
    {"rolling_ball", R"yaml(
gravity: [0.5, 0, -9.81]
bodies:
  plate: {mass: 2, inertia: [0.2, 0.2, 0.3], position: [0.1, 0, 0]}
  ball: {mass: 1, inertia: [0.04, 0.04, 0.04], position: [0.2, 0.1, 0.3]}
joints:
  pin: {type: revolute, bodies: [ground, plate], at: [0, 0, 0], axis: [0, 0, 1], torque: 0.4}
  contact: {type: rolling-ball, bodies: [plate, ball], radius: 0.3, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
)yaml"},
    {"knife_edge", R"yaml(
bodies:
  sleigh: {mass: 2, inertia: [0, 0, 0.3], position: [0.3, 0, 0], velocity: [1, 0.3, 0], angular_velocity: [0, 0, 1], planar: true}
constraints:
  skid: -sin(sleigh.angle)*sleigh.vx + cos(sleigh.angle)*sleigh.vy - 0.3*sleigh.omega_z
outputs: {side: lambda(skid)}
)yaml"},
    {"friction", R"yaml(
gravity: [0, -9.81, 0]
bodies:
  crank: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0], velocity: [0, 1, 0], angular_velocity: [0, 0, 2]}
  bob: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1.5, 0, 0], velocity: [0, 3, 0], angular_velocity: [0, 0, 2]}
joints:
  pin: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1], friction: {coefficient: 0.3, radius: 0.05, viscous: 0.1}}
  elbow: {type: revolute, bodies: [crank, bob], at: [1, 0, 0], axis: [0, 0, 1], friction: {viscous: 0.2}}
outputs: {load: pin.fx}
)yaml"},
    {"states", R"yaml(
parameters: {R: 1, L: 0.1, k: 0.5}
bodies:
  arm: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}
joints:
  pin: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1], torque: k*i}
states:
  i: {value: 0, rate: "(5*sin(3*t) - R*i - k*pin.rate)/L"}
)yaml"},
    {"events", R"yaml(
gravity: [0, -9.81, 0]
bodies:
  arm: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}
joints:
  pin: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1]}
events:
  low: {when: arm.y + 0.3, stop: true}
)yaml"},
    {"user_constraints", R"yaml(
gravity: [0, 0, -9.81]
bodies:
  a: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 0]}
  b: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [1, 0.5, 0]}
joints:
  first: {type: universal, bodies: [ground, a], at: [0, 0, 0], axes: [[0, 1, 0], [0, 0, 1]]}
  second: {type: spherical, bodies: [a, b], at: [1, 0, 0]}
constraints:
  foot: "point(b, [0, 0.5, 0]) = [1 + 0.1*t, 1, 0]"
forces:
  pull: {type: force, body: b, at: [1, 1, 0], value: [0, 0, 2*cos(t)]}
outputs: {foot: lambda(foot.x), tip: "point(b, [0, 0.5, 0]).z"}
simulate: {assemble: true}
)yaml"},
    {"repeated", R"yaml(
parameters: {n: 4}
gravity: [0, -9.81, 0]
repeat:
  - {index: i, from: 1, to: n, bodies: {"rod{i}": {mass: 1, inertia: [0, 0, 1/12], position: [i - 0.5, 0, 0], planar: true}}}
  - {index: i, from: 2, to: n, joints: {"pin{i}": {type: revolute, bodies: ["rod{i-1}", "rod{i}"], at: [i - 1, 0, 0], axis: [0, 0, 1]}}}
joints:
  base: {type: revolute, bodies: [ground, rod1], at: [0, 0, 0], axis: [0, 0, 1], armature: 0.2}
)yaml"},
};

class FeaturesInJointCoordinates : public ::testing::TestWithParam<Feature> {};

TEST_P(FeaturesInJointCoordinates, AreTheSameAsInBodyCoordinates) {
  const Model model = read_model(GetParam().text, "test.yaml");
  Options options = options_of(model);
  options.rtol = 1e-10;
  for (const double until : {0.0, 0.4}) {
    options.until = until;
    const Summary bodies = run_in(Coordinates::bodies, model, options);
    const Summary joints = run_in(Coordinates::joints, model, options);
    EXPECT_EQ(joints.coordinates_used, "joints");
    EXPECT_EQ(bodies.verdict, joints.verdict) << bodies.verdict_reason << " / " << joints.verdict_reason;
    EXPECT_NEAR(bodies.t, joints.t, 1e-8);
    EXPECT_EQ(bodies.degrees_of_freedom, joints.degrees_of_freedom);
    ASSERT_EQ(bodies.events.size(), joints.events.size());
    for (std::size_t k = 0; k < bodies.events.size(); ++k) {
      EXPECT_EQ(bodies.events[k].kind, joints.events[k].kind);
      EXPECT_NEAR(bodies.events[k].t, joints.events[k].t, 1e-8);
    }
    const double tolerance = until == 0 ? 1e-9 : 100 * options.rtol;
    expect_same(bodies.final_coordinates, joints.final_coordinates, tolerance, "coordinates");
    expect_same(bodies.final_rates, joints.final_rates, tolerance, "rates");
    expect_same(bodies.final_accelerations, joints.final_accelerations, 10 * tolerance, "accelerations");
    expect_same(bodies.final_outputs, joints.final_outputs, 10 * tolerance, "outputs");
    expect_same_reactions(bodies, joints, 10 * tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, FeaturesInJointCoordinates, ::testing::ValuesIn(features),
                         [](const auto& info) { return std::string(info.param.name); });

/// The speed of a body is set alone, and joints answer with impulses: ω becomes 3 before these, and 3 J/(J + m/4) =
/// 0.857 after, with J = 0.1 and the centre at 1/2. A branch would keep the 3, and take along what hangs on it.
TEST(FeaturesInJointCoordinates, EventsThatSetBodiesAreLeftToBodies) {
  const Model model = read_model(R"yaml(
bodies:
  arm: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}
joints:
  pin: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1]}
events:
  kick: {when: t - 0.1, set: {arm.omega_z: 3}}
)yaml",
                                 "test.yaml");
  Options options;
  options.until = 0.2;
  EXPECT_THROW(run_in(Coordinates::joints, model, options), InputError);
  const Summary summary = run_in(Coordinates::automatic, model, options);
  EXPECT_EQ(summary.coordinates_used, "bodies");
  EXPECT_THAT(summary.notes, ::testing::Contains(::testing::HasSubstr("'arm.omega_z'")));
  const auto rate = std::ranges::find(summary.final_rates, "arm.omega_z", &NamedValue::name);
  ASSERT_NE(rate, summary.final_rates.end());
  EXPECT_NEAR(rate->value, 3 * 0.1 / (0.1 + 0.25), 1e-9);
}

/// Parts of a model are mechanisms of their own, which joints of the model tie together.
TEST(FeaturesInJointCoordinates, PartsAreBranchesOfOneTree) {
  const Model model = read_model(R"yaml(
gravity: [0, -9.81, 0]
parts:
  left: {model: slider-crank.yaml}
  right: {model: slider-crank.yaml, at: [0, 1, 0], set: {m: 2}}
joints:
  shaft: {type: gear, joints: [left.pivot, right.pivot], ratio: 0.5}
)yaml",
                                 places::source("models/mechanisms/two.yaml"));
  Options options;
  options.until = 0.1;
  options.rtol = 1e-10;
  const Summary bodies = run_in(Coordinates::bodies, model, options);
  const Summary joints = run_in(Coordinates::joints, model, options);
  EXPECT_EQ(joints.coordinates_used, "joints");
  EXPECT_EQ(joints.degrees_of_freedom, 1);
  expect_same(bodies.final_coordinates, joints.final_coordinates, 1e-8, "coordinates");
  expect_same(bodies.final_outputs, joints.final_outputs, 1e-7, "outputs");
}

/// A four-bar loop on an arm, its hinges parallel but for rounding. As drawn, the constraint across its plane has
/// slopes of rounding alone: it holds nothing, and two freedoms are left. Once the arm has turned, that constraint says
/// what another says, but for rounding: no contradiction.
TEST(FeaturesInJointCoordinates, SlopesOfRoundingHoldNothing) {
  for (const char* off : {"0", "1e-17", "1e-16", "1e-15", "1e-14", "1e-13", "1e-12", "1e-11"}) {
    std::string text = R"yaml(
gravity: [0.3, -9.81, 1]
bodies:
  arm: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [0.5, 0.1, 0]}
  a: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [1, 0.5, 0]}
  b: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [1.5, 1.1, 0]}
  c: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [2, 0.5, 0]}
joints:
  shoulder: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [1, 0, 0]}
  first: {type: revolute, bodies: [arm, a], at: [1, 0, 0], axis: [OFF, 2*OFF, 1]}
  second: {type: revolute, bodies: [a, b], at: [1, 1, 0], axis: [-OFF, OFF, 1]}
  third: {type: revolute, bodies: [arm, c], at: [2, 0, 0], axis: [0, 3*OFF, 1]}
  tie: {type: spherical, bodies: [b, c], at: [2, 1.2, OFF]}
)yaml";
    for (std::size_t at; (at = text.find("OFF")) != std::string::npos;) text.replace(at, 3, off);
    const Model model = read_model(text, "test.yaml");
    const Summary bodies = run_in(Coordinates::bodies, model, {.until = 0});
    const Summary joints = run_in(Coordinates::joints, model, {.until = 0});
    EXPECT_EQ(joints.degrees_of_freedom, 2) << off;
    EXPECT_EQ(bodies.degrees_of_freedom, 2) << off;
    expect_same(bodies.final_accelerations, joints.final_accelerations, 1e-10, off);
    const Options moving{.until = 0.5, .rtol = 1e-9};
    const Summary moved = run_in(Coordinates::joints, model, moving);
    EXPECT_EQ(moved.verdict, Verdict::done) << off << ": " << moved.verdict_reason;
    expect_same(run_in(Coordinates::bodies, model, moving).final_coordinates, moved.final_coordinates, 1e-7, off);
  }
}

/// A joint is cut where forces depend on its reaction, and says so; told not to, it is refused.
TEST(FeaturesInJointCoordinates, FrictionCutsItsJoint) {
  std::string text = std::ranges::find(features, std::string_view("friction"), &Feature::name)->text;
  const Summary joints = run_in(Coordinates::joints, read_model(text, "test.yaml"), {.until = 0});
  EXPECT_TRUE(std::ranges::any_of(joints.notes, [](const std::string& note) {
    return note.find("pin (forces depend on its reaction)") != std::string::npos;
  }));
  text.replace(text.find("friction: {coeff"), 0, "cut: false, ");
  EXPECT_THROW(run_in(Coordinates::joints, read_model(text, "test.yaml"), {.until = 0}), InputError);
}

}  // namespace
}  // namespace taut::testing
