#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <list>

#include "expression/program.hpp"
#include "model/mesh.hpp"
#include "model/sketch/hull.hpp"
#include "output/stroboscope.hpp"
#include "taut/simulation.hpp"

/// What a mechanism looks like whose author drew nothing.
namespace taut {
namespace {

using Eigen::Vector3d;

double number(const Expression& value) { return evaluate(value, {}); }
Vector3d numbers(const Vector3& a) { return {number(a.x), number(a.y), number(a.z)}; }
Vector3d axis_of(const Drawing& drawing) {
  const auto& [w, x, y, z] = drawing.solid->orientation;
  return Eigen::Quaterniond(number(w), number(x), number(y), number(z)) * Vector3d::UnitZ();
}

struct Wanted {
  std::string kind, label, role;
};

std::vector<Drawing> drawn(const std::string& text, const Wanted& wanted) {
  static std::list<Model> models;  // points of a drawing are formulas of its model
  models.push_back(read_model(text, "test.yaml"));
  std::vector<Drawing> found;
  for (const Drawing& drawing : default_drawing(models.back()))
    if (drawing.kind == wanted.kind && drawing.label == wanted.label && drawing.role == wanted.role)
      found.push_back(drawing);
  return found;
}

const std::string crank = R"(
bodies:
  crank: {mass: 1, inertia: [0, 0, 7], position: [0.5, 0], planar: true}
  rod: {mass: 1, inertia: [0, 0, 1/12], position: [1, 1], planar: true}
joints:
  pivot: {type: revolute, bodies: [ground, crank], at: [0, 0], axis: [0, 0, 1], velocity: 1}
  elbow: {type: revolute, bodies: [crank, rod], at: [1, 0], axis: [0, 0, 1]}
  tip: {type: point-on-line, bodies: [ground, rod], at: [1, 2], axis: [1, 0, 0]}
)";

TEST(Sketch, LaysABarBetweenTheJointsOfABodyWhateverItsInertia) {
  const auto bars = drawn(crank, {"cylinder", "crank", ""});
  ASSERT_EQ(bars.size(), 1U);
  EXPECT_NEAR(number(bars[0].solid->size[1]), 1, 1e-14) << "from the pivot to the elbow";
  EXPECT_NEAR(numbers(bars[0].solid->at).norm(), 0, 1e-14) << "its middle is the centre of mass";
  EXPECT_NEAR(std::abs(axis_of(bars[0]).x()), 1, 1e-14);
  EXPECT_TRUE(drawn(crank, {"box", "crank", ""}).empty());
}

/// The foot of a leg: no joint is there, and the leg reaches it.
TEST(Sketch, ReachesThePointsThatHaveNames) {
  const std::string leg = R"(
bodies: {leg: {mass: 1, inertia: [0, 0, 1], position: [0, -0.5], planar: true, points: {foot: [0, -1.5]}}}
joints: {hip: {type: revolute, bodies: [ground, leg], at: [0, 0], axis: [0, 0, 1]}}
)";
  const auto bars = drawn(leg, {"cylinder", "leg", ""});
  ASSERT_EQ(bars.size(), 1U);
  EXPECT_NEAR(number(bars[0].solid->size[1]), 2, 1e-14) << "from the hip to the foot";
}

TEST(Sketch, LeavesARotorRoundThatHasAPointWithAName) {
  const std::string rotor = R"(
bodies: {rotor: {mass: 1, inertia: [0, 0, 0.5], planar: true, points: {valve: [1, 0]}}}
joints: {axle: {type: revolute, bodies: [ground, rotor], at: [0, 0], axis: [0, 0, 1]}}
)";
  const auto disks = drawn(rotor, {"cylinder", "rotor", ""});
  ASSERT_EQ(disks.size(), 1U);
  EXPECT_GT(number(disks[0].solid->size[0]), number(disks[0].solid->size[1])) << "wider than long";
}

TEST(Sketch, ShowsPinsStandsRailsAndMotors) {
  EXPECT_EQ(drawn(crank, {"cylinder", "crank", "pin"}).size(), 1U) << "the pivot";
  EXPECT_EQ(drawn(crank, {"cylinder", "rod", "pin"}).size(), 1U) << "the elbow";
  EXPECT_EQ(drawn(crank, {"mesh", "ground", "ground"}).size(), 1U) << "the stand of the pivot";
  EXPECT_EQ(drawn(crank, {"turn", "ground", "motor"}).size(), 1U);
  const auto rails = drawn(crank, {"cylinder", "ground", "ground"});
  const auto moving = std::ranges::find_if(rails, [](const Drawing& d) { return d.solid->reach.has_value(); });
  ASSERT_NE(moving, rails.end()) << "the wire is as long as the bead travels";
  EXPECT_NEAR(std::abs(axis_of(*moving).x()), 1, 1e-14);
}

TEST(Sketch, DrawsWhatRollsWithItsRadius) {
  const std::string text = R"(
gravity: [0, 0, -9.81]
bodies:
  ball: {mass: 1, inertia: [9, 9, 9], position: [0, 0, 0.25]}
  coin: {mass: 1, inertia: [1, 2, 3], position: [2, 0, 0.5], orientation: {axis: [1, 0, 0], angle: pi/2}}
joints:
  table: {type: rolling-ball, bodies: [ground, ball], radius: 0.25, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
  rim: {type: rolling-disk, bodies: [ground, coin], radius: 0.5, axis: [0, 1, 0], plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
)";
  const auto balls = drawn(text, {"sphere", "ball", ""});
  ASSERT_EQ(balls.size(), 1U);
  EXPECT_EQ(number(balls[0].solid->size[0]), 0.25);
  const auto disks = drawn(text, {"cylinder", "coin", ""});
  ASSERT_EQ(disks.size(), 1U);
  EXPECT_EQ(number(disks[0].solid->size[0]), 0.5);
  // The axis was given in the world; in the body, turned by 90° about x, y of the world is −z, or z.
  EXPECT_NEAR(std::abs(axis_of(disks[0]).z()), 1, 1e-14);
  EXPECT_EQ(drawn(text, {"floor", "ground", "ground"}).size(), 2U);
}

TEST(Sketch, DrawsSpringsDampersAndRodsFromEndToEnd) {
  const std::string text = R"(
bodies: {block: {mass: 1, inertia: [0, 0, 1], position: [0, -1], planar: true}}
joints: {rod: {type: distance, bodies: [ground, block], points: [[1, 0], [0, -1]]}}
forces:
  strut: {type: spring, bodies: [ground, block], points: [[0, 0], [0, -1]], stiffness: 1, damping: 1}
  band: {type: spring, bodies: [ground, block], points: [[0, 0], [0, -1]], stiffness: 1}
)";
  EXPECT_EQ(drawn(text, {"spring", "strut", "spring"}).size(), 1U);
  EXPECT_EQ(drawn(text, {"damper", "strut", "damper"}).size(), 1U);
  EXPECT_EQ(drawn(text, {"spring", "band", "spring"}).size(), 1U);
  EXPECT_TRUE(drawn(text, {"damper", "band", "damper"}).empty());
  const auto rods = drawn(text, {"rod", "rod", ""});
  ASSERT_EQ(rods.size(), 1U);
  ASSERT_EQ(rods[0].points.size(), 2U);
  EXPECT_EQ(number(rods[0].points[0][0]), 1);
}

/// Wheels with parallel axes 0.6 apart that turn as 1 to −1/2: r₁ ω₁ = r₂ ω₂ and r₁ + r₂ = 0.6.
TEST(Sketch, FindsTheRadiiOfGears) {
  const std::string text = R"(
bodies:
  pinion: {mass: 1, inertia: [0, 0, 0.01], position: [0, 0], planar: true}
  wheel: {mass: 4, inertia: [0, 0, 0.3], position: [0.6, 0], planar: true}
joints:
  a: {type: revolute, bodies: [ground, pinion], at: [0, 0], axis: [0, 0, 1]}
  b: {type: revolute, bodies: [ground, wheel], at: [0.6, 0], axis: [0, 0, 1]}
  mesh: {type: gear, joints: [a, b], ratio: -0.5}
)";
  ASSERT_EQ(drawn(text, {"gear", "pinion", ""}).size(), 1U);
  EXPECT_NEAR(number(drawn(text, {"gear", "pinion", ""})[0].solid->size[0]), 0.2, 1e-15);
  EXPECT_NEAR(number(drawn(text, {"gear", "wheel", ""})[0].solid->size[0]), 0.4, 1e-15);
}

/// A box of 1 by 2 by 3 without joints; a ball, m r² 2/5 about every axis; a disk, m r²/2 about its own and half of it
/// across.
TEST(Sketch, ShowsFreeBodiesByTheirInertia) {
  const auto body = [](const std::string& inertia) { return "bodies: {b: {mass: 3, inertia: " + inertia + "}}\n"; };
  const auto boxes = drawn(body("[3*(4 + 9)/12, 3*(1 + 9)/12, 3*(1 + 4)/12]"), {"box", "b", ""});
  ASSERT_EQ(boxes.size(), 1U);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(number(boxes[0].solid->size[static_cast<std::size_t>(k)]), k + 1, 1e-13);
  const auto balls = drawn(body("[1.2, 1.2, 1.2]"), {"sphere", "b", ""});
  ASSERT_EQ(balls.size(), 1U);
  EXPECT_NEAR(number(balls[0].solid->size[0]), 1, 1e-14);
  const auto disks = drawn(body("[0.75, 1.5, 0.75]"), {"cylinder", "b", ""});
  ASSERT_EQ(disks.size(), 1U);
  EXPECT_NEAR(number(disks[0].solid->size[0]), 1, 1e-14);
  EXPECT_NEAR(std::abs(axis_of(disks[0]).y()), 1, 1e-14);
}

/// A base as heavy as a house, held at its centre: it must not cover the arm.
TEST(Sketch, DrawsNothingLargerThanTheMechanismForItsInertia) {
  const std::string text = R"(
bodies:
  base: {mass: 1, inertia: [1e6, 1e6, 1e6]}
  arm: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}
joints:
  feet: {type: fixed, bodies: [ground, base], at: [0, 0, 0]}
  hinge: {type: revolute, bodies: [base, arm], at: [0, 0, 0], axis: [0, 0, 1]}
)";
  for (const Drawing& drawing : default_drawing(read_model(text, "test.yaml")))
    if (drawing.is_carried() && drawing.kind != "mesh")
      for (const Expression& size : drawing.solid->size) EXPECT_LE(number(size), 2.5) << drawing.kind;
}

/// m l²/12 of the whole bar, held at its end: it goes on beyond its centre. With less, there is a weight.
TEST(Sketch, LetsABarGoOnWhereItsMomentDoes) {
  const auto pendulum = [](const std::string& moment) {
    return "bodies: {bar: {mass: 1, inertia: [0, 0, " + moment +
           "], position: [1, 0], planar: true}}\n"
           "joints: {pivot: {type: revolute, bodies: [ground, bar], at: [0, 0], axis: [0, 0, 1]}}\n";
  };
  EXPECT_NEAR(number(drawn(pendulum("4/12"), {"cylinder", "bar", ""})[0].solid->size[1]), 2, 1e-14);
  EXPECT_NEAR(number(drawn(pendulum("0"), {"cylinder", "bar", ""})[0].solid->size[1]), 1, 1e-14);
}

TEST(Sketch, AddsToWhatTheAuthorDrawsUnlessToldOtherwise) {
  const std::string point = "{point: [rod.x, rod.y], label: middle}";
  const Model adds = read_model(crank + "draw: [" + point + "]\n", "test.yaml");
  const Model only = read_model(crank + "draw: {only: [" + point + "]}\n", "test.yaml");
  const Model looks =
      read_model(crank + "draw: {add: [" + point + "], hide: [crank], see_through: [rod]}\n", "test.yaml");
  const std::size_t own = default_drawing(adds).size();
  ASSERT_GT(own, 5U);
  EXPECT_EQ(whole_drawing(adds).size(), own + 1);
  EXPECT_EQ(whole_drawing(only).size(), 1U);
  EXPECT_EQ(whole_drawing(looks).size(), own + 1);
  EXPECT_EQ(looks.hidden, std::vector<std::string>{"crank"});
  EXPECT_EQ(looks.see_through, std::vector<std::string>{"rod"});
}

TEST(Sketch, RefusesUnknownKeysAndNamesOfDraw) {
  const auto message = [](const std::string& draw) {
    try {
      read_model(crank + draw, "test.yaml");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  EXPECT_NE(message("draw: {olny: []}\n").find("test.yaml:9:8: draw has no 'olny'; did you mean 'only'?"),
            std::string::npos)
      << message("draw: {olny: []}\n");
  EXPECT_NE(message("draw: {hide: [crnk]}\n").find("nothing that is drawn is named 'crnk'; did you mean 'crank'?"),
            std::string::npos)
      << message("draw: {hide: [crnk]}\n");
}

TEST(Sketch, IsEmptyWithoutBodies) {
  EXPECT_TRUE(default_drawing(read_model("coordinates: {x: 0}\nkinetic_energy: x'^2\n", "test.yaml")).empty());
}

/// A pendulum in the plane is a bar to its hinge, wherever it is.
TEST(Sketch, FollowsTheMotionInPictures) {
  const Model model = read_model(R"(
bodies: {bob: {mass: 1, inertia: [0, 0, 0.1], position: [1, 0, 0], planar: true, velocity: [0, 1, 0], angular_velocity: [0, 0, 1]}}
joints: {pivot: {type: revolute, bodies: [ground, bob], at: [0, 0, 0], axis: [0, 0, 1]}}
)",
                                 "test.yaml");
  const taut::Run run = simulate(model, {.until = 1, .rtol = 1e-10});
  const auto curves = stroboscope(model, {}, run.trajectory, {.count = 2});
  const Curve* last = nullptr;
  for (const Curve& curve : curves)
    if (curve.x.size() == 2 && std::abs(curve.x[0] + curve.x[1] - std::cos(1.0)) < 1e-8) last = &curve;
  ASSERT_NE(last, nullptr) << "from the centre of mass at (cos 1, sin 1) to the origin";
  EXPECT_NEAR(last->y[0] + last->y[1], std::sin(1.0), 1e-8);
}

// ---- hulls --------------------------------------------------------------------------------------

/// The volume of a closed surface, Σ a·(b×c)/6 over its triangles, which is positive where they look outwards.
double volume(const Mesh& mesh) {
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto at = [&](int k) {
      const auto& p = mesh.vertices[static_cast<std::size_t>(k)];
      return Vector3d(p[0], p[1], p[2]);
    };
    sum += at(a).dot(at(b).cross(at(c))) / 6;
  }
  return sum;
}

TEST(Hull, OfATetrahedronHasItsVolumeAndLooksOutwards) {
  const Mesh mesh = hull_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 0.1}});
  EXPECT_EQ(mesh.triangles.size(), 4U) << "the point inside has no face";
  EXPECT_NEAR(volume(mesh), 1.0 / 6, 1e-6);
}

TEST(Hull, GoesAroundAFlatPolygon) {
  const auto rim = rim_of_plane({{0, 0, 2}, {1, 1, 2}, {1, 0, 2}, {0, 1, 2}, {0.5, 0.5, 2}, {0.5, 0, 2}}, 1e-9);
  ASSERT_TRUE(rim);
  EXPECT_EQ(rim->size(), 4U);
  EXPECT_NEAR(volume(plate_of(*rim, 0.1)), 0.1, 1e-6);
  EXPECT_FALSE(rim_of_plane({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 1e-9));
}

TEST(Hull, KnowsALine) {
  const auto ends = ends_of_line({{0, 0, 0}, {1, 1, 0}, {3, 3, 0}}, 1e-9);
  ASSERT_TRUE(ends);
  EXPECT_NEAR((ends->first - ends->second).norm(), std::sqrt(18), 1e-14);
  EXPECT_FALSE(ends_of_line({{0, 0, 0}, {1, 1, 0.1}, {3, 3, 0}}, 1e-9));
}

}  // namespace
}  // namespace taut
