// Random robots in MuJoCo and here: accelerations at the start, and where all bodies are after 0.2 s.
#ifdef TAUT_MUJOCO
#include <gtest/gtest.h>

#include <cstdlib>

#include "mujoco_robot.hpp"
#include "random_mjcf.hpp"
#include "taut/error.hpp"
#include "taut/model.hpp"

namespace taut::robot {
namespace {

constexpr double duration = 0.2;  // s

Summary run(const Model& model, const RandomMjcf& robot, double until) {
  Options options{.until = until, .rtol = 1e-12, .coordinates = Coordinates::automatic, .record = false};
  options.native = Native::off;
  for (const auto& [name, value] : robot.controls()) options.set.emplace_back(name, value);
  if (robot.has_key()) options.start = "k";
  return simulate(model, options_of(model, options)).summary;
}

std::vector<double> values_of(const RandomMjcf& robot) {
  std::vector<double> list;
  for (const auto& [name, value] : robot.controls()) list.push_back(value);
  return list;
}

/// The error of the classical formula is below (h s)^5/120 of what moves in a step: 1e-12 in 1 ms/s, and less in all.
double reference_step(MujocoRobot& robot) {
  return duration / std::ceil(duration / std::clamp(0.02 / robot.stiffness(), 1e-5, 2e-4));
}

void compare(unsigned seed) {
  const RandomMjcf random(seed);
  SCOPED_TRACE(fmt::format("seed {}\n{}", seed, random.text()));
  MujocoRobot reference(random.text(), random.full_inertias(), values_of(random));
  if (random.has_key()) reference.begin_at_key();
  const Model model = read_model(random.text(), "random.xml");
  const Summary start = run(model, random, 0);
  ASSERT_EQ(start.outcome, Outcome::done) << start.reason;
  EXPECT_LE(worst_acceleration(reference, start), 1e-9);
  const Summary end = run(model, random, duration);
  ASSERT_EQ(end.outcome, Outcome::done) << end.reason;
  reference.advance(duration, reference_step(reference));
  EXPECT_LE(worst_place(reference, end), 1e-8);
}

/// TAUT_RANDOM_MJCF=N compares N; TAUT_RANDOM_MJCF_FROM says from which seed on.
TEST(RandomMjcf, MovesAsInMujoco) {
  const auto number = [](const char* name, int otherwise) {
    const char* const given = std::getenv(name);
    return given == nullptr ? otherwise : std::atoi(given);
  };
  const int count = number("TAUT_RANDOM_MJCF", 40), from = number("TAUT_RANDOM_MJCF_FROM", 1);
  for (int seed = from; seed < from + count; ++seed) {
    try {
      compare(static_cast<unsigned>(seed));
    } catch (const std::exception& error) {
      ADD_FAILURE() << "seed " << seed << ": " << error.what() << "\n"
                    << RandomMjcf(static_cast<unsigned>(seed)).text();
    }
  }
}

}  // namespace
}  // namespace taut::robot
#endif
