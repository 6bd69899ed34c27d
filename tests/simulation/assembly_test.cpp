#include "simulation/assembly.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "linear/list.hpp"
#include "places.hpp"
#include "taut/simulation.hpp"

namespace taut {
namespace {

constexpr double rank_tolerance = 1e-10;
// Assembling ends where rounding does: Φ is a sum of a few squares of numbers of order 1 to 10.
constexpr double met = 1e-12;

constexpr const char* pendulum = R"(
coordinates: {x: 0.6, y: -0.8}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 9.81*y
constraints: {rod: x^2 + y^2 = 1}
)";

// Crank 1, coupler 4, rocker 3, ground 3.5, as a Grashof linkage: its two branches never meet.
constexpr const char* four_bar = R"(
coordinates: {x1: 0, y1: 1, x2: 3, y2: 3}
kinetic_energy: (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2
constraints:
  crank: x1^2 + y1^2 = 1
  coupler: (x2 - x1)^2 + (y2 - y1)^2 = 16
  rocker: (x2 - 3.5)^2 + y2^2 = 9
)";

Vector vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// A model at its initial state, ready to be assembled.
class Workbench {
 public:
  explicit Workbench(const Model& model)
      : model_(model),
        initial_(initial_values(model)),
        system_(make_system(model, initial_.parameters)),
        manifold_(
            *system_, [this] { return make_kernel("cod", chosen_); }, rank_tolerance) {
    q = vector(initial_.coordinates);
    v = vector(initial_.speeds);
  }
  explicit Workbench(const std::string& text) : Workbench(read_model(text, "test.yaml")) {}

  Assembly assemble(double t = 0) { return taut::assemble(manifold_, t, q, v, rank_tolerance); }

  double violation(double t = 0) {
    Vector Phi(system_->shape().position_rows), chi(system_->shape().rows());
    system_->position(t, q, Phi);
    system_->velocity(t, q, v, chi);
    return std::max(Phi.size() > 0 ? Phi.cwiseAbs().maxCoeff() : 0, chi.size() > 0 ? chi.cwiseAbs().maxCoeff() : 0);
  }

  Vector q, v;

 private:
  Model model_;
  InitialValues initial_;
  std::unique_ptr<System> system_;
  std::string chosen_;
  Manifold manifold_;
};

Vector noise(std::mt19937_64& random, Eigen::Index n, double size) {
  std::uniform_real_distribution<double> number(-size, size);
  return Vector::NullaryExpr(n, [&] { return number(random); });
}

TEST(Assembly, LeavesAConsistentStartUntouched) {
  // 3-4-5: the violation is one of rounding, so a change can only be one of rounding, too.
  Workbench bench(pendulum);
  bench.v << 0.8, 0.6;
  const Vector q = bench.q, v = bench.v;
  const Assembly assembly = bench.assemble();
  EXPECT_LE(assembly.change, 1e-15);
  EXPECT_LE((bench.q - q).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LE((bench.v - v).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(Assembly, OfASystemWithoutConstraintsChangesNothing) {
  Workbench bench("coordinates: {x: [3, 4]}\nkinetic_energy: x'^2\n");
  EXPECT_EQ(bench.assemble().change, 0);
  EXPECT_EQ(bench.q[0], 3);
  EXPECT_EQ(bench.v[0], 4);
}

TEST(Assembly, MeetsTheConstraintsFromSmallAndLargePerturbations) {
  std::mt19937_64 random(5);
  for (const double size : {1e-12, 1e-9, 1e-6, 1e-3, 0.1, 0.5}) {
    for (int k = 0; k < 20; ++k) {
      Workbench bench(four_bar);
      bench.assemble();
      bench.q += noise(random, 4, size);
      bench.v += noise(random, 4, 10 * size);
      bench.assemble();
      EXPECT_LE(bench.violation(), met) << "perturbed by " << size;
    }
  }
}

TEST(Assembly, MovesToTheNearestPoint) {
  // Along the normal of a circle, so that the direction from its centre stays.
  Workbench bench(pendulum);
  bench.q << 0.9, -1.2;
  bench.v << 1, 0;
  const Assembly assembly = bench.assemble();
  EXPECT_NEAR(bench.q[0], 0.6, met);
  EXPECT_NEAR(bench.q[1], -0.8, met);
  // v = (1, 0) less its part along (0.6, -0.8).
  EXPECT_NEAR(bench.v[0], 1 - 0.36, met);
  EXPECT_NEAR(bench.v[1], 0.48, met);
  EXPECT_NEAR(assembly.change, 0.48, met);
  EXPECT_EQ(assembly.name, "y'");
}

TEST(Assembly, StaysOnTheBranchItStartsFrom) {
  // The side of the line from crank to rocker pivot on which the coupler's end lies tells the branch.
  const auto side = [](const Vector& q) { return (3.5 - q[0]) * (q[3] - q[1]) - (0 - q[1]) * (q[2] - q[0]); };
  std::mt19937_64 random(6);
  for (const double turn : {1.0, -1.0}) {
    Workbench start(four_bar);
    start.q[3] *= turn;
    start.assemble();
    for (int k = 0; k < 50; ++k) {
      Workbench bench(four_bar);
      bench.q = start.q + noise(random, 4, 0.3);
      bench.assemble();
      EXPECT_LE(bench.violation(), met);
      EXPECT_GT(side(bench.q) * side(start.q), 0);
      // No farther than the perturbation times the condition of the constraints, which is below 5 here.
      EXPECT_LE((bench.q - start.q).norm(), 5 * 0.6);
    }
  }
}

TEST(Assembly, MeetsMovingAndVelocityConstraintsAtTheirTime) {
  Workbench bench(R"(
coordinates: {x: 0, y: 0, phi: 0}
kinetic_energy: (x'^2 + y'^2)/2 + phi'^2
constraints:
  drive: x = sin(3*t)
  runner: x'*sin(phi) - y'*cos(phi) = 0
  speed: phi'^2 + phi' = 2
)");
  bench.q << 0.3, 0.4, 0.5;
  bench.v << 0.1, 0.2, 0.7;
  bench.assemble(0.2);
  EXPECT_LE(bench.violation(0.2), met);
  EXPECT_NEAR(bench.q[0], std::sin(0.6), met);
  EXPECT_NEAR(bench.v[0], 3 * std::cos(0.6), met);
  EXPECT_NEAR(bench.v[2], 1, met);
}

TEST(Assembly, OfSpeedsMovesTheCoordinatesThroughTheRates) {
  Workbench bench(R"(
coordinates: {x: 1, y: 0.5}
speeds: {u: 0.3, w: 0.2}
rates: {x: 2*u, y: u + w}
mass_matrix: [[1, 0], [0, 1]]
constraints: {rod: x^2 + y^2 = 1}
)");
  bench.assemble();
  EXPECT_LE(bench.violation(), met);
}

TEST(Assembly, NamesConstraintsThatContradictEachOther) {
  Workbench bench(R"(
coordinates: {x: 0.6, y: -0.8, z: 0}
kinetic_energy: x'^2 + y'^2 + z'^2
constraints:
  short: x^2 + y^2 = 1
  long: x^2 + y^2 = 4
  fine: z = 0
)");
  try {
    bench.assemble();
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.find("'short'") != std::string::npos || message.find("'long'") != std::string::npos) << message;
    EXPECT_EQ(message.find("'fine'"), std::string::npos) << message;
    EXPECT_FALSE(error.remedy().empty());
  }
}

TEST(Assembly, NamesAConstraintThatNoPositionMeets) {
  Workbench bench("coordinates: {x: 0.5}\nkinetic_energy: x'^2\nconstraints: {never: x^2 + 1 = 0}\n");
  try {
    bench.assemble();
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'never'"), std::string::npos) << error.what();
  }
}

TEST(Assembly, IsNotContentWithAViolationBecauseItHasWanderedFar) {
  // Newton's steps towards the zero that exp(-x) + 1 does not have grow without bound.
  Workbench bench("coordinates: {x: 0.5}\nkinetic_energy: x'^2\nconstraints: {never: exp(-x) + 1 = 0}\n");
  EXPECT_THROW(bench.assemble(), InputError) << "x = " << bench.q[0] << ", violated by " << bench.violation();
}

TEST(Assembly, IsNotContentWithAViolationBecauseAnotherCoordinateIsLarge) {
  Workbench bench(R"(
coordinates: {x: 1, far: 1e9}
kinetic_energy: x'^2 + far'^2
constraints: {one: x = 1, two: x = 2}
)");
  EXPECT_THROW(bench.assemble(), InputError) << "x = " << bench.q[0] << ", violated by " << bench.violation();
}

TEST(Assembly, JudgesARowByWhatItMeansAndNotByItsScale) {
  for (const double scale : {1e-9, 1e-3, 1.0, 1e3, 1e9}) {
    const auto row = [&](const char* formula) { return option_text(scale) + "*(" + formula + ")"; };
    const std::string start = "coordinates: {x: 0.6, y: -0.9}\nkinetic_energy: x'^2 + y'^2\nconstraints:\n";
    const std::string rod = "  rod: " + row("x^2 + y^2 - 1") + "\n";
    Workbench fine(start + rod);
    EXPECT_NO_THROW(fine.assemble()) << "scaled by " << scale;
    EXPECT_NEAR(fine.q.norm(), 1, met) << "scaled by " << scale;
    Workbench contradictory(start + rod + "  longer: " + row("x^2 + y^2 - 4") + "\n");
    EXPECT_THROW(contradictory.assemble(), InputError) << "scaled by " << scale;
  }
}

// ---- a redundant mechanism that starts off its constraints ----------------------------------------

/// The redundant four-bar with every coordinate moved by up to `size`, every rate by ten times as much.
Options perturbed(double size, const std::string& method) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  Options options;
  const std::vector<std::pair<std::string, double>> start{{"x1", 0}, {"y1", 1}, {"x2", 1},
                                                          {"y2", 1}, {"x3", 2}, {"y3", 1}};
  for (const auto& [name, value] : start) {
    options.set.push_back({name + "(0)", option_text(value + size * number(random))});
    const double rate = name[0] == 'x' ? 1 : 0;
    options.set.push_back({name + "'(0)", option_text(rate + 10 * size * number(random))});
  }
  options.method = method;
  options.assemble = true;
  options.record = false;
  return options;
}

class RedundantStart : public testing::TestWithParam<std::tuple<const char*, double>> {};

TEST_P(RedundantStart, OffTheConstraintsIsAssembledAndRunsToItsEnd) {
  const auto [method, size] = GetParam();
  const Model model = load_model(places::source("models/four-bar-redundant.yaml"));
  Options options = perturbed(size, method);
  options.until = 0;
  const auto start = simulate(model, options);
  EXPECT_LE(*start.summary.max_position_violation, met);
  EXPECT_LE(*start.summary.max_velocity_violation, met);
  EXPECT_GT(*start.summary.assembly_change, 0);
  // The nearest point is no farther than the perturbation itself, times the condition of the constraints.
  EXPECT_LE(*start.summary.assembly_change, 100 * size);
  EXPECT_EQ(start.summary.rank_max, 5);
  EXPECT_EQ(start.summary.dependent.size(), 1U);

  options.until = 10;
  options.step = 1e-3;
  const auto run = simulate(model, options);
  ASSERT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
  EXPECT_EQ(run.summary.t_end, 10);
  EXPECT_EQ(run.summary.degrees_of_freedom, 1);
  const auto q = [&](int i) { return run.summary.final_coordinates[i].value; };
  const double Phi[] = {std::hypot(q(0), q(1)) - 1,
                        std::hypot(q(2) - 1, q(3)) - 1,
                        std::hypot(q(4) - 2, q(5)) - 1,
                        std::hypot(q(2) - q(0), q(3) - q(1)) - 1,
                        std::hypot(q(4) - q(2), q(5) - q(3)) - 1,
                        std::hypot(q(4) - q(0), q(5) - q(1)) - 2};
  for (const double violation : Phi) EXPECT_LE(std::abs(violation), met);
}

INSTANTIATE_TEST_SUITE_P(FourBar, RedundantStart,
                         testing::Combine(testing::Values("auto", "braun-goldfarb"),
                                          testing::Values(1e-5, 1e-4, 1e-3, 1e-2)));

TEST(RedundantStartUnderErrorControl, OffTheConstraintsIsAssembledAndRunsToItsEnd) {
  const Model model = load_model(places::source("models/four-bar-redundant.yaml"));
  for (const double size : {1e-5, 1e-3, 1e-2}) {
    const auto run = simulate(model, perturbed(size, "auto"));
    ASSERT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
    EXPECT_LE(*run.summary.max_position_violation, met);
  }
}

}  // namespace
}  // namespace taut
