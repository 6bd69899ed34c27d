// What an observer is told of every accepted step, and that telling it changes nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "taut/simulation.hpp"

namespace taut {
namespace {

struct Listener : Observer {
  explicit Listener(Detail detail) : detail_(detail) {}
  Detail detail() const override { return detail_; }
  void start_steps(const std::vector<std::string>& names) override { columns = names; }
  void step(const std::vector<double>& values) override { steps.push_back(values); }
  double at(std::size_t k, const std::string& name) const {
    const auto found = std::find(columns.begin(), columns.end(), name);
    return found == columns.end() ? NAN : steps[k][static_cast<std::size_t>(found - columns.begin())];
  }

  Detail detail_;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> steps;
};

const std::string pendulum = R"(model: pendulum
coordinates: {x: [1, 0], y: 0}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 9.81*y
constraints: {rod: (x^2 + y^2 - 1)/2}
)";

TEST(StepFigures, NamesOnlyWhatTheSystemHas) {
  Listener listener(Observer::Detail::figures);
  Options options;
  options.until = 0.1;
  options.step = 0.01;
  simulate(read_model("model: free\ncoordinates: {x: [0, 1]}\nmass_matrix: [[1]]\nforces: {x: 0}\n", ""), options,
           &listener);
  EXPECT_EQ(listener.columns, (std::vector<std::string>{"t", "step", "rank", "correction"}));
  EXPECT_EQ(listener.steps.size(), 11u);
}

TEST(StepFigures, MultipliersAreThoseOfThePendulum) {
  Listener listener(Observer::Detail::constraints);
  Options options;
  options.until = 1;
  options.step = 1e-3;
  const taut::Run run = simulate(read_model(pendulum, ""), options, &listener);
  ASSERT_EQ(listener.steps.size(), run.trajectory.rows.size());
  for (std::size_t k = 0; k < listener.steps.size(); k += 50) {
    // With Phi = (r.r - 1)/2 and r.r = 1: lambda = r.a − r.g = −v² + 9.81 y, where r.a = −v².
    const auto& row = run.trajectory.rows[k];
    const double expected = 9.81 * row[2] - row[3] * row[3] - row[4] * row[4];
    EXPECT_NEAR(listener.at(k, "lambda(rod)"), expected, 1e-9) << "at t = " << row[0];
    EXPECT_EQ(listener.at(k, "t"), row[0]);
    EXPECT_NEAR(listener.at(k, "position(rod)"), (row[1] * row[1] + row[2] * row[2] - 1) / 2, 1e-15);
    EXPECT_EQ(std::abs(listener.at(k, "velocity(rod)")), listener.at(k, "velocity"));
    EXPECT_EQ(listener.at(k, "rank"), 1);
  }
}

TEST(StepFigures, LookingChangesNeitherTheMotionNorWhatItCost) {
  for (const char* method : {"auto", "braun-goldfarb", "perturbation", "parametrization", "post-stabilization",
                             "gradient-feedback", "coordinate-partitioning", "stabilized-index-2"}) {
    for (const bool fixed : {true, false}) {
      if (!fixed && std::string(method) == "braun-goldfarb") continue;
      if (std::string(method) == "stabilized-index-2" && fixed) continue;
      Options options;
      options.until = 1;
      if (fixed) options.step = 0.01;
      options.method = method;
      const Model model = read_model(pendulum, "");
      const taut::Run alone = simulate(model, options);
      Listener listener(Observer::Detail::constraints);
      const taut::Run watched = simulate(model, options, &listener);
      EXPECT_EQ(alone.trajectory.rows, watched.trajectory.rows) << method << (fixed ? ", fixed steps" : "");
      EXPECT_EQ(alone.summary.evaluations, watched.summary.evaluations) << method << (fixed ? ", fixed steps" : "");
    }
  }
}

}  // namespace
}  // namespace taut
