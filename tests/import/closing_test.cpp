#include "model/import/closing.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "robots.hpp"
#include "taut/simulation.hpp"

namespace taut::robot {
namespace {

using Eigen::Isometry3d, Eigen::Translation3d, Eigen::Vector3d;
using testing::HasSubstr;

Isometry3d at(double x, double y, double z) { return Isometry3d(Translation3d(x, y, z)); }

/// Two arms of lengths 1 and `second` on hinges about z, 1 apart, drawn upright.
Robot two_arms() {
  Robot robot;
  for (const double x : {0.0, 1.0}) {
    const int k = static_cast<int>(robot.joints.size());
    robot.joints.push_back({.name = k == 0 ? "a" : "b", .kind = JointKind::revolute, .second = k + 1});
    robot.joints.back().at = {x, 0, 0};
    robot.links.push_back({.name = k == 0 ? "A" : "B", .pose = at(x, 0, 0), .parent_joint = k});
  }
  return robot;
}

OpenLoop tips(double first, double second) { return {"tip", {}, {1, at(0, first, 0)}, {2, at(1, second, 0)}, true}; }

TEST(Closing, LeavesWhatIsClosedAsItIs) {
  const Robot robot = two_arms();
  const OpenLoop loop{"tip", {}, {1, at(0.5, 2, 0)}, {2, at(0.5, 2, 0)}, false};
  EXPECT_THAT(closing_positions(robot, {loop}, {}), testing::ElementsAre(0, 0));
}

TEST(Closing, FindsTheTriangleOfThreeSides) {
  // Sides 1, 1 and 1: the arms lean towards each other by 30 degrees.
  Robot robot = two_arms();
  std::vector<OpenLoop> loops{tips(1, 1)};
  const std::vector<double> q = closing_positions(robot, loops, {});
  EXPECT_NEAR(q[0], -M_PI / 6, 1e-12);
  EXPECT_NEAR(q[1], M_PI / 6, 1e-12);
  lead_joints(robot, q, loops);
  EXPECT_NEAR((loops[0].a.pose.translation() - Vector3d(0.5, std::sqrt(0.75), 0)).norm(), 0, 1e-12);
  EXPECT_NEAR((loops[0].b.pose.translation() - loops[0].a.pose.translation()).norm(), 0, 1e-12);
}

TEST(Closing, GetsAwayFromWhereNoSlopeLeads) {
  // Frames that are half a turn apart about the axis of the hinge between them: the way to either side is the same.
  Robot robot = two_arms();
  robot.links[2].pose = at(0, 0, 0);
  robot.joints[1].at = {0, 0, 0};
  OpenLoop loop{"turn", {}, {1, Isometry3d::Identity()}, {2, Isometry3d::Identity()}, false};
  loop.b.pose.rotate(Eigen::AngleAxisd(M_PI, Vector3d::UnitZ()));
  const std::vector<double> q = closing_positions(robot, {loop}, {});
  EXPECT_NEAR(std::abs(std::remainder(q[0] - q[1], 2 * M_PI)), M_PI, 1e-11);
}

TEST(Closing, HeedsCouplings) {
  Robot robot = two_arms();
  const OpenLoop loop = tips(1, 1);
  const std::vector<double> q = closing_positions(robot, {loop}, {{.first = 0, .second = 1, .ratio = -1, .offset = 0}});
  EXPECT_NEAR(q[1], -q[0], 1e-12);
  EXPECT_NEAR(std::abs(q[0]), M_PI / 6, 1e-12);
}

TEST(Closing, SaysWhatStaysOpen) {
  try {
    closing_positions(two_arms(), {tips(1, 3)}, {});  // 1 + 1 < 3
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the best leaves open 'tip' by 1 m"));
    EXPECT_THAT(error.what(), HasSubstr("--ignore equality"));
  }
}

TEST(Closing, TiesOriginsWhereFramesCannotMeet) {
  // The tips meet where the arms lean towards each other, and are turned against each other by 60 degrees there.
  Robot robot = two_arms();
  std::vector<OpenLoop> loops{tips(1, 1)};
  loops[0].is_point = false;
  EXPECT_THROW(closing_positions(robot, loops, {}), InputError);
  const std::vector<double> q = relaxed_positions(robot, loops, {});
  EXPECT_TRUE(loops[0].is_point);
  EXPECT_NEAR(std::abs(q[0]), M_PI / 6, 1e-12);
  EXPECT_NEAR(q[1], -q[0], 1e-12);
}

TEST(Closing, KeepsFramesTogetherWhereTheyMeet) {
  // Of two ties at the same place, the one whose frames are turned by just these 60 degrees.
  Robot robot = two_arms();
  std::vector<OpenLoop> loops{tips(1, 1), tips(1, 1)};
  for (OpenLoop& loop : loops) loop.is_point = false;
  loops[1].a.pose.rotate(Eigen::AngleAxisd(M_PI / 3, Vector3d::UnitZ()));
  relaxed_positions(robot, loops, {});
  EXPECT_TRUE(loops[0].is_point);
  EXPECT_FALSE(loops[1].is_point);
}

TEST(Closing, RefusesWhatNotEvenOriginsCanClose) {
  std::vector<OpenLoop> loops{tips(1, 3)};
  loops[0].is_point = false;
  EXPECT_THROW(relaxed_positions(two_arms(), loops, {}), InputError);
}

/// Two legs whose tips are tied, as a file beside them says.
class FiveBar {
 public:
  explicit FiveBar(const std::string& beside) {
    std::filesystem::create_directories(folder_);
    std::ofstream(file()) << file_text(robot_path("five_bar.urdf"));
    std::ofstream(folder_ / "robot.yaml") << beside;
  }
  ~FiveBar() { std::filesystem::remove_all(folder_); }
  FiveBar(const FiveBar&) = delete;
  FiveBar& operator=(const FiveBar&) = delete;

  std::string file() const { return (folder_ / "robot.urdf").string(); }
  Summary start(Coordinates coordinates) const {
    return simulate(load_model(file()), {.until = 0, .coordinates = coordinates, .record = false}).summary;
  }

 private:
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "taut-five-bar";
};

/// A ball and a rigid tie are a tie of origins. The ball is three hinges with links without mass between them, which
/// the tree of joint coordinates must not cut off.
TEST(Closing, ABallBesideARigidTieIsATieOfPoints) {
  const Summary points = FiveBar("closed_loop: [[left_tip, right_tip]]\ntype: [3d]\n").start(Coordinates::joints);
  const FiveBar balls(
      "closed_loop: [[left_tip, right_tip]]\ntype: [6d]\njoint_name: [left_end]\njoint_type: [SPHERICAL]\n");
  const Summary joints = balls.start(Coordinates::joints), bodies = balls.start(Coordinates::bodies);
  EXPECT_EQ(joints.degrees_of_freedom, points.degrees_of_freedom);
  EXPECT_EQ(bodies.degrees_of_freedom, points.degrees_of_freedom);
  for (const char* name : {"left_lower.ax", "left_lower.az", "right_upper.alpha_y", "right_lower.alpha_y"})
    EXPECT_NEAR(value_of(joints.final_accelerations, name), value_of(bodies.final_accelerations, name), 1e-9) << name;
}

TEST(Closing, TypesOfJointsThatAreNotThereAreRefused) {
  const auto complaint = [](const std::string& more) -> std::string {
    const FiveBar robot("closed_loop: [[left_tip, right_tip]]\ntype: [3d]\n" + more);
    try {
      load_model(robot.file());
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(complaint("joint_name: [left_hipp]\njoint_type: [SPHERICAL]\n"), HasSubstr("did you mean 'left_hip'?"));
  EXPECT_THAT(complaint("joint_name: [left_hip]\njoint_type: [ROUND]\n"), HasSubstr("give SPHERICAL"));
  EXPECT_THAT(complaint("joint_name: [left_hip]\n"), HasSubstr("joint_name has 1 entries, joint_type 0"));
}

/// Loops of a URDF that are open as it is drawn: the model starts closed, in both kinds of coordinates.
TEST(Closing, AUrdfWithOpenLoopsStartsClosed) {
  const auto folder = std::filesystem::temp_directory_path() / "taut-closing";
  std::filesystem::create_directories(folder);
  const std::string file = (folder / "robot.urdf").string();
  std::string text = file_text(robot_path("five_bar.urdf"));
  std::ofstream(file) << text;
  std::ofstream(folder / "robot.yaml") << "closed_loop: [[left_tip, right_tip]]\ntype: [3d]\n";
  const Model closed = load_model(file);
  for (const Coordinates coordinates : {Coordinates::bodies, Coordinates::joints}) {
    const Summary summary = simulate(closed, {.until = 0.1, .coordinates = coordinates, .record = false}).summary;
    EXPECT_EQ(summary.outcome, Outcome::done) << summary.reason;
    EXPECT_LT(summary.max_position_violation.value_or(1), 1e-9);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace taut::robot
