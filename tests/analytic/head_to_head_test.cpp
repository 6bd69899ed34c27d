#include <gtest/gtest.h>

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <sstream>

#include "analytic/reference.hpp"
#include "places.hpp"

/// Fifteen settings on three models, all with RK4 and h = 0.01, against the figures that independent prototypes found
/// with the same equations. docs/head-to-head.md shows the same settings as `taut compare` prints them.
namespace taut::test {
namespace {

/// max |Phi|, max |chi|, energy error, and the error of the trajectory at whole seconds.
using Figures = std::array<double, 4>;
constexpr std::array<const char*, 4> columns = {"Phi", "chi", "energy", "error"};

struct Row {
  const char* name;
  const char* setting;   ///< where it projects, or rows are not redundant
  const char* drifting;  ///< where redundant rows come to contradict each other; nullptr: as above
  Figures pendulum, bricard, robot;
};

// What lets redundant rows drift apart needs a coarse decision on rank, and takes the singular values, as the
// prototypes.
constexpr Row rows[] = {
    {"none (17)",
     "udwadia-kalaba",
     "udwadia-kalaba(rank_tolerance=1e-4)/linear=svd",
     {7.7e-7, 7.9e-8, 2.9e-6, 2.1e-5},
     {4.7e-6, 5.8e-6, 7.9e-6, 4.1e-6},
     {3.6e-6, 1.0e-6, 7.7e-6, 3.1e-6}},
    {"Baumgarte 5, every pass",
     "baumgarte(omega=5)/control=stages",
     "baumgarte(omega=5, rank_tolerance=1e-4)/control=stages/linear=svd",
     {2.7e-8, 1.6e-7, 8.7e-8, 8.1e-7},
     {4.2e-8, 2.7e-7, 5.4e-7, 4.9e-8},
     {1.3e-7, 1.7e-6, 1.3e-6, 2.1e-7}},
    {"Baumgarte 20, every pass",
     "baumgarte(omega=20)/control=stages",
     "baumgarte(omega=20, rank_tolerance=1e-4)/control=stages/linear=svd",
     {3.2e-7, 1.2e-5, 1.1e-6, 9.8e-6},
     {4.6e-7, 1.7e-5, 1.9e-6, 6.4e-7},
     {9.9e-7, 2.6e-5, 2.5e-5, 3.6e-7}},
    {"Baumgarte 0.5/h, every pass",
     "baumgarte(omega=50)/control=stages",
     "baumgarte(omega=50, rank_tolerance=1e-4)/control=stages/linear=svd",
     {2.5e-6, 2.2e-4, 1.0e-5, 9.4e-5},
     {3.5e-6, 3.1e-4, 1.1e-5, 6.2e-6},
     {6.8e-6, 5.4e-4, 1.5e-4, 1.9e-6}},
    {"Baumgarte 20, held",
     "baumgarte(omega=20)/control=euler",
     "baumgarte(omega=20, rank_tolerance=1e-4)/control=euler/linear=svd",
     {2.0e-10, 1.8e-9, 1.1e-8, 1.1e-7},
     {1.5e-9, 1.4e-8, 5.1e-8, 1.1e-8},
     {8.4e-8, 9.3e-7, 4.0e-6, 3.0e-7}},
    {"CVSGF with (51), 1/h, held",
     "gradient-feedback(gain=100, velocity_gain=0, metric=identity)/energy=gradient(gain=100, metric=identity)"
     "/control=euler",
     "gradient-feedback(gain=100, velocity_gain=0, metric=identity, rank_tolerance=1e-4)"
     "/energy=gradient(gain=100, metric=identity)/control=euler/linear=svd",
     {1.8e-9, 1.8e-7, 9.8e-9, 1.7e-8},
     {2.5e-8, 2.6e-7, 1.5e-8, 2.4e-8},
     {0.11, 7.9, 9.4, 0.25}},
    {"Braun & Goldfarb (16), every pass",
     "braun-goldfarb/control=stages",
     "braun-goldfarb(rank_tolerance=1e-4)/control=stages/linear=svd",
     {1.0e-5, 7.7e-6, 1.6e-5, 3.6e-5},
     {1.4e-5, 2.6e-5, 3.2e-5, 2.6e-6},
     {2.2e-5, 7.7e-5, 7.4e-4, 9.4e-6}},
    {"Braun & Goldfarb with energy, every pass",
     "braun-goldfarb/energy=project(form=terms, tolerance=1e-6)/control=stages",
     "braun-goldfarb(rank_tolerance=1e-4)/energy=project(form=terms, tolerance=1e-6)/control=stages/linear=svd",
     {1.0e-5, 6.9e-6, 3.5e-5, 9.8e-6},
     {1.4e-5, 2.6e-5, 5.4e-5, 2.7e-2},
     {2.2e-5, 8.6e-5, 1.1e-3, 1.1e-3}},
    {"Braun & Goldfarb (16), held",
     "braun-goldfarb/control=euler",
     "braun-goldfarb(rank_tolerance=1e-4)/control=euler/linear=svd",
     {1.8e-11, 8e-11, 1.3e-8, 9.0e-8},
     {1.5e-10, 4e-10, 9.0e-9, 2.2e-8},
     {3.4e-8, 1.0e-7, 3.5e-6, 2.2e-7}},
    {"perturbation as printed",
     "perturbation(metric=identity, jacobian=printed)",
     nullptr,
     {8e-14, 4e-16, 1.3e-8, 9.0e-8},
     {3e-16, 3.2e-10, 1.2e-8, 2.6e-8},
     {1e-13, 2.2e-7, 8.8e-6, 3.5e-7}},
    {"projection",
     "perturbation",
     nullptr,
     {8e-14, 2e-16, 1.3e-8, 9.0e-8},
     {2e-16, 4e-16, 1.3e-8, 2.3e-8},
     {1e-13, 2e-16, 2.6e-6, 2.0e-7}},
    {"projection and energy scaling",
     "perturbation/energy=project",
     nullptr,
     {8e-14, 4e-16, 1e-15, 5.3e-8},
     {3e-16, 5e-16, 4e-15, 2.6e-8},
     {1e-13, 2e-16, 3e-12, 1.4e-7}},
    {"recursion, natural order",
     "recursive-least-squares(order=natural)",
     nullptr,
     {1e-16, 2e-16, 1.3e-8, 9.0e-8},
     {3e-16, 3.3e-10, 1.8e-8, 2.6e-8},
     {1e-15, 9.2e-8, 2.7e-6, 2.1e-7}},
    {"recursion, greedy",
     "recursive-least-squares(order=greedy)",
     nullptr,
     {1e-16, 2e-16, 1.3e-8, 9.0e-8},
     {3e-16, 3.5e-10, 2.7e-8, 1.4e-8},
     {1e-15, 9.2e-8, 2.7e-6, 2.1e-7}},
    {"parametrization at each step",
     "parametrization(restart=1.1)",
     nullptr,
     {4e-15, 1e-15, 2.4e-8, 1.4e-8},
     {2e-14, 7e-15, 3.3e-8, 7.3e-9},
     {1e-14, 7e-16, 5.2e-6, 2.9e-7}},
};

/// Where taut's figure is not that of the prototypes, what it is, and why: measured, not guessed.
struct Exception {
  const char* model;
  const char* row;
  const char* column;
  double found;
  const char* reason;
};
constexpr Exception exceptions[] = {
    {"pendulum", "Braun & Goldfarb (16), held", "Phi", 3.73e-12,
     "taut holds the violation and takes its direction anew in every stage; with the direction held, too, a rebuild "
     "gives the 1.8e-11 of the table"},
    {"robot", "Braun & Goldfarb (16), held", "Phi", 6.52e-9,
     "the same: with the direction held, too, a rebuild gives the 3.4e-8 of the table"},
    {"bricard", "none (17)", "energy", 3.28e-5,
     "redundant rows drift apart, and taut weighs them by their size, which is what makes scaling a row harmless; a "
     "rebuild gives 3.28e-5 with this weighing and the 7.8e-6 of the table without"},
    {"bricard", "CVSGF with (51), 1/h, held", "Phi", 5.92e-9,
     "the table has it with half the gain on the constraints: so a rebuild gives 2.2e-8 to 2.5e-8 in the Euclidean "
     "norm of "
     "the table, and taut 1.3e-8 (a test of its own below)"},
    {"bricard", "Braun & Goldfarb with energy, every pass", "energy", 1.72e-3,
     "the peak stands where the mechanism is at rest for an instant and the term divides by |v|^2: it depends on when "
     "the "
     "term is switched off there (tolerance=1e-2: 4.84e-5); while |v| >= 0.2 it is 7.1e-5 (a test of its own below)"},
    {"robot", "projection and energy scaling", "energy", 7.03e-13, "rounding, and smaller than in the table"},
};

const Exception* exception(const std::string& model, const std::string& row, const std::string& column) {
  for (const Exception& entry : exceptions)
    if (model == entry.model && row == entry.row && column == entry.column) return &entry;
  return nullptr;
}

Model robot() {
  // The model of the paper's tables has no energy: the work of the control law would be one more unknown there.
  std::ifstream file(places::source("models/papers/keerthi-robot.yaml"));
  std::stringstream text;
  text << file.rdbuf()
       << "\nenergy: (J1 + J2 + J3 + m3*ql3^2)/2*q1'^2 + (m2 + m3)/2*q2'^2 + m3/2*q3'^2 + (m2 + m3)*g*q2\n";
  return read_model(text.str(), "robot.yaml");
}

void check_column(const std::string& model, const Row& row, std::size_t k, double expected, double found) {
  const std::string where =
      fmt::format("{}, {}, {}: {:.3g} against {:.3g}", model, row.name, columns[k], found, expected);
  if (const Exception* entry = exception(model, row.name, columns[k])) {
    // It is an exception, and is so by what the list says.
    EXPECT_TRUE(found < expected / 3 || found > 3 * expected) << where << " needs no exception";
    EXPECT_LT(found, 3 * entry->found) << where;
    if (entry->found > 1e-12) {
      EXPECT_GT(found, entry->found / 3) << where;
    }
  } else if (expected <= 1e-12) {
    EXPECT_LE(found, 1e-12) << where;
  } else {
    EXPECT_GE(found, expected / 3) << where;
    EXPECT_LE(found, expected * 3) << where;
  }
}

void check(const std::string& name, const Model& model, CompareOptions options, Figures Row::*expected) {
  options.run.step = 1e-2;
  options.run.every = 1;
  options.run.integrator = Rk4{};
  std::vector<RunSetting> settings;
  for (const Row& row : rows)
    settings.push_back(read_setting(name == "bricard" && row.drifting ? row.drifting : row.setting));
  const Comparison comparison = compare(model, settings, options);
  ASSERT_EQ(comparison.rows.size(), std::size(rows));
  for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
    const ComparisonRow& found = comparison.rows[i];
    ASSERT_TRUE(found.went_through()) << name << ", " << found.setting << ": " << found.message;
    const Figures figures{found.summary->max_position_violation.value(), found.summary->max_velocity_violation.value(),
                          found.summary->max_energy_error.value(), found.error.value()};
    for (std::size_t k = 0; k < columns.size(); ++k) check_column(name, rows[i], k, (rows[i].*expected)[k], figures[k]);
  }
}

TEST(HeadToHead, ThePendulumHasTheFiguresOfTheTable) {
  check("pendulum", load_model("papers/yoon-pendulum"), {.run = {.until = 20}, .of = {"X"}}, &Row::pendulum);
}

TEST(HeadToHead, TheBricardMechanismHasTheFiguresOfTheTable) {
  check("bricard", load_model("bricard"), {.run = {.until = 9}, .of = {"x2", "y2", "z2"}}, &Row::bricard);
}

TEST(HeadToHead, TheRobotHasTheFiguresOfTheTable) {
  const std::vector<Assignment> second_start = {
      {"q1(0)", "2.796773621678"}, {"q2(0)", "0"}, {"q3(0)", "0.299960998479"}};
  check("robot", robot(), {.run = {.until = 5, .set = second_start}}, &Row::robot);
}

TEST(HeadToHead, TheEnergyTermInEveryPassFailsOnlyWhereTheBricardMechanismIsAlmostAtRest) {
  const Model model = load_model("bricard");
  const auto system = make_system(model, initial_values(model).parameters);
  const int n = system->shape().n_q();
  const auto run = simulate(model, {.until = 9,
                                    .step = 1e-2,
                                    .method = "braun-goldfarb(rank_tolerance=1e-4)",
                                    .integrator = Rk4{},
                                    .linear = "svd",
                                    .energy = "project(form=terms, tolerance=1e-6)",
                                    .control = "stages"});
  double moving = 0, start = 0;
  for (const auto& row : run.trajectory.rows) {
    const Vector q = Eigen::Map<const Vector>(row.data() + 1, n), v = Eigen::Map<const Vector>(row.data() + 1 + n, n);
    const double energy = system->energy(row[0], q, v);
    if (row[0] == 0) start = energy;
    if (v.norm() >= 0.2) moving = std::max(moving, std::abs(energy - start));
  }
  EXPECT_LE(moving, 3 * 5.4e-5);  // the figure of the table
  EXPECT_GE(moving, 5.4e-5 / 3);
  EXPECT_GT(*run.summary.max_energy_error, 1e-3);
}

double violation_of_bricard(int gain, int energy_gain, const char* kernel) {
  const auto run =
      simulate(load_model("bricard"),
               {.until = 9,
                .step = 1e-2,
                .method = fmt::format("gradient-feedback(gain={}, velocity_gain=0, metric=identity)", gain),
                .integrator = Rk4{},
                .linear = kernel,
                .energy = fmt::format("gradient(gain={}, metric=identity)", energy_gain),
                .control = "euler",
                .record = false});
  return *run.summary.max_position_violation;
}

TEST(HeadToHead, GradientFeedbackWithHalfTheGainHasTheViolationOfTheTableOnTheBricardMechanism) {
  const double found = violation_of_bricard(50, 100, "svd");
  EXPECT_GT(found, 2.5e-8 / 3);
  EXPECT_LT(found, 2.5e-8 * 3);
}

TEST(HeadToHead, GradientFeedbackWithAGainOfOneInAStepIsAtItsLimitOnTheBricardMechanism) {
  // Ten rows that overlap add up their gains. At 1/h the choice of kernel decides on decades; at 0.8/h it does not.
  EXPECT_GT(violation_of_bricard(100, 100, "cod"), 100 * violation_of_bricard(100, 100, "svd"));
  EXPECT_LT(violation_of_bricard(80, 80, "cod"), 1.5 * violation_of_bricard(80, 80, "svd"));
}

}  // namespace
}  // namespace taut::test
