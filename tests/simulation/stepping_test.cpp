#include "taut/stepping.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "taut/error.hpp"

namespace taut {
namespace {

std::vector<std::string> all_methods() {
  std::vector<std::string> names;
  for (const ListEntry& method : list_methods()) names.push_back(method.name);
  return names;
}

Options options_for(const std::string& method, std::optional<double> step) {
  Options options;
  options.until = 2;
  options.method = Choice(method);
  if (method != "stabilized-index-2") options.step = step;  // its integrator chooses its steps
  return options;
}

/// All that follows within some steps, to the last bit.
std::vector<double> next_states(Simulation& sim, int steps) {
  std::vector<double> states;
  for (int k = 0; k < steps && sim.step(); ++k) {
    states.push_back(sim.t());
    states.insert(states.end(), sim.q().begin(), sim.q().end());
    states.insert(states.end(), sim.v().begin(), sim.v().end());
  }
  return states;
}

class SteppingUnder : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, SteppingUnder, testing::ValuesIn(all_methods()), [](const auto& method) {
  std::string name = method.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

TEST_P(SteppingUnder, EndsWhereSimulateEnds) {
  for (const char* name : {"pendulum", "four-bar-redundant", "knife-edge"}) {
    const Model model = load_model(name);
    Options options = options_for(GetParam(), 0.01);
    options.record =
        false;  // rows of a chart's coordinates are found by Newton's method, which begins where it was last
    const auto run = simulate(model, options);
    Simulation sim(model, options);
    while (sim.step()) {
    }
    EXPECT_EQ(sim.t(), run.summary.t_end) << name;
    for (std::size_t i = 0; i < run.summary.final_coordinates.size(); ++i)
      EXPECT_EQ(sim.q()[static_cast<Eigen::Index>(i)], run.summary.final_coordinates[i].value) << name;
  }
}

TEST_P(SteppingUnder, GoesOnFromACheckpointBitForBit) {
  for (const char* name : {"pendulum", "four-bar-redundant", "knife-edge"})
    for (const std::optional<double> step : {std::optional(0.01), std::optional<double>()}) {
      Simulation sim(load_model(name), options_for(GetParam(), step));
      sim.advance(0.3);
      const Checkpoint checkpoint = sim.checkpoint();
      EXPECT_EQ(checkpoint.t, 0.3);
      const auto first = next_states(sim, 30);
      ASSERT_GT(first.size(), 30U) << name;
      sim.restore(checkpoint);
      EXPECT_EQ(next_states(sim, 30), first) << name << " restored";
      Simulation other(load_model(name), options_for(GetParam(), step));
      other.restore(checkpoint);
      EXPECT_EQ(next_states(other, 30), first) << name << " restored elsewhere";
      other.set_state(checkpoint.t, checkpoint.q, checkpoint.v);
      const auto set = next_states(other, 30);
      sim.set_state(checkpoint.t, checkpoint.q, checkpoint.v);
      EXPECT_EQ(next_states(sim, 30), set) << name << " set";
    }
}

TEST_P(SteppingUnder, BeginsAnewByResetBitForBit) {
  for (const char* name : {"pendulum", "four-bar-redundant", "knife-edge"}) {
    Simulation sim(load_model(name), options_for(GetParam(), 0.01));
    const auto first = next_states(sim, 40);
    sim.reset();
    EXPECT_EQ(sim.t(), 0);
    EXPECT_EQ(next_states(sim, 40), first) << name;
  }
}

TEST(Stepping, AdvancesExactlyAndRefusesWhatLiesElsewhere) {
  Options options;
  options.until = 1;
  Simulation sim(load_model("pendulum"), options);
  for (const double t : {0.1, 0.25, 0.7}) {
    EXPECT_TRUE(sim.advance(t));
    EXPECT_EQ(sim.t(), t);
  }
  EXPECT_THROW(sim.advance(0.5), InputError);
  EXPECT_THROW(sim.advance(1.5), InputError);
  EXPECT_TRUE(sim.advance(1));
  EXPECT_FALSE(sim.goes_on());
  EXPECT_FALSE(sim.step());
}

/// Where it is stopped on the way, a fixed step is cut and the next goes on: the steps in between are of order four.
TEST(Stepping, StoppedOnTheWayComesToTheSameEnd) {
  const Model model = load_model("pendulum");
  Options options;
  options.until = 1;
  options.step = 1e-3;
  Simulation straight(model, options), stopped(model, options);
  straight.advance(1);
  for (const double t : {0.1234567, 0.33333, 0.9999999}) stopped.advance(t);
  stopped.advance(1);
  // RK4 errs by some 1e-13 with this step, either way.
  EXPECT_NEAR(straight.q()[0], stopped.q()[0], 1e-11);
  EXPECT_NEAR(straight.v()[1], stopped.v()[1], 1e-11);
}

/// M v̇ = f + Hᵀλ with H v̇ = b, of a pendulum of length 1: λ = −(m v² − m g y)/(2 l²) for Φ = x² + y² − l².
TEST(Stepping, TellsTheEquationsOfAPendulum) {
  Simulation sim(load_model("pendulum"));
  sim.advance(0.4);
  const double x = sim.q()[0], y = sim.q()[1], g = 9.81;
  const StateEquations& e = sim.equations();
  EXPECT_EQ(e.M, Matrix::Identity(2, 2));
  EXPECT_NEAR(e.H(0, 0), 2 * x, 1e-15);
  EXPECT_NEAR(e.H(0, 1), 2 * y, 1e-15);
  EXPECT_NEAR(e.multipliers[0], -(sim.v().squaredNorm() - g * y) / 2, 1e-12);
  EXPECT_NEAR(e.f[0], 0, 1e-12);
  EXPECT_NEAR(e.f[1], -g, 1e-12);
  EXPECT_NEAR((e.H * e.acceleration - e.b).norm(), 0, 1e-12);
  EXPECT_NEAR(e.b[0], -2 * sim.v().squaredNorm(), 1e-12);
  // It fell from rest at y = 0.
  EXPECT_NEAR(e.energy, 0, 1e-8);
  EXPECT_EQ(e.qdot, sim.v());
}

TEST(Stepping, LookingAtTheEquationsDoesNotDisturb) {
  const Model model = load_model("four-bar-redundant");
  Options options;
  options.until = 1;
  Simulation watched(model, options), left_alone(model, options);
  while (watched.step()) watched.equations();
  while (left_alone.step()) {
  }
  EXPECT_EQ(watched.q(), left_alone.q());
  EXPECT_EQ(watched.v(), left_alone.v());
}

TEST(Stepping, RefusesAStateOffTheConstraintsAndStaysWhereItIs) {
  Simulation sim(load_model("pendulum"));
  sim.advance(0.2);
  const Vector q = sim.q();
  EXPECT_THROW(sim.set_state(0, Vector::Constant(2, 3), Vector::Zero(2)), InputError);
  EXPECT_THROW(sim.set_state(0, Vector::Zero(3), Vector::Zero(2)), InputError);
  EXPECT_EQ(sim.q(), q);
  EXPECT_TRUE(sim.step());
}

TEST(Stepping, GoesOnAfterASummary) {
  Simulation sim(load_model("pendulum"));
  sim.advance(0.3);
  const Summary summary = sim.summary();
  EXPECT_EQ(summary.t_end, 0.3);
  EXPECT_EQ(summary.outcome, Outcome::done);
  sim.advance(0.6);
  EXPECT_GT(sim.summary().steps, summary.steps);
  EXPECT_EQ(sim.summary().notes, sim.summary().notes);
}

TEST(Stepping, SumsUpWhatItDid) {
  const Model model = load_model("pendulum");
  Options options;
  options.until = 1;
  Simulation sim(model, options);
  while (sim.step()) {
  }
  const Summary stepped = sim.summary(), whole = simulate(model, options).summary;
  EXPECT_EQ(stepped.steps, whole.steps);
  EXPECT_EQ(stepped.verdict, whole.verdict);
  EXPECT_EQ(stepped.max_position_violation, whole.max_position_violation);
  EXPECT_EQ(stepped.final_multipliers[0].value, whole.final_multipliers[0].value);
  EXPECT_EQ(stepped.model, "pendulum");
}

TEST(Stepping, EndsAtAnEventAndSaysSo) {
  const Model model =
      read_model("coordinates: {x: [0, 1]}\nkinetic_energy: x'^2/2\nevents: {there: {when: x - 0.7, stop: true}}\n",
                 "uniform.yaml");
  Simulation sim(model);
  EXPECT_FALSE(sim.advance(2));
  EXPECT_NEAR(sim.t(), 0.7, 1e-12);
  EXPECT_EQ(sim.summary().outcome, Outcome::stopped);
}

}  // namespace
}  // namespace taut
