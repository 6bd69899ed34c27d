#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "taut/error.hpp"
#include "taut/stepping.hpp"

/// Runs that do not begin at t = 0.
namespace taut {
namespace {

using testing::HasSubstr;

std::vector<std::string> all_methods() {
  std::vector<std::string> names;
  for (const ListEntry& method : list_methods()) names.push_back(method.name);
  return names;
}

class StartTimeUnder : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, StartTimeUnder, testing::ValuesIn(all_methods()), [](const auto& method) {
  std::string name = method.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

/// x'' = -sin t from x(2) = sin 2, x'(2) = cos 2 is x = sin t; y hangs on it by a constraint of time.
TEST_P(StartTimeUnder, FormulasOfTimeGoOnFromThere) {
  const Model model = read_model(
      "coordinates: {x: [sin(2), cos(2)], y: [2 + sin(2), 1 + cos(2)]}\n"
      "kinetic_energy: (x'^2 + y'^2)/2\n"
      "forces: {x: -2*sin(t), y: 0}\n"
      "constraints: {apart: y - x = t}\n",
      "driven.yaml");
  Options options{.until = 5, .start_time = 2, .rtol = 1e-10, .method = Choice(GetParam())};
  if (GetParam() != "stabilized-index-2") options.step = 1e-2;
  const taut::Run run = simulate(model, options);
  EXPECT_EQ(run.trajectory.rows.front().front(), 2);
  EXPECT_EQ(run.summary.t_end, 5);
  // The two move as one of mass 2, pushed by -2 sin t; the slowest of the formulas of fixed step is of fourth order.
  EXPECT_NEAR(value_of(run.summary.final_coordinates, "x"), std::sin(5), 1e-6);
  EXPECT_NEAR(value_of(run.summary.final_coordinates, "y"), 5 + std::sin(5), 1e-6);
}

/// Rows are where they would be in a run from 0 s.
TEST(StartTime, RowsBeginThere) {
  const taut::Run run = simulate(load_model("pendulum"), {.until = 3.5, .start_time = 3, .every = 0.1});
  ASSERT_EQ(run.trajectory.rows.size(), 6U);
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_NEAR(run.trajectory.rows[k].front(), 3 + 0.1 * static_cast<double>(k), 1e-14);
}

TEST(StartTime, TheInitialStateAloneIsThatOfTheTime) {
  const Model model = read_model(
      "coordinates: {x: 0}\nkinetic_energy: x'^2\nconstraints: {drive: x = t^2}\noutputs: {at: t}\n", "drive.yaml");
  const taut::Run run = simulate(model, {.until = 0, .start_time = 3, .assemble = true});
  EXPECT_EQ(run.summary.t_end, 3);
  EXPECT_NEAR(value_of(run.summary.final_coordinates, "x"), 9, 1e-9);
  EXPECT_NEAR(value_of(run.summary.final_rates, "x"), 6, 1e-9);
}

TEST(StartTime, SimulationsBeginAndBeginAnewThere) {
  Simulation sim(load_model("pendulum"), {.until = 4, .start_time = 3, .step = 0.01});
  EXPECT_EQ(sim.t(), 3);
  sim.advance(3.5);
  const Vector q = sim.q();
  sim.reset();
  EXPECT_EQ(sim.t(), 3);
  sim.advance(3.5);
  EXPECT_EQ(sim.q(), q);
}

/// Instants are multiples of the sample time, whenever the run begins.
TEST(StartTime, ControllersSampleAtTheirInstants) {
  const Model model = read_model(
      "inputs: {u: 0}\ncoordinates: {x: 1}\nkinetic_energy: x'^2\nforces: {x: u}\n"
      "controllers: {clock: {sample_time: 0.5, measure: {now: t}, set: {u: -x}}}\n"
      "outputs: {seen: clock.now}\n",
      "clock.yaml");
  const taut::Run run = simulate(model, {.until = 2, .start_time = 1.2, .every = 0.1});
  for (const auto& row : run.trajectory.rows) {
    const double seen = row.back(), t = row.front();
    if (t > 1.51) {
      EXPECT_NEAR(seen, 0.5 * std::floor(t / 0.5 + 1e-9), 1e-12) << t;
    }
  }
}

/// |t - 2.5| has its kink in the run, one at 0.5 before it.
TEST(StartTime, KinksOfTimeAreMet) {
  const Model model = read_model(
      "coordinates: {x: [0, 0]}\nkinetic_energy: x'^2/2\nforces: {x: abs(t - 2.5) + abs(t - 0.5)}\n", "kinks.yaml");
  const taut::Run run = simulate(model, {.until = 4, .start_time = 1});
  // From 1 to 2.5 the force is 2, then 2 t - 3: x' = 3 + (t - 2.5)^2 + 2 (t - 2.5).
  EXPECT_NEAR(run.summary.final_rates[0].value, 3 + 2.25 + 3, 1e-12);
}

std::string refusal(const Options& options) {
  try {
    simulate(load_model("pendulum"), options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(StartTime, ThatIsNoneIsRefused) {
  EXPECT_THAT(refusal({.until = 2, .start_time = 3}), HasSubstr("after its end"));
  EXPECT_THAT(refusal({.until = 2, .start_time = -1}), HasSubstr("start-time"));
  EXPECT_THAT(refusal({.until = 2, .start_time = std::nan("")}), HasSubstr("start-time"));
}

}  // namespace
}  // namespace taut
