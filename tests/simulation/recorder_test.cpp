#include "simulation/recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "taut/simulation.hpp"

namespace taut {
namespace {

Options rows_every(double every, double until, const std::string& method) {
  Options options;
  options.until = until;
  options.every = every;
  options.method = Choice(method);
  return options;
}

/// The largest violations of all rows, relative to the sizes of coordinates and of speeds, by a system of its own.
struct Largest {
  double position = 0, velocity = 0;
};
Largest violations(const Model& model, const Run& run) {
  const auto system = make_system(model, initial_values(model, {}).parameters);
  const Shape& shape = system->shape();
  Vector q(shape.n_q()), v(shape.n_v()), Phi(shape.position_rows), chi(shape.rows());
  Largest most;
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(run.trajectory.columns, name) - run.trajectory.columns.begin());
  };
  std::vector<std::size_t> places, speeds;
  for (const std::string& name : shape.coordinates) places.push_back(column(name));
  for (int i = 0; i < shape.n_v(); ++i)
    speeds.push_back(column(shape.plain_rates ? shape.coordinates[i] + "'" : shape.speeds[i]));
  for (const auto& row : run.trajectory.rows) {
    for (int i = 0; i < shape.n_q(); ++i) q[i] = row.at(places[i]);
    for (int i = 0; i < shape.n_v(); ++i) v[i] = row.at(speeds[i]);
    system->position(row[0], q, Phi);
    system->velocity(row[0], q, v, chi);
    const double size = std::max(1.0, q.lpNorm<Eigen::Infinity>()), speed = std::max(1.0, v.lpNorm<Eigen::Infinity>());
    if (Phi.size() > 0) most.position = std::max(most.position, Phi.lpNorm<Eigen::Infinity>() / size);
    most.velocity = std::max(most.velocity, chi.lpNorm<Eigen::Infinity>() / speed);
  }
  return most;
}

/// Rounding of a row's terms, of which each has a few operations, and of the correction by a factor whose condition is
/// some tens here: far below what interpolation leaves, which is some 1e-9.
constexpr double rounding = 1e-14;

class RowsBetweenSteps : public testing::TestWithParam<const char*> {};

TEST_P(RowsBetweenSteps, AreOnTheConstraintsToRoundingHoweverManyFallIntoAStep) {
  for (const char* name : {"pendulum", "four-bar-redundant", "rolling-disk", "mechanisms/slider-crank-spatial"})
    for (const double every : {1e-4, 3e-3, 0.1}) {
      const Model model = load_model(name);
      const taut::Run run = simulate(model, rows_every(every, 0.5, GetParam()));
      ASSERT_EQ(run.summary.outcome, Outcome::done) << name;
      const Largest most = violations(model, run);
      // A method that promises less has its own tolerance.
      const double allowed = GetParam() == std::string("perturbation") ? 1e-12 : rounding;
      EXPECT_LE(most.position, allowed) << name << " every " << every;
      EXPECT_LE(most.velocity, 10 * allowed) << name << " every " << every;
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, RowsBetweenSteps, testing::Values("auto", "post-stabilization", "perturbation"),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

/// The step of the interpolation is the same; predicted corrections leave what Newton's method leaves.
TEST(Rows, ThatAreManyAreThoseThatAreFew) {
  const Model model = load_model("mechanisms/slider-crank-spatial");
  const auto many = simulate(model, rows_every(1e-4, 0.5, "auto")),
             few = simulate(model, rows_every(0.05, 0.5, "auto"));
  ASSERT_EQ(few.trajectory.rows.size(), 11U);
  for (std::size_t k = 0; k < few.trajectory.rows.size(); ++k) {
    const auto &a = few.trajectory.rows[k], &b = many.trajectory.rows[500 * k];
    ASSERT_NEAR(a[0], b[0], 1e-15);
    for (std::size_t i = 1; i < a.size(); ++i)
      EXPECT_NEAR(a[i], b[i], 1e-13 * std::max(1.0, std::abs(a[i]))) << few.trajectory.columns[i] << " at " << a[0];
  }
}

TEST(Rows, DoNotDisturbTheRun) {
  const Model model = load_model("mechanisms/slider-crank-spatial");
  Options options = rows_every(1e-3, 1, "auto");
  const Summary with = simulate(model, options).summary;
  options.every.reset();
  const Summary without = simulate(model, options).summary;
  EXPECT_EQ(with.steps, without.steps);
  for (std::size_t i = 0; i < with.final_coordinates.size(); ++i)
    EXPECT_NEAR(with.final_coordinates[i].value, without.final_coordinates[i].value, 1e-12);
}

TEST(Rows, ComeAtEqualTimesAndAtTheEnd) {
  const auto run = simulate(load_model("pendulum"), rows_every(0.3, 1, "auto"));
  ASSERT_EQ(run.trajectory.rows.size(), 5U);
  const std::vector<double> times = {0, 0.3, 0.6, 0.9, 1};
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_DOUBLE_EQ(run.trajectory.rows[k][0], times[k]);
}

}  // namespace
}  // namespace taut
