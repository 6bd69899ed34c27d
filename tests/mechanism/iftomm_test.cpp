// The five problems A01 to A05 of the IFToMM library of computational benchmark problems, as bodies and joints, under
// the default method. A01 and A02 have closed forms (elliptic functions, 20 digits).
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "mechanism/motions.hpp"

namespace taut::test {
namespace {

Run run(const std::string& name, double until, Options options = {}) {
  const Model model = load_model("mechanisms/" + name, options.set);
  options.until = until;
  options.rtol = 1e-10;
  const auto result = simulate(model, options);
  EXPECT_EQ(result.summary.outcome, Outcome::done) << result.summary.reason;
  EXPECT_LE(result.summary.max_position_violation.value_or(0), 1e-10);
  EXPECT_LE(result.summary.max_velocity_violation.value_or(0), 1e-10);
  return result;
}

TEST(Iftomm, A01SwingsAsTheClosedForm) {
  const auto motion = run("a01-pendulum", 10);
  EXPECT_NEAR(value_of(motion.summary.final_coordinates, "mass.x"), -0.27508746257611686005, 1e-7);
  EXPECT_NEAR(value_of(motion.summary.final_coordinates, "mass.y"), -0.96141920509912506427, 1e-7);
  EXPECT_NEAR(value_of(motion.summary.final_rates, "mass.x"), 4.1755981009517288365, 1e-7);
  EXPECT_NEAR(value_of(motion.summary.final_rates, "mass.y"), -1.1947490545604752716, 1e-7);
  // Released level, the hinge carries 3 m g sin(angle from the horizontal) along the bar.
  const double height = value_of(motion.summary.final_coordinates, "mass.y");
  EXPECT_NEAR(std::hypot(output(motion, "pull_x"), output(motion, "pull_y")), -3 * 9.81 * height, 1e-6);
}

struct EndOfA02 {
  const char* loops;
  double x, y, vx, vy;
};

class IftommA02 : public testing::TestWithParam<EndOfA02> {};

TEST_P(IftommA02, PassesEverySingularPositionAsTheClosedForm) {
  const auto& end = GetParam();
  const auto motion = run("a02-n-four-bar", 10, {.set = {{"N", end.loops}}});
  EXPECT_NEAR(output(motion, "B0_x"), end.x, 1e-7);
  EXPECT_NEAR(output(motion, "B0_y"), end.y, 1e-7);
  EXPECT_NEAR(output(motion, "B0_vx"), end.vx, 1e-7);
  EXPECT_NEAR(output(motion, "B0_vy"), end.vy, 1e-7);
  EXPECT_EQ(motion.summary.passages, 10);
}

INSTANTIATE_TEST_SUITE_P(With, IftommA02,
                         testing::Values(EndOfA02{"2", 0.32845811154081537865, 0.94451853817860096216,
                                                  1.4230514702069441233, -0.49486884548704295899}),
                         [](const auto& info) { return fmt::format("{}Loops", info.param.loops); });

TEST(Iftomm, A03EndsWhereTheQuadruplePrecisionSolutionEnds) {
  const auto motion = run("a03-andrews", 0.03);
  EXPECT_NEAR(output(motion, "beta"), 1.581077119515370709711939e+01, 1e-7);
  EXPECT_NEAR(output(motion, "theta"), -1.575637105841183946972775e+01, 1e-7);
  EXPECT_NEAR(output(motion, "gamma"), 4.082224011964580485828232e-02, 1e-7);
  EXPECT_NEAR(output(motion, "phi"), -5.347301163420795937701850e-01, 1e-7);
  EXPECT_NEAR(output(motion, "delta"), 5.244099658799540693716558e-01, 1e-7);
  EXPECT_NEAR(output(motion, "omega"), 5.347301163420795937701850e-01, 1e-7);
  EXPECT_NEAR(output(motion, "epsilon"), 1.048080741041937873068515e+00, 1e-7);
}

struct PointOfA04 {
  double t, file_x, file_y, file_z, x, y, z;
};

/// P3 from the library's file, which is good to three and a half digits, and from DOP853 with exact projection.
constexpr PointOfA04 points_of_A04[] = {
    {1, 0.274509038275, -0.886711905892, -0.462322393953, 0.2744813192646, -0.8867079387347, -0.4623300026874},
    {2, -0.77808006805, -0.980344023923, -0.197295703852, -0.7781353730333, -0.9803526834433, -0.1972526706172},
    {3, -0.771319672022, -0.979275441994, -0.202532981776, -0.7712813589686, -0.9792693298398, -0.2025625326538},
    {4, 0.283442522542, -0.88800687858, -0.459830168208, 0.2835510790817, -0.888022814123, -0.4597993927758},
    {5, 0.999894056155, -0.999999994389, -0.000105938233077, 0.9999327423021, -0.9999999977384, -6.72554360841e-05},
    {6, 0.265544197079, -0.885445545532, -0.464743139699, 0.2654007873587, -0.8854255620147, -0.4647812110347},
    {7, -0.784730831482, -0.98137559884, -0.192098761061, -0.7849130566, -0.9814035822609, -0.1919557467894},
    {8, -0.764481442816, -0.978174720418, -0.207784061795, -0.7643526022337, -0.9781537944097, -0.2078825497293},
    {9, 0.29232781185, -0.889326774618, -0.457272225209, 0.2926095861377, -0.8893691432776, -0.4571898150502},
    {10, 0.999659438152, -0.999999942029, -0.000340503856586, 0.9997309873038, -0.9999999638258, -0.0002689765122516},
};

TEST(Iftomm, A04FollowsTheBenchmarkAndItsConvergedSolution) {
  const auto motion = run("a04-bricard", 10, {.coordinates = Coordinates::bodies, .every = 1});
  const auto x = column(motion, "P3_x"), y = column(motion, "P3_y"), z = column(motion, "P3_z");
  ASSERT_EQ(x.size(), 11U);
  for (const auto& at : points_of_A04) {
    const auto k = static_cast<std::size_t>(at.t);
    EXPECT_NEAR(x[k], at.file_x, 1e-3) << at.t;
    EXPECT_NEAR(y[k], at.file_y, 1e-3) << at.t;
    EXPECT_NEAR(z[k], at.file_z, 1e-3) << at.t;
    EXPECT_NEAR(x[k], at.x, 1e-8) << at.t;
    EXPECT_NEAR(y[k], at.y, 1e-8) << at.t;
    EXPECT_NEAR(z[k], at.z, 1e-8) << at.t;
  }
  EXPECT_EQ(motion.summary.constraints, 30);
  EXPECT_EQ(motion.summary.rank_min, 29);
  EXPECT_EQ(motion.summary.rank_max, 29);
  EXPECT_EQ(motion.summary.degrees_of_freedom, 1);
  EXPECT_EQ(motion.summary.dependent.size(), 1U);
}

struct StateOfA05 {
  double t, s, beta, omega;
};

/// From a reduced model in three coordinates, converged to 1e-10.
constexpr StateOfA05 states_of_A05[] = {
    {2, 0.50590929429665277, 0.5166637973646645, 6.2362236144364145},
    {4, 0.52322337102603433, 0.49685998258826702, 6.1080080531100656},
    {6, 0.54992866590557898, 0.46672078044955073, 5.9286502270636268},
    {8, 0.58317833670974184, 0.42981954718511206, 5.7327883213674733},
    {10, 0.61962291706132477, 0.39007370184468898, 5.5482036226551177},
};

/// Stiff: the dampers' time constant is 20 µs, so the formula is one for stiff equations.
TEST(Iftomm, A05BreathesAsTheReducedModel) {
  const auto motion = run("a05-governor", 10, {.integrator = "cvode-bdf", .every = 2});
  const auto s = column(motion, "s"), beta = column(motion, "beta"), omega = column(motion, "omega");
  ASSERT_EQ(s.size(), 6U);
  for (const auto& at : states_of_A05) {
    const auto k = static_cast<std::size_t>(at.t / 2);
    EXPECT_NEAR(s[k], at.s, 1e-7) << at.t;
    EXPECT_NEAR(beta[k], at.beta, 1e-7) << at.t;
    EXPECT_NEAR(omega[k], at.omega, 1e-7) << at.t;
  }
}

/// The same with the default integrator, whose steps its stability limits; half a second of it.
TEST(Iftomm, A05BreathesAsTheReducedModelUnderTheDefaultIntegrator) {
  const auto motion = run("a05-governor", 0.5, {.record = false});
  EXPECT_NEAR(output(motion, "s"), 0.743249424786364, 1e-9);
  EXPECT_NEAR(output(motion, "beta"), 0.2594913815433771, 1e-9);
  EXPECT_NEAR(output(motion, "omega"), 5.103415421971441, 1e-9);
}

}  // namespace
}  // namespace taut::test
