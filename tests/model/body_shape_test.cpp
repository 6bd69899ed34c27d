#include "model/body_shape.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "expression/program.hpp"
#include "model/folder.hpp"
#include "taut/simulation.hpp"

/// Bodies by their shape, points by their names, orientations by Euler's angles, rods whose length changes.
namespace taut {
namespace {

using Eigen::AngleAxisd;
using Eigen::Vector3d;
constexpr double pi = std::numbers::pi;

struct Start {
  explicit Start(const std::string& text) : model(read_model(text, "test.yaml")), values(model.graph->symbols(), 0.0) {
    const InitialValues initial = initial_values(model);
    for (std::size_t k = 0; k < initial.parameters.size(); ++k)
      values[model.parameters[k].symbol] = initial.parameters[k];
    for (std::size_t k = 0; k < initial.coordinates.size(); ++k)
      values[model.coordinates[k].symbol] = initial.coordinates[k];
    for (std::size_t k = 0; k < model.speeds.size(); ++k) values[model.speeds[k].symbol] = initial.speeds[k];
  }
  double operator()(const Expression& e) const { return evaluate(e, values); }
  Vector3d operator()(const Vector3& a) const { return {(*this)(a.x), (*this)(a.y), (*this)(a.z)}; }
  const Body& body(int k) const { return model.bodies[static_cast<std::size_t>(k)]; }

  Model model;
  std::vector<double> values;
};

TEST(Bars, BeginAndEndWhereTheyAreTold) {
  // Along x, against it and nearly so, and askew: every way there is a turn.
  for (const char* to : {"[2, 2, 3]", "[-1, 2, 3]", "[-1, 2.001, 3]", "[1, 2, 9]", "[0, -1, 4]"}) {
    const Start start("bodies: {b: {bar: {from: [1, 2, 3], to: " + std::string(to) + ", mass: 2, radius: 0.1}}}\n");
    const Body& b = start.body(1);
    ASSERT_EQ(b.points.size(), 3U);
    EXPECT_NEAR((start(b.point(b.points[0].at)) - Vector3d(1, 2, 3)).norm(), 0, 1e-14) << to;
    const Vector3d end = start(b.point(b.points[1].at));
    const double length = (end - Vector3d(1, 2, 3)).norm();
    // A round bar: m r²/2 along, m (r²/4 + l²/12) across.
    EXPECT_NEAR(start(b.inertia[0]), 2 * 0.01 / 2, 1e-15);
    EXPECT_NEAR(start(b.inertia[1]), 2 * (0.0025 + length * length / 12), 1e-13);
  }
  const Start start("bodies: {b: {bar: {from: [1, 2, 3], to: [-1, 2.001, 3], mass: 2, radius: 0.1}}}\n");
  EXPECT_NEAR((start(start.body(1).point(start.body(1).points[1].at)) - Vector3d(-1, 2.001, 3)).norm(), 0, 1e-14);
}

TEST(Bars, HaveTheMassOfTheirDensity) {
  const Start round("bodies: {b: {bar: {from: [0, 0, 0], to: [0, 0, 2], density: 1000, radius: 0.1}}}\n");
  EXPECT_NEAR(round(round.body(1).mass), 1000 * pi * 0.01 * 2, 1e-11);
  const Start square("bodies: {b: {bar: {from: [0, 0, 0], to: [0, 0, 2], density: 1000, section: [0.1, 0.3]}}}\n");
  EXPECT_NEAR(square(square.body(1).mass), 60, 1e-12);
  EXPECT_NEAR(square(square.body(1).inertia[0]), 60 * (0.01 + 0.09) / 12, 1e-13);
  EXPECT_NEAR(square(square.body(1).inertia[1]), 60 * (4 + 0.09) / 12, 1e-12);
  EXPECT_NEAR(square(square.body(1).inertia[2]), 60 * (4 + 0.01) / 12, 1e-12);
}

TEST(Points, AreNamesInEveryFormula) {
  const Start start(
      "bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [1, 2, 3], points: {tip: [0.5, 0, 0]},\n"
      "             velocity: [0.1, 0, 0], angular_velocity: [0, 0, 2]}}\n"
      "outputs: {a: b.tip.x, b: b.tip.vy, c: 2*b.tip.z}\n");
  EXPECT_NEAR(start(start.model.outputs[0].value), 1.5, 1e-15);
  EXPECT_NEAR(start(start.model.outputs[1].value), 1, 1e-15);  // ω × r = 2·0.5
  EXPECT_NEAR(start(start.model.outputs[2].value), 6, 1e-15);
  try {
    read_model("bodies: {b: {mass: 1, inertia: [1, 1, 1], points: {tip: [1, 0, 0]}}}\noutputs: {a: b.tap.x}\n",
               "t.yaml");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(error.remedy().find("tip.x"), std::string::npos) << error.what();
  }
}

TEST(Points, LeadAMechanismAlongAPath) {
  // A bar on a hinge whose end is led: its angle follows, sin(angle) = height / length.
  const Model model = read_model(
      "bodies: {arm: {bar: {from: [0, 0], to: [2, 0], mass: 1}, planar: true}}\n"
      "joints: {pivot: {type: revolute, bodies: [ground, arm], at: arm.from, axis: [0, 0, 1]}}\n"
      "constraints: {lead: arm.to.y = 0.5*t^2}\n",
      "test.yaml");
  const taut::Run run = simulate(model, {.until = 1});
  for (const auto& [name, value] : run.summary.final_coordinates)
    if (name == "arm.angle") EXPECT_NEAR(value, std::asin(0.25), 1e-9);
}

TEST(Bars, SayWhatTheyTakeForGranted) {
  const Model slender = read_model("bodies: {b: {bar: {from: [0, 0, 0], to: [0, 0, 2], mass: 1}}}\n", "test.yaml");
  ASSERT_EQ(slender.notes.size(), 1U);
  EXPECT_NE(slender.notes[0].find("1/40 of its length"), std::string::npos);
  EXPECT_TRUE(
      read_model("bodies: {b: {bar: {from: [0, 0], to: [0, 2], mass: 1}, planar: true}}\n", "test.yaml").notes.empty());
}

/// A uniform rod on a hinge swings by ω² = 3 g/(2 l) for small angles; its middle starts at 1e-3 of l/2 from below.
TEST(Bars, SwingAsUniformRodsDo) {
  const Model model = read_model(R"(
gravity: [0, -9.81]
bodies: {rod: {bar: {from: [0, 0], to: [1e-3, -1], mass: 3}, planar: true}}
joints: {pin: {type: revolute, bodies: [ground, rod], at: rod.from, axis: [0, 0, 1]}}
outputs: {tip: "point(rod, [0.5, 0, 0]).x"}
)",
                                 "test.yaml");
  const double period = 2 * pi / std::sqrt(1.5 * 9.81);
  const taut::Run run = simulate(model, {.until = period, .rtol = 1e-10});
  // θ²/16 of the period is 6e-8 of it; at the turning point that changes nothing to second order.
  EXPECT_NEAR(run.trajectory.rows.back().back(), 0.5e-3 + 0.5e-3, 1e-8);
}

TEST(Shapes, HaveTheMassAndMomentsOfTheirKind) {
  const Start ball("bodies: {b: {shape: {sphere: 0.2, density: 1000}}}\n");
  const double m = 1000 * 4 * pi / 3 * 0.008;
  EXPECT_NEAR(ball(ball.body(1).mass), m, 1e-12);
  EXPECT_NEAR(ball(ball.body(1).inertia[2]), 0.4 * m * 0.04, 1e-13);
  const Start tube("bodies: {b: {mass: 5, shape: {cylinder: {radius: 0.2, inner: 0.1, length: 1}}}}\n");
  EXPECT_NEAR(tube(tube.body(1).inertia[2]), 5 * 0.05 / 2, 1e-15);
  EXPECT_NEAR(tube(tube.body(1).inertia[0]), 5 * (0.05 / 4 + 1.0 / 12), 1e-15);
  const Start box("bodies: {b: {shape: {box: [1, 2, 3], density: 2}}}\n");
  EXPECT_NEAR(box(box.body(1).mass), 12, 1e-15);
  EXPECT_NEAR(box(box.body(1).inertia[0]), 13, 1e-14);
}

std::string message_of(const std::string& text) {
  try {
    read_model(text, "test.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}

TEST(Shapes, AreRefusedWithAReason) {
  const auto body = [](const std::string& what) { return message_of("bodies: {b: {" + what + "}}\n"); };
  EXPECT_NE(body("shape: {sphere: 1}").find("neither mass nor density"), std::string::npos);
  EXPECT_NE(body("mass: 1, shape: {sphere: 1, density: 2}").find("a mass and a density"), std::string::npos);
  EXPECT_NE(body("inertia: [1, 1, 1], shape: {sphere: 1, density: 2}").find("leave 'inertia' out"), std::string::npos);
  EXPECT_NE(body("bar: {from: [0, 0], to: [0, 0], mass: 1}").find("ends where it begins"), std::string::npos);
  EXPECT_NE(body("bar: {from: [0, 0], to: [1, 0]}").find("lacks 'mass'"), std::string::npos);
  EXPECT_NE(body("shape: {sphere: -1, density: 2}").find("above zero"), std::string::npos);
  EXPECT_NE(body("shape: {cube: 1, density: 2}").find("has no 'cube'"), std::string::npos);
}

TEST(Points, AreWhereTheBodyHasThem) {
  const Start start(R"(
bodies:
  b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], orientation: {axis: [0, 0, 1], angle: pi/2}, points: {tip: [0.5, 0, 0]}}
joints: {ball: {type: spherical, bodies: [ground, b], at: b.tip}}
)");
  EXPECT_NEAR((start(start.model.joints[0].point) - Vector3d(1, 0.5, 0)).norm(), 0, 1e-15);
  const Start seen(R"(
bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], points: {tip: [0.5, 0, 0]}}}
outputs: {tip: b.tip, place: b.x}
draw: [{point: b.tip}, {line: [[0, 0, 0], b.tip]}]
)");
  ASSERT_EQ(seen.model.outputs.size(), 4U) << "tip.x, tip.y, tip.z, place";
  EXPECT_EQ(seen(seen.model.outputs[0].value), 1.5);
  EXPECT_EQ(seen(seen.model.drawing[1].points[1][0]), 1.5);
  EXPECT_NE(
      message_of("bodies: {b: {mass: 1, inertia: [1, 1, 1], points: {x: [1, 0, 0]}}}\n").find("choose another name"),
      std::string::npos);
  EXPECT_NE(message_of("bodies: {b: {mass: 1, inertia: [1, 1, 1], points: {tip: [1, 0, 0]}}}\n"
                       "joints: {j: {type: spherical, bodies: [ground, b], at: b.top}}\n")
                .find("body 'b' has no point 'top'; did you mean 'tip'?"),
            std::string::npos);
}

class PointsOfParts : public ModelsInAFolder {};

/// A part that is moved by 5 along x and turned by 90° about z: its bar, from (1, 0) to (2, 0) in its own file, goes
/// from (5, 1) to (5, 2).
TEST_F(PointsOfParts, StandWhereThePartStands) {
  write("arm.yaml", R"(
bodies:
  bar: {bar: {from: [1, 0, 0], to: [2, 0, 0], mass: 1, radius: 0.1}}
  next: {bar: {from: bar.to, to: [3, 0, 0], mass: 1, radius: 0.1}}
joints:
  hook: {type: spherical, bodies: [ground, bar], at: bar.from}
  knee: {type: spherical, bodies: [bar, next], at: next.from}
)");
  write("whole.yaml", "parts: {a: {model: arm.yaml, at: [5, 0, 0], orientation: {axis: [0, 0, 1], angle: pi/2}}}\n");
  const Model model = load_model(path("whole.yaml"));
  const InitialValues initial = initial_values(model);
  std::vector<double> values(model.graph->symbols(), 0.0);
  for (std::size_t k = 0; k < initial.coordinates.size(); ++k)
    values[model.coordinates[k].symbol] = initial.coordinates[k];
  const auto at = [&](const Vector3& a) {
    return Vector3d(evaluate(a.x, values), evaluate(a.y, values), evaluate(a.z, values));
  };
  EXPECT_NEAR((at(model.joints[0].point) - Vector3d(5, 1, 0)).norm(), 0, 1e-14);
  EXPECT_NEAR((at(model.joints[1].point) - Vector3d(5, 2, 0)).norm(), 0, 1e-14);
  EXPECT_NEAR((at(model.bodies[2].position) - Vector3d(5, 2.5, 0)).norm(), 0, 1e-14);
}

TEST(Orientations, ByEulerAnglesTurnAboutTheirOwnAxes) {
  const auto turned = [](const std::string& order) {
    const Start start("bodies: {b: {mass: 1, inertia: [1, 2, 2.5], orientation: {euler: [0.3, -0.5, 0.7]" + order +
                      "}}}\n");
    const Quaternion& q = start.body(1).orientation;
    return Eigen::Quaterniond(start(q.w), start(q.x), start(q.y), start(q.z));
  };
  const auto about = [](double angle, int axis) { return Eigen::Quaterniond(AngleAxisd(angle, Vector3d::Unit(axis))); };
  EXPECT_NEAR(turned("").angularDistance(about(0.3, 2) * about(-0.5, 1) * about(0.7, 0)), 0, 1e-14);
  EXPECT_NEAR(turned(", order: zxz").angularDistance(about(0.3, 2) * about(-0.5, 0) * about(0.7, 2)), 0, 1e-14);
  EXPECT_NE(message_of("bodies: {b: {mass: 1, inertia: [1, 1, 1], orientation: {euler: [0, 0, 0], order: xxy}}}\n")
                .find("none twice in a row"),
            std::string::npos);
}

TEST(AngularVelocities, MayBeGivenInBodyAxes) {
  const Start start(
      "bodies: {b: {mass: 1, inertia: [1, 1, 1], orientation: {axis: [0, 0, 1], angle: pi/2}, "
      "angular_velocity: {body: [1, 2, 3]}}}\n");
  EXPECT_NEAR((start(start.body(1).omega) - Vector3d(-2, 1, 3)).norm(), 0, 1e-15);
}

/// Pulled out at a constant rate, a mass keeps its angular momentum: θ = ∫ dt/L² = t/L for L = 1 + t/10.
TEST(Rods, MayChangeTheirLengthWithTime) {
  const Model model = read_model(R"(
bodies: {bob: {mass: 1, inertia: [0, 0, 1], position: [1, 0], velocity: [0.1, 1], planar: true}}
joints: {string: {type: distance, bodies: [ground, bob], points: [[0, 0], [1, 0]], length: 1 + 0.1*t}}
)",
                                 "test.yaml");
  const taut::Run run = simulate(model, {.until = 5, .rtol = 1e-10});
  const auto& row = run.trajectory.rows.back();
  EXPECT_NEAR(row[1], 1.5 * std::cos(5 / 1.5), 1e-7);
  EXPECT_NEAR(row[2], 1.5 * std::sin(5 / 1.5), 1e-7);
}

TEST(Points, TheCentreOfMassIsOneByName) {
  const Start start(
      "bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [1, 2, 3]}}\n"
      "joints: {j: {type: spherical, bodies: [ground, b], at: b.centre}}\noutputs: {y: b.centre.y}\n");
  EXPECT_NEAR(start(start.model.joints[0].point.y), 2, 1e-15);
  EXPECT_NEAR(start(start.model.outputs[0].value), 2, 1e-15);
  const std::string message = message_of(
      "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\njoints: {j: {type: spherical, bodies: [ground, b], at: b}}\n");
  EXPECT_NE(message.find("'b.centre' is its centre of mass"), std::string::npos) << message;
}

}  // namespace
}  // namespace taut
