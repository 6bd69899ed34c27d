// Robots' files as they are, in MuJoCo and here: accelerations at the start, and where everything is after 0.2 s. Joint
// friction is left out on both sides, as are contacts and limits; equality constraints hold exactly. Where MuJoCo's
// library, and the robots' files beside the checkout, are there.
#ifdef TAUT_MUJOCO
#include <gtest/gtest.h>

#include "mujoco_robot.hpp"
#include "places.hpp"
#include "taut/error.hpp"
#include "taut/model.hpp"

namespace taut::robot {
namespace {

constexpr double duration = 0.2;  // s

Summary run(const Model& model, const MujocoRobot& robot, double until) {
  Options options{.until = until, .rtol = 1e-12, .coordinates = Coordinates::automatic, .record = false};
  options.native = Native::off;
  options.set = robot.controls();
  return simulate(model, options_of(model, options)).summary;
}

std::vector<std::string> files() {
  std::vector<std::string> list;
  const std::filesystem::path folder = std::filesystem::path(places::source("../shared/robots/mjcf"));
  if (!std::filesystem::exists(folder)) return {""};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".xml" && entry.path().filename().string().find("scene") == std::string::npos)
      list.push_back(entry.path().string());
  std::ranges::sort(list);
  return list;
}

/// With loops the classical Runge–Kutta formula is stable below 2.78/stiffness. Eight tenths of that, and 0.2 ms at
/// most: then halving it moves nothing by 1e-9 m in any of these files.
double reference_step(MujocoRobot& robot) {
  if (!robot.has_loops()) return 1e-5;
  const double longest = std::min(2e-4, 2.2 / robot.stiffness());
  return duration / std::ceil(duration / longest);
}

class WholeFiles : public ::testing::TestWithParam<std::string> {};

TEST_P(WholeFiles, MoveAsInMujoco) {
  if (GetParam().empty()) GTEST_SKIP() << "there are no robots at ../shared/robots/mjcf";
  std::optional<Model> model;
  try {
    model = load_model(GetParam(), {{"import.ignore", "friction"}});
  } catch (const InputError& error) {
    GTEST_SKIP() << "it lacks something: " << error.what();
  }
  std::unique_ptr<MujocoRobot> robot;
  try {
    robot = std::make_unique<MujocoRobot>(MujocoDocument(GetParam()));
  } catch (const std::runtime_error& error) {
    GTEST_SKIP() << "MuJoCo does not read it: " << error.what();
  }
  const Summary start = run(*model, *robot, 0);
  ASSERT_EQ(start.outcome, Outcome::done) << start.reason;
  const double off = worst_acceleration(*robot, start);
  EXPECT_LE(off, 1e-9);
  const Summary end = run(*model, *robot, duration);
  EXPECT_EQ(end.outcome, Outcome::done) << end.reason;
  robot->advance(duration, reference_step(*robot));
  const double place = worst_place(*robot, end);
  EXPECT_LE(place, 1e-8);
  fmt::print("{}: accelerations to {:.1e}, places after 0.2 s to {:.1e}, {} bodies, {} speeds, rank {}\n", GetParam(),
             off, place, robot->model().nbody, robot->model().nv, robot->rank());
}

INSTANTIATE_TEST_SUITE_P(Files, WholeFiles, ::testing::ValuesIn(files()), [](const auto& info) {
  const std::filesystem::path path = info.param;
  return fmt::format("{}_{}_{}", spelt(path.parent_path().filename().string()), spelt(path.stem().string()),
                     info.index);
});

}  // namespace
}  // namespace taut::robot
#endif
