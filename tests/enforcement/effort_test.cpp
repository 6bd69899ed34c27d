#include <algorithm>
#include <cmath>

#include "enforcement/bench.hpp"

/// What a correction takes: its multiplier, its size and its share of the work; and what constraints do.
namespace taut::test {
namespace {

constexpr double h = 0.05;

/// Central differences over ∛ε of the sizes, of rows with numbers of about ten, divided by h.
const double differences = 100 * std::cbrt(epsilon * epsilon) / h;

TEST(Impulse, OfBraunAndGoldfarbIsEquation14) {
  for (const char* text : {ellipse, linear, mixed}) {
    Bench bench(text, "braun-goldfarb", Control::euler);
    const Vector q = near(bench.q, 0.01), v = near(bench.v, 0.02);
    bench.at(q, v);
    const Eigen::Index p = bench.Phi.size();
    const Matrix A = bench.H.topRows(p), S = A * bench.M.llt().solve(A.transpose());
    const Vector expected = S.llt().solve(-bench.chi.head(p) - bench.Phi / h);
    Vector mu = Vector::Zero(p);
    const Vector y = bench.motion.state(q, v);
    ASSERT_TRUE(bench.motion.observe().impulses({0, y, h, y}, mu)) << text;
    EXPECT_LE(largest(mu - expected), differences) << text;
  }
}

TEST(Impulse, OfAProjectionIsThatOfItsMoveInAStep) {
  Bench bench(ellipse, "perturbation");
  Vector y = bench.motion.state(near(bench.q, 1e-3), near(bench.v, 2e-3));
  const Vector before = y.head(2);
  bench.motion.begin_step(0, y, h);
  ASSERT_EQ(bench.motion.correct(0, y), Correction::new_derivative);
  bench.at(y.head(2), y.tail(2));
  const Vector A = bench.H.row(0), moved = Vector(y.head(2)) - before;
  Vector mu = Vector::Zero(1);
  ASSERT_TRUE(bench.motion.observe().impulses({-h, y, 0, y}, mu));
  EXPECT_NEAR(mu[0], A.dot(moved) / h / A.dot(bench.M.llt().solve(A)), differences);
}

TEST(Impulse, OfTermsAddedToAResultIsThatOfTheResult) {
  Bench bench(ellipse, "braun-goldfarb", Control::backward_euler);
  Vector y = bench.motion.state(near(bench.q, 1e-3), near(bench.v, 2e-3));
  const Vector from = y;
  bench.motion.begin_step(0, y, h);
  ASSERT_EQ(bench.motion.correct(h, y), Correction::new_derivative);
  bench.at(y.head(2), y.tail(2));
  const Vector A = bench.H.row(0), moved = Vector(y.head(2)) - Vector(from.head(2));
  Vector mu = Vector::Zero(1);
  ASSERT_TRUE(bench.motion.observe().impulses({0, from, h, y}, mu));
  EXPECT_NEAR(mu[0], A.dot(moved) / h / A.dot(bench.M.llt().solve(A)), differences);
}

TEST(Impulse, IsNoneWhereNothingIsCorrected) {
  Bench bench(ellipse, "udwadia-kalaba");
  Vector mu = Vector::Zero(1);
  const Vector y = bench.motion.state(bench.q, bench.v);
  EXPECT_FALSE(bench.motion.observe().impulses({0, y, h, y}, mu));
}

TEST(ConstraintForce, IsWhatMassTimesAccelerationMissesOfTheForces) {
  for (const char* text : {ellipse, linear, mixed}) {
    Bench bench(text, "auto");
    bench.at(bench.q, bench.v);
    Vector Q = Vector::Zero(bench.v.size());
    ASSERT_TRUE(bench.motion.observe().constraint_forces(0, bench.motion.state(bench.q, bench.v), Q));
    EXPECT_LE(largest(Q - (bench.M * bench.acceleration(bench.b) - bench.f)), exact) << text;
  }
}

Summary run(const std::string& text, const char* method) {
  Options options;
  options.until = 1;
  options.step = 1e-2;
  options.method = method;
  return simulate(read_model(text, "test.yaml"), options).summary;
}

TEST(ConstraintForce, IsTheSameWithAConstraintGivenTwice) {
  const Summary once = run(linear, "auto");
  const Summary twice = run(std::string(linear) + "  third: 2*x + y + z = 3\n", "auto");
  EXPECT_FALSE(twice.multipliers_unique);
  ASSERT_EQ(once.final_constraint_forces.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(once.final_constraint_forces[i], twice.final_constraint_forces[i], exact);
  }
}

Run recorded(const std::string& text, const char* method, bool effort, std::optional<double> every = {}) {
  Options options;
  options.until = 1;
  options.step = 1e-2;
  options.every = every;
  options.method = method;
  options.effort = effort;
  return simulate(read_model(text, "test.yaml"), options);
}

std::size_t column(const Run& run, const std::string& name) {
  const auto found = std::ranges::find(run.trajectory.columns, name);
  EXPECT_NE(found, run.trajectory.columns.end()) << name;
  return static_cast<std::size_t>(found - run.trajectory.columns.begin());
}

TEST(Effort, IsRecordedInEveryRowWithTheFiguresOfTheEndInTheLast) {
  for (const char* method : {"braun-goldfarb", "perturbation", "auto", "recursive-least-squares"}) {
    const taut::Run run = recorded(ellipse, method, true);
    const auto& last = run.trajectory.rows.back();
    const Summary& s = run.summary;
    EXPECT_EQ(last.at(column(run, "mu(curve)")), s.final_impulses.at(0)) << method;
    EXPECT_NEAR(last.at(column(run, "Qc(x)")), s.final_constraint_forces.at(0), 1e-12) << method;
    EXPECT_NEAR(last.at(column(run, "Qc(y)")), s.final_constraint_forces.at(1), 1e-12) << method;
    double largest = 0;
    for (std::size_t k = 1; k < run.trajectory.rows.size(); ++k)
      largest = std::max(largest, run.trajectory.rows[k].at(column(run, "correction")));
    EXPECT_EQ(largest, *s.correction.largest) << method;
    EXPECT_TRUE(std::isnan(run.trajectory.rows.front().at(column(run, "correction")))) << "no step was made yet";
  }
}

/// The ellipse's bead, outside of it.
constexpr const char* off_its_constraint = R"(
model: ellipse
coordinates: {x: [2.05, 0], y: [0, 0.5]}
kinetic_energy: (x'^2 + 0.6*x'*y' + 2*y'^2)/2
potential_energy: 3*y
constraints: {curve: x^2/4 + y^2 = 1}
)";

/// The violation of one row is what the impulse of the next takes away.
TEST(Effort, HasTheImpulseOfTheStepJustEnded) {
  for (const char* control : {"euler", "stages", "forward-euler"}) {
    Options options;
    options.until = 0.1;
    options.step = 1e-2;
    options.method = "braun-goldfarb";
    options.control = control;
    options.effort = true;
    const taut::Run run = simulate(read_model(off_its_constraint, "test.yaml"), options);
    const std::size_t mu = column(run, "mu(curve)");
    EXPECT_TRUE(std::isnan(run.trajectory.rows.front().at(mu))) << "no step was made yet";
    for (std::size_t k = 1; k < run.trajectory.rows.size(); ++k) {
      const auto& before = run.trajectory.rows[k - 1];
      Equations at(ellipse);
      at.at(Vector{{before[1], before[2]}}, Vector{{before[3], before[4]}});
      const Matrix S = at.H * at.M.llt().solve(at.H.transpose());
      const double expected = (-at.chi[0] - at.Phi[0] / 1e-2) / S(0, 0);
      EXPECT_NEAR(run.trajectory.rows[k].at(mu), expected, 5 * differences) << control << " row " << k;
    }
  }
}

TEST(Effort, IsTheConstraintForceByHandInEveryRow) {
  const taut::Run run = recorded(ellipse, "auto", true, 0.013);
  for (const auto& row : run.trajectory.rows) {
    Equations at(ellipse);
    const Vector q{{row[1], row[2]}}, v{{row[3], row[4]}};
    at.at(q, v);
    const Vector a = at.acceleration(at.b), Q = at.M * a - at.f;
    EXPECT_NEAR(row.at(column(run, "Qc(x)")), Q[0], 1e-11);
    EXPECT_NEAR(row.at(column(run, "Qc(y)")), Q[1], 1e-11);
  }
}

TEST(Effort, ChangesNoDigitOfTheMotion) {
  for (const char* method : {"braun-goldfarb", "perturbation", "auto", "recursive-least-squares", "baumgarte"}) {
    const taut::Run with = recorded(mixed, method, true), without = recorded(mixed, method, false);
    ASSERT_EQ(with.trajectory.rows.size(), without.trajectory.rows.size());
    const std::size_t plain = without.trajectory.columns.size();
    for (std::size_t k = 0; k < with.trajectory.rows.size(); ++k)
      for (std::size_t i = 0; i < plain; ++i)
        ASSERT_EQ(with.trajectory.rows[k][i], without.trajectory.rows[k][i]) << method << " row " << k;
    EXPECT_EQ(with.summary.evaluations, without.summary.evaluations) << method;
    EXPECT_EQ(with.summary.correction.share, without.summary.correction.share) << method;
  }
}

TEST(Effort, HasNoColumnWhereAMethodHasNone) {
  const taut::Run run = recorded(ellipse, "udwadia-kalaba", true);
  EXPECT_EQ(run.trajectory.columns, (std::vector<std::string>{"t", "x", "y", "x'", "y'", "Qc(x)", "Qc(y)"}));
}

TEST(Effort, OfTermsNeedsNoFactorisationOfItsOwn) {
  const Summary summary = run(ellipse, "braun-goldfarb");
  EXPECT_EQ(summary.correction.share, 0);
  ASSERT_TRUE(summary.correction.mean && summary.correction.largest);
  EXPECT_GT(*summary.correction.mean, 0);
  EXPECT_LE(*summary.correction.mean, *summary.correction.largest);
  EXPECT_EQ(summary.final_impulses.size(), 1U);
  EXPECT_EQ(summary.mean_order, 4);
}

TEST(Effort, OfAProjectionIsItsFactorisationsAndItsMoves) {
  const Summary summary = run(ellipse, "perturbation");
  ASSERT_TRUE(summary.correction.share);
  EXPECT_GT(*summary.correction.share, 0.1);
  EXPECT_LT(*summary.correction.share, 0.5);
  EXPECT_EQ(summary.correction.largest, summary.largest_correction);
}

TEST(Effort, IsNoneWhereNothingIsCorrected) {
  const Summary summary = run(ellipse, "udwadia-kalaba");
  EXPECT_FALSE(summary.correction.share || summary.correction.mean || summary.correction.largest);
  EXPECT_TRUE(summary.final_impulses.empty());
}

}  // namespace
}  // namespace taut::test
