// Mechanisms that start elsewhere than they are drawn: against closed forms, and against a motor that leads them there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mechanism/compared.hpp"
#include "mechanism/random_mechanism.hpp"
#include "taut/error.hpp"
#include "taut/model.hpp"
#include "taut/simulation.hpp"

namespace taut::testing {
namespace {

using std::numbers::pi;
constexpr Coordinates both[] = {Coordinates::bodies, Coordinates::joints};

/// The state that a run starts from.
Summary start_of(const Model& model, Coordinates coordinates, const std::vector<Assignment>& set,
                 bool assemble = false) {
  Options options = options_of(model);
  options.until = 0;
  options.set = set;
  options.assemble = assemble;
  return run_in(coordinates, model, options);
}

std::string refusal(const Model& model, Coordinates coordinates, const std::vector<Assignment>& set,
                    bool assemble = false) {
  try {
    start_of(model, coordinates, set, assemble);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

bool says(const Summary& summary, const std::string& words) {
  return std::ranges::any_of(summary.notes, [&](const std::string& note) { return note.find(words) != note.npos; });
}

/// Beyond a joint that is cut, though no loop needs it, hangs a body that has coordinates of its own: where the joint
/// is led, that body goes along, and what the joint hangs on stays.
TEST(JointStart, OfAJointThatIsCutMovesWhatHangsOnIt) {
  const std::string chain = R"yaml(
gravity: [0, -9.81, 0]
bodies:
  a: {mass: 1, inertia: [0.01, 0.01, 0.02], position: [0.5, 0, 0]}
  b: {mass: 1, inertia: [0.01, 0.01, 0.02], position: [1.5, 0, 0]}
  c: {mass: 1, inertia: [0.01, 0.01, 0.02], position: [2.5, 0, 0]}
joints:
  j1: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
  j2: {type: revolute, bodies: [a, b], at: [1, 0, 0], axis: [0, 0, 1], angle: 0.7, rate: 0.3, HOW}
  j3: {type: revolute, bodies: [b, c], at: [2, 0, 0], axis: [0, 0, 1]}
simulate: {until: 0.5, rtol: 1e-10}
outputs: {a1: j1.angle, a2: j2.angle, a3: j3.angle, r1: j1.rate, r2: j2.rate, r3: j3.rate}
)yaml";
  for (const std::string how : {"cut: true", "friction: {coefficient: 0.1, radius: 0.02}"}) {
    std::string text = chain;
    text.replace(text.find("HOW"), 3, how);
    const Model model = read_model(text, "chain.yaml");
    for (const Coordinates coordinates : both) {
      const Summary start = start_of(model, coordinates, {});
      for (const auto& [name, value] :
           {std::pair{"a1", 0.0}, {"a2", 0.7}, {"a3", 0.0}, {"r1", 0.0}, {"r2", 0.3}, {"r3", 0.0}})
        EXPECT_NEAR(value_of(start.final_outputs, name), value, 1e-9) << how << " " << name;
      EXPECT_NEAR(value_of(start.final_coordinates, "c.x"), 1 + 1.5 * std::cos(0.7), 1e-9) << how;
    }
  }
}

/// Velocities that are computed leave rounding errors where nothing moves; these are no speeds to be kept.
TEST(JointStart, FromRestMayHaveVelocitiesOfRounding) {
  const Model model = read_model(R"yaml(
bodies:
  crank: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0], velocity: [5.4e-20, 0, 0], angular_velocity: [0, 0, 3e-20]}
joints:
  hinge: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1], torque: 2}
simulate: {until: 1}
)yaml",
                                 "test.yaml");
  for (const Coordinates coordinates : both) {
    const Summary summary = run_in(coordinates, model, options_of(model));
    EXPECT_EQ(summary.verdict, Verdict::done) << summary.verdict_reason;
    // φ = ½ M t²/(I + m r²)
    EXPECT_NEAR(value_of(summary.final_rates, "crank.omega_z"), 2 / 0.35, 1e-7);
  }
}

/// The spin of a body without inertia about the line from its ball to its centre has no part in the metric of masses;
/// it was met to three digits.
TEST(JointStart, MeetsSpeedsOfBodiesWithoutInertia) {
  const Model model = read_model(R"yaml(
bodies:
  b0: {mass: 1.8317, position: [-0.569592, -0.6269440000000001, 0.206264],
       velocity: [-0.1764518248330687, 0.7535245133525464, 0.14104305582928825],
       angular_velocity: [0.1024083212098867, 0.46799370427799414, -2.3721450953069856]}
  b1: {mass: 1.9389, inertia: [0.22350281970000002, 0.3102298167, 0.1786037124],
       position: [-1.15408, 0.13439199999999996, -0.482888],
       orientation: [0.2656675863385617, 0, -0.9640646936637826, 0],
       velocity: [0.4801163940735551, 0.9327001411522944, 0.4925469016919748],
       angular_velocity: [0.1024083212098867, 0.46799370427799414, -0.986029363442447]}
joints:
  j0: {type: spherical, bodies: [ground, b0], at: [-0.22683599999999998, -0.437852, -0.375158]}
  j1: {type: planar, bodies: [b0, b1], at: [-1.249996, 0.13716399999999995, -0.22347699999999998], normal: [0, 0, -1]}
  j2: {type: planar, bodies: [ground, b1], at: [-0.68399, 0.27688599999999997, 0.172346],
       normal: [-0.067144, -0.30684, 0.64649], cut: false}
)yaml",
                                 "test.yaml");
  for (const Coordinates coordinates : both)
    EXPECT_NEAR(value_of(start_of(model, coordinates, {}).final_rates, "b0.omega_x"), 0.1024083212098867, 1e-11);
}

// ---- without loops ----------------------------------------------------------------------------------

const char* const double_pendulum = R"yaml(
parameters: {l: 0.8, phi: 0.3}
gravity: [0, -9.81, 0]
bodies:
  upper: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [l/2, 0, 0]}
  lower: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [3*l/2, 0, 0]}
joints:
  shoulder: {type: revolute, bodies: [ground, upper], at: [0, 0, 0], axis: [0, 0, 1], angle: phi, rate: 2}
  elbow: {type: revolute, bodies: [upper, lower], at: [l, 0, 0], axis: [0, 0, 1]}
)yaml";

TEST(JointStart, CarriesAlongWhatHangsOnTheJoint) {
  const Model model = read_model(double_pendulum, "test.yaml");
  for (const Coordinates coordinates : both) {
    const Summary summary = start_of(model, coordinates, {});
    const double l = 0.8, phi = 0.3;
    EXPECT_NEAR(value_of(summary.final_coordinates, "lower.x"), 1.5 * l * std::cos(phi), 1e-13);
    EXPECT_NEAR(value_of(summary.final_coordinates, "lower.y"), 1.5 * l * std::sin(phi), 1e-13);
    EXPECT_NEAR(value_of(summary.final_rates, "lower.vy"), 2 * 1.5 * l * std::cos(phi), 1e-12);
    EXPECT_NEAR(value_of(summary.final_rates, "lower.omega_z"), 2, 1e-12);
    EXPECT_TRUE(says(summary, "'shoulder.angle' at 0.3"));
  }
}

TEST(JointStart, IsSetFromOutside) {
  const Model model = read_model(double_pendulum, "test.yaml");
  for (const Coordinates coordinates : both) {
    // Set of the model as it was read, which is not read again.
    const Summary summary = start_of(
        model, coordinates, {{"shoulder.angle(0)", "2*phi"}, {"elbow.angle(0)", "-1"}, {"elbow.angle'(0)", "0.5"}});
    const double l = 0.8, phi = 0.6, lower = phi - 1;
    EXPECT_NEAR(value_of(summary.final_coordinates, "lower.x"), l * std::cos(phi) + l / 2 * std::cos(lower), 1e-13);
    EXPECT_NEAR(value_of(summary.final_rates, "lower.omega_z"), 2.5, 1e-12);
  }
  EXPECT_NE(refusal(model, Coordinates::bodies, {{"shoulder.travel(0)", "1"}}).find("shoulder"), std::string::npos);
}

TEST(JointStart, IsRefusedWhereTheJointHasNoSuchCoordinate) {
  const std::string bodies = "bodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\njoints:\n";
  for (const char* joint : {"{type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], travel: 1}",
                            "{type: spherical, bodies: [ground, a], at: [0, 0, 0], angle: 1}",
                            "{type: cylindrical, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], rate: 1}",
                            "{type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], fixed: true}"}) {
    try {
      read_model(bodies + "  j: " + joint, "test.yaml");
      ADD_FAILURE() << joint;
    } catch (const InputError& error) {
      EXPECT_EQ(error.place().line, 4) << error.what();
    }
  }
}

TEST(JointStart, OfACylindricalJointIsAngleAndTravel) {
  const Model model = read_model(R"yaml(
bodies:
  a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  j: {type: cylindrical, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], angle: pi/2, travel: 0.3, angle_rate: 2, travel_rate: -1}
)yaml",
                                 "test.yaml");
  for (const Coordinates coordinates : both) {
    const Summary summary = start_of(model, coordinates, {});
    EXPECT_NEAR(value_of(summary.final_coordinates, "a.y"), 1, 1e-14);
    EXPECT_NEAR(value_of(summary.final_coordinates, "a.z"), 0.3, 1e-14);
    EXPECT_NEAR(value_of(summary.final_rates, "a.vx"), -2, 1e-13);
    EXPECT_NEAR(value_of(summary.final_rates, "a.vz"), -1, 1e-13);
  }
}

// ---- a four-bar linkage, in closed form -------------------------------------------------------------

/// Ground g along x, crank a, coupler b, rocker c: drawn with the crank at 90 degrees and the elbow up.
struct FourBar {
  double g, a, b, c;

  /// The joint of coupler and rocker: where two circles meet, on the left of the line from the crank's tip to the
  /// rocker's pivot (side 1) or on the right (−1); none where they do not meet.
  std::optional<std::array<double, 2>> tip(double crank, double side) const {
    const double px = a * std::cos(crank), py = a * std::sin(crank), dx = g - px, dy = -py, d = std::hypot(dx, dy);
    const double along = (d * d + b * b - c * c) / (2 * d), square = b * b - along * along;
    if (square < 0) return std::nullopt;
    const double across = side * std::sqrt(square);
    return std::array{px + (along * dx - across * dy) / d, py + (along * dy + across * dx) / d};
  }

  std::string text(bool planar, double side = 1) const {
    const auto [x, y] = *tip(pi / 2, side);
    const auto body = [&](const char* name, double x1, double y1, double x2, double y2) {
      return fmt::format("  {}: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: [{:.17g}, {:.17g}, 0]{}}}\n", name,
                         (x1 + x2) / 2, (y1 + y2) / 2, planar ? ", planar: true" : "");
    };
    const auto pin = [](const char* name, const char* first, const char* second, double x, double y) {
      return fmt::format("  {}: {{type: revolute, bodies: [{}, {}], at: [{:.17g}, {:.17g}, 0], axis: [0, 0, 1]}}\n",
                         name, first, second, x, y);
    };
    return "bodies:\n" + body("crank", 0, 0, 0, a) + body("coupler", 0, a, x, y) + body("rocker", g, 0, x, y) +
           "joints:\n" + pin("A", "ground", "crank", 0, 0) + pin("B", "crank", "coupler", 0, a) +
           pin("C", "coupler", "rocker", x, y) + pin("D", "ground", "rocker", g, 0);
  }
};

void expect_tip(const FourBar& bars, const Summary& summary, double crank, double side) {
  const auto tip = bars.tip(crank, side);
  ASSERT_TRUE(tip);
  // Middle of the rocker.
  EXPECT_NEAR(value_of(summary.final_coordinates, "rocker.x"), (bars.g + (*tip)[0]) / 2, 1e-11);
  EXPECT_NEAR(value_of(summary.final_coordinates, "rocker.y"), (*tip)[1] / 2, 1e-11);
}

const FourBar turning{2, 0.6, 1.8, 1.5};    // Grashof: the crank turns round
const FourBar rocking{1.5, 1.2, 1.3, 0.7};  // the crank rocks

TEST(JointStart, OfACrankClosesTheLoopAsItIsDrawn) {
  for (const bool planar : {true, false})
    for (const double side : {1.0, -1.0}) {
      const Model model = read_model(turning.text(planar, side), "test.yaml");
      for (int k = 0; k < 24; ++k) {
        const double by = k * pi / 12 - pi;
        for (const Coordinates coordinates : both) {
          const Summary summary = start_of(model, coordinates, {{"A.angle(0)", fmt::format("{:.17g}", by)}});
          SCOPED_TRACE(by);
          expect_tip(turning, summary, pi / 2 + by, side);
          EXPECT_FALSE(says(summary, "meet"));
        }
      }
    }
}

TEST(JointStart, MayBeGivenAtAJointThatIsCut) {
  const Model model = read_model(turning.text(false), "test.yaml");
  const Summary led = start_of(model, Coordinates::joints, {{"A.angle(0)", "0.8"}});
  const std::string C = fmt::format("{:.17g}", [&] {
    const Summary bodies = start_of(model, Coordinates::bodies, {{"A.angle(0)", "0.8"}});
    const auto turned = [&](const char* b) {
      return 2 * std::atan2(value_of(bodies.final_coordinates, std::string(b) + ".qz"),
                            value_of(bodies.final_coordinates, std::string(b) + ".qw"));
    };
    return turned("rocker") - turned("coupler");
  }());
  for (const Coordinates coordinates : both) {
    const Summary summary = start_of(model, coordinates, {{"C.angle(0)", C}});
    EXPECT_NEAR(value_of(summary.final_coordinates, "rocker.x"), value_of(led.final_coordinates, "rocker.x"), 1e-11);
  }
}

/// Where coupler and rocker lie in line, one behind the other or one upon the other: a² + g² − 2 a g cos φ = (b ± c)².
double limit_of_rocking(double sign) {
  const auto [g, a, b, c] = rocking;
  return std::acos((a * a + g * g - (b + sign * c) * (b + sign * c)) / (2 * a * g)) - pi / 2;
}

TEST(JointStart, OutOfReachIsRefusedWithHowFarItGoes) {
  const Model model = read_model(rocking.text(true), "test.yaml");
  for (const Coordinates coordinates : both)
    for (const double sign : {1.0, -1.0}) {
      const std::string text = refusal(model, coordinates, {{"A.angle(0)", sign > 0 ? "2.5" : "-2.5"}});
      EXPECT_NE(text.find("'A.angle' 2.5 is out of reach"), sign > 0 ? std::string::npos : 0) << text;
      EXPECT_NE(text.find(fmt::format("led to {:.3g}", limit_of_rocking(sign))), std::string::npos) << text;
      EXPECT_EQ(refusal(model, coordinates, {{"A.angle(0)", fmt::format("{}", limit_of_rocking(sign) * 0.999)}}), "");
    }
}

/// Drawn with crank and rod in line, the slider can go back in two ways, and the rows depend on each other there. With
/// r = 1 and l = 2 it stands at 2.5 where cos φ = (r² + 2.5² − l²)/(2 r 2.5) = 0.65.
TEST(JointStart, FromADeadCentreNearChoosesTheWay) {
  const Model model = read_model(R"yaml(
bodies:
  crank: {mass: 1, inertia: [0, 0, 0.1], position: [0.5, 0, 0], planar: true}
  rod: {mass: 1, inertia: [0, 0, 0.1], position: [2, 0, 0], planar: true}
  slider: {mass: 1, inertia: [0, 0, 1], position: [3, 0, 0], planar: true}
joints:
  pivot: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}
  elbow: {type: revolute, bodies: [crank, rod], at: [1, 0, 0], axis: [0, 0, 1]}
  wrist: {type: revolute, bodies: [rod, slider], at: [3, 0, 0], axis: [0, 0, 1]}
  rail: {type: prismatic, bodies: [ground, slider], at: [3, 0, 0], axis: [1, 0, 0]}
)yaml",
                                 "test.yaml");
  for (const Coordinates coordinates : both) {
    for (const double sign : {1.0, -1.0}) {
      const Summary summary =
          start_of(model, coordinates, {{"rail.travel(0)", "-0.5"}, {"pivot.near(0)", fmt::format("{}", sign)}});
      EXPECT_NEAR(value_of(summary.final_coordinates, "crank.angle"), sign * std::acos(0.65), 1e-9);
      EXPECT_TRUE(says(summary, "of the ways of closing the loops"));
    }
    EXPECT_NE(refusal(model, coordinates, {{"rail.travel(0)", "-0.5"}}).find("'near' at another joint"),
              std::string::npos);
    EXPECT_NE(refusal(model, coordinates, {{"rail.travel(0)", "0.5"}, {"pivot.near(0)", "1"}}).find("cannot be closed"),
              std::string::npos);
  }
}

TEST(JointStart, AssembledGoesAsFarAsItCan) {
  const Model model = read_model(rocking.text(true), "test.yaml");
  for (const Coordinates coordinates : both) {
    const Summary summary = start_of(model, coordinates, {{"A.angle(0)", "2.5"}}, true);
    EXPECT_TRUE(says(summary, "out of reach"));
    EXPECT_NEAR(value_of(summary.final_coordinates, "crank.angle"), limit_of_rocking(1), 1e-5);
  }
}

TEST(JointStart, NearAnotherWayOfClosingTheLoopTakesThatOne) {
  const FourBar bars = turning;
  for (const bool planar : {true, false}) {
    const Model model = read_model(bars.text(planar), "test.yaml");
    const auto [x, y] = *bars.tip(pi / 2 + 0.4, -1);
    const auto [x0, y0] = *bars.tip(pi / 2, 1);
    const double rocker = std::atan2(y, x - bars.g) - std::atan2(y0, x0 - bars.g);
    for (const Coordinates coordinates : both) {
      const Summary summary =
          start_of(model, coordinates, {{"A.angle(0)", "0.4"}, {"D.near(0)", fmt::format("{:.3g}", rocker + 0.1)}});
      expect_tip(bars, summary, pi / 2 + 0.4, -1);
      EXPECT_TRUE(says(summary, "of the ways of closing the loops"));
      const Summary drawn = start_of(model, coordinates, {{"A.angle(0)", "0.4"}, {"D.near(0)", "0"}});
      expect_tip(bars, drawn, pi / 2 + 0.4, 1);
    }
  }
}

/// Equal lengths: all four bars lie in line at half a turn, where parallelogram and antiparallelogram meet.
TEST(JointStart, BeyondAPositionInWhichWaysMeetSaysSo) {
  const FourBar bars{1, 0.5, 1, 0.5};
  const Model model = read_model(bars.text(true), "test.yaml");
  for (const Coordinates coordinates : both) {
    const Summary before = start_of(model, coordinates, {{"A.angle(0)", "1.2"}});
    EXPECT_FALSE(says(before, "meet"));
    const Summary beyond = start_of(model, coordinates, {{"A.angle(0)", "2"}});
    EXPECT_TRUE(says(beyond, "meet"));
    // Straight on: the parallelogram.
    EXPECT_NEAR(value_of(beyond.final_coordinates, "rocker.angle"), 2, 1e-9);
  }
}

TEST(JointStart, GivenARateGivesTheLoopItsVelocities) {
  const Model model = read_model(turning.text(false) + "", "test.yaml");
  const double h = 1e-5, at = 0.7;
  const auto x = [&](double by) { return ((*turning.tip(pi / 2 + by, 1))[0] + turning.g) / 2; };
  for (const Coordinates coordinates : both) {
    const Summary summary = start_of(model, coordinates, {{"A.angle(0)", "0.7"}, {"A.rate(0)", "3"}});
    EXPECT_NEAR(value_of(summary.final_rates, "rocker.vx"), 3 * (x(at + h) - x(at - h)) / (2 * h), 1e-8);
    EXPECT_NEAR(value_of(summary.final_rates, "crank.omega_z"), 3, 1e-12);
  }
}

TEST(JointStart, FixedIsKeptOrRefused) {
  std::string text = rocking.text(true);
  const std::string at = "axis: [0, 0, 1]}";
  text.replace(text.find(at), at.size(), "axis: [0, 0, 1], angle: 2.5, fixed: true}");
  const Model model = read_model(text, "test.yaml");
  for (const Coordinates coordinates : both)
    EXPECT_NE(refusal(model, coordinates, {}, true).find("out of reach"), std::string::npos);
}

// ---- the gallery, led by a motor --------------------------------------------------------------------

bool has_one_loop(const Model& model) {
  const bool drawn = std::ranges::all_of(model.joints, [](const Joint& joint) { return joint.drawn != nullptr; });
  return drawn && model.joints.size() == model.bodies.size() && check(model).degrees_of_freedom == 1;
}

std::vector<std::string> single_loops() {
  std::vector<std::string> names;
  for (const GalleryModel& entry : gallery())
    if (entry.name.starts_with("mechanisms/") && has_one_loop(load_model(entry.name))) names.push_back(entry.name);
  return names;
}

int crank_of(const Model& model) {
  for (std::size_t k = 0; k < model.joints.size(); ++k)
    if (model.joints[k].type == "revolute" && model.joints[k].first == 0) return static_cast<int>(k);
  return -1;
}

/// A run in which a motor turns the crank by half a turn in a second, at 12 equal angles; fewer where it cannot.
Trajectory led_by_motor(const std::string& name, double direction) {
  Model model = load_model(name);
  const int crank = crank_of(model);
  add_motor(model, crank, {Drive::position, direction * pi * model.t(), {}});
  Options options = options_of(model);
  options.until = 1;
  options.every = 1.0 / 12;
  options.rtol = 1e-10;
  options.assemble = true;
  options.coordinates = Coordinates::bodies;
  options.max_steps = 2000;  // at the end of the reach it would go on for long
  return simulate(model, options).trajectory;
}

class CrankOfSingleLoop : public ::testing::TestWithParam<std::string> {};

/// The same pose as the motor led it to, at the time of this row.
void expect_led(const Summary& summary, const Trajectory& led, std::size_t row) {
  for (std::size_t c = 1; c < led.columns.size(); ++c) {
    const auto same = std::ranges::find(summary.final_coordinates, led.columns[c], &NamedValue::name);
    // The motor's run keeps 1e-10 a step, over some hundred steps, next to positions that amplify it.
    if (same != summary.final_coordinates.end()) EXPECT_NEAR(same->value, led.rows[row][c], 1e-6) << led.columns[c];
  }
}

TEST_P(CrankOfSingleLoop, StartsWhereAMotorLeadsItOrIsRefused) {
  const Model model = load_model(GetParam());
  const std::string crank = model.joints[static_cast<std::size_t>(crank_of(model))].name;
  int refused = 0;
  for (const double direction : {1.0, -1.0}) {
    const Trajectory led = led_by_motor(GetParam(), direction);
    for (int k = 1; k <= 12; ++k) {
      const std::vector<Assignment> set{{crank + ".angle(0)", fmt::format("{:.17g}", direction * k * pi / 12)}};
      SCOPED_TRACE(set[0].value);
      try {
        const Summary bodies = start_of(model, Coordinates::bodies, set);
        const Summary joints = start_of(model, Coordinates::joints, set);
        EXPECT_LE(bodies.max_position_violation.value_or(0), 1e-10);
        expect_same(bodies.final_coordinates, joints.final_coordinates, 1e-10, "coordinates");
        // Beyond a position in which ways meet the motor's run may be on either; it is said.
        if (!says(bodies, "meet") && led.rows.size() > static_cast<std::size_t>(k))
          expect_led(bodies, led, static_cast<std::size_t>(k));
      } catch (const InputError& error) {
        ++refused;
        EXPECT_NE(std::string(error.what()).find("out of reach"), std::string::npos) << error.what();
        EXPECT_LT(led.rows.back()[0], k / 12.0 + 1e-9) << "the motor goes there";
        EXPECT_NE(refusal(model, Coordinates::joints, set), "");
      }
    }
  }
  EXPECT_LT(refused, 24);
}

INSTANTIATE_TEST_SUITE_P(Gallery, CrankOfSingleLoop, ::testing::ValuesIn(single_loops()), [](const auto& info) {
  std::string name = info.param.substr(info.param.find('/') + 1);
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace taut::testing
