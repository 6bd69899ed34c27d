// Motions by kind, and their parts, each against something computed without them.
#include "simulation/motion.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "enforcement/bench.hpp"
#include "simulation/chart_motion.hpp"
#include "simulation/index_two_motion.hpp"
#include "simulation/projected_motion.hpp"
#include "simulation/unprojected_motion.hpp"

namespace taut::test {
namespace {

/// A motion with steps that are chosen, beside the bench's own.
struct Chosen {
  Bench bench;
  std::unique_ptr<Motion> motion;

  Chosen(const char* text, const std::string& method, double rtol, Control control = Control::euler)
      : bench(text, method),
        motion(make_motion(bench.manifold, *bench.method, nullptr, {control, false, rtol, std::nullopt})) {
    EXPECT_TRUE(motion->start(0, bench.q, bench.v, 1e-10));
  }
};

template <class Kind>
bool makes(const std::string& method) {
  Bench bench(ellipse, method);
  return dynamic_cast<Kind*>(&bench.motion) != nullptr;
}

TEST(MakeMotion, ChoosesByTheKindOfTheMethod) {
  EXPECT_TRUE(makes<ProjectedMotion>("auto"));
  EXPECT_TRUE(makes<UnprojectedMotion>("udwadia-kalaba"));
  EXPECT_TRUE(makes<UnprojectedMotion>("baumgarte"));
  EXPECT_TRUE(makes<UnprojectedMotion>("perturbation"));
  EXPECT_TRUE(makes<ChartMotion>("parametrization"));
  EXPECT_TRUE(makes<ChartMotion>("coordinate-partitioning"));
  EXPECT_TRUE(makes<IndexTwoMotion>("stabilized-index-2"));
}

TEST(MakeMotion, GivesOnlyTheExtensionsThatMeanSomething) {
  const auto extensions = [](const std::string& method) { return Bench(ellipse, method).motion.extensions(); };
  EXPECT_TRUE(extensions("baumgarte").terms);
  EXPECT_FALSE(extensions("auto").terms);
  EXPECT_TRUE(extensions("auto").error);
  EXPECT_FALSE(extensions("perturbation").error);
  EXPECT_TRUE(extensions("perturbation(p1=1e-6)").norm);
  EXPECT_FALSE(extensions("perturbation").norm);
  EXPECT_TRUE(extensions("stabilized-index-2").implicit);
  EXPECT_FALSE(extensions("parametrization").implicit);
  EXPECT_FALSE(extensions("auto").switching);
}

/// f∘π: at a stage off the constraints, and at its projection, which is a state of its own. Newton ends within 1e-14 of
/// the sizes, and slopes change at most a thousand times as fast.
TEST(ProjectedMotion, HasTheSlopeOfTheProjection) {
  Bench bench(ellipse, "auto");
  Vector q = bench.q + Vector{{1e-3, 0.05}}, v = near(bench.v, 0.01);
  const Vector off = bench.derivative(q, v, 0.1, bench.q, bench.v);
  ASSERT_TRUE(bench.manifold.project(0, q, v).ok);
  bench.motion.forget();
  EXPECT_LE(largest(off - bench.derivative(q, v, 0.1)), 1e-11);
  bench.at(q, v);
  EXPECT_LE(largest(bench.Phi), exact);
  EXPECT_LE(largest(off.head(2) - v), 1e-11);
  EXPECT_LE(largest(off.tail(2) - bench.acceleration(bench.b)), 1e-11);
}

TEST(UnprojectedMotion, EvaluatesWhereTheStateStands) {
  Bench bench(ellipse, "udwadia-kalaba");
  const Vector q = near(bench.q, 0.1), v = near(bench.v, 0.1);
  const Vector slope = bench.derivative(q, v, 0.1);
  bench.at(q, v);
  EXPECT_EQ(slope.head(2), v);
  EXPECT_LE(largest(slope.tail(2) - bench.acceleration(bench.b)), exact);
}

TEST(ChartMotion, StandsForAPointOfTheConstraints) {
  Bench bench(ellipse, "parametrization");
  Vector q = near(bench.q, 0.01), v = near(bench.v, 0.01);
  ASSERT_TRUE(bench.motion.physical(0, bench.motion.state(q, v), q, v));
  bench.at(q, v);
  EXPECT_LE(largest(bench.Phi), exact);
  EXPECT_LE(largest(bench.chi), exact);
}

TEST(Evaluation, IsNotRepeatedWhereTheEquationsStand) {
  for (const char* method : {"auto", "udwadia-kalaba", "parametrization"}) {
    Bench bench(ellipse, method);
    const Vector y = bench.motion.state(near(bench.q, 0.01), near(bench.v, 0.01));
    bench.motion.begin_step(0, bench.motion.state(bench.q, bench.v), 0.1);
    ASSERT_TRUE(bench.motion.evaluate(0.05, y)) << method;
    const long once = bench.manifold.effort().evaluations;
    ASSERT_TRUE(bench.motion.evaluate(0.05, y)) << method;
    EXPECT_EQ(bench.manifold.effort().evaluations, once) << method;
    bench.motion.forget();
    ASSERT_TRUE(bench.motion.evaluate(0.05, y)) << method;
    EXPECT_GT(bench.manifold.effort().evaluations, once) << method;
  }
}

/// Hᵀλ = M v̇ − f, whatever the multipliers.
TEST(MotionObservation, TellsAccelerationsAndTheForcesThatMakeThem) {
  for (const char* text : {ellipse, linear, mixed}) {
    Bench bench(text, "udwadia-kalaba");
    const Vector y = bench.motion.state(bench.q, bench.v);
    Vector a(bench.v.size()), lambda(bench.b.size()), Q(bench.v.size());
    ASSERT_TRUE(bench.motion.observe().accelerations(0, y, a, lambda));
    ASSERT_TRUE(bench.motion.observe().constraint_forces(0, y, Q));
    EXPECT_LE(largest(a - bench.acceleration(bench.b)), exact) << text;
    EXPECT_LE(largest(Q - (bench.M * a - bench.f)), exact) << text;
    EXPECT_LE(largest(Q - bench.H.transpose() * lambda), exact) << text;
  }
}

TEST(MotionObservation, TellsViolationsWithoutCorrectingThem) {
  Bench bench(ellipse, "auto");
  const Vector q = near(bench.q, 0.01), v = near(bench.v, 0.01);
  Vector Phi(1), chi(1);
  ASSERT_TRUE(bench.motion.observe().violations(0, bench.motion.state(q, v), Phi, chi));
  bench.at(q, v);
  EXPECT_EQ(Phi, bench.Phi);
  EXPECT_EQ(chi, bench.chi);
}

/// E = v·Mv/2 + 3y, by hand.
TEST(EnergyBalance, IsTheEnergyLessThatOfTheStart) {
  Bench bench(ellipse, "auto");
  const auto energy = [&](const Vector& q, const Vector& v) { return 0.5 * v.dot(bench.M * v) + 3 * q[1]; };
  const Vector q = near(bench.q, 0.1), v = near(bench.v, 0.1);
  const double expected = energy(q, v) - energy(bench.q, bench.v);
  EXPECT_NEAR(bench.motion.observe().energy_error(0, bench.motion.state(q, v)), expected, exact);
}

/// Baumgarte's terms decay at the rate max(α/2, √β, γ), with γ = α/2 where none is given: held longer than one over it,
/// they do too much.
TEST(CorrectionTerms, BoundTheStepsThroughWhichTheyAreHeld) {
  Chosen held(ellipse, "baumgarte(alpha=6, beta=25)", 1e-6),
      in_stages(ellipse, "baumgarte(alpha=6, beta=25)", 1e-6, Control::stages);
  EXPECT_DOUBLE_EQ(held.motion->extensions().longest_step(), 1. / 5);
  EXPECT_EQ(in_stages.motion->extensions().longest_step(), std::numeric_limits<double>::infinity());
}

/// A result that its correction moves by 2e-3, where errors of 1e-6 would pass and a thousand times as much might: too
/// far; one that it moves by 2e-5 is not.
TEST(StepApproval, RefusesAResultThatItsCorrectionMovesFar) {
  for (const double distance : {2e-5, 2e-3}) {
    Chosen chosen(linear, "perturbation", 1e-6 / 3);
    Vector q = chosen.bench.q;
    q[2] += 3 * distance;
    Vector y = chosen.motion->state(q, chosen.bench.v);
    ASSERT_NE(chosen.motion->correct(0.1, y), Correction::failed);
    const double correction = chosen.motion->report().correction;
    EXPECT_GT(correction, distance / 3);
    EXPECT_LT(correction, 3 * distance);
    EXPECT_EQ(chosen.motion->approval().approves(0.1, y), distance < 1e-3);
  }
}

/// x' + y' jumps from −0.3 to 0.3. The impulse μ acts on masses of 1 and 2 alike: Δv = (μ, μ/2), and 3μ/2 = 0.6. Its
/// work is the gain in kinetic energy.
TEST(SpeedJumps, TakeSpeedsAlongByTheImpulseOfTheDrive) {
  Chosen chosen(
      "coordinates: {x: [0.3, -0.3], y: [0, 0]}\nkinetic_energy: (x'^2 + 2*y'^2)/2\n"
      "constraints: {drive: \"x + y = 0.3*abs(t - 1)\"}\n",
      "perturbation", 1e-8);
  const double before = 1 - 1e-15, after = 1 + 1e-15;
  Vector y = chosen.motion->state(Vector{{0.1, -0.1}}, Vector{{-0.2, -0.1}});
  chosen.motion->extensions().stops->leave_stop(before, after, y);
  EXPECT_NEAR(y[2], -0.2 + 0.4, exact);
  EXPECT_NEAR(y[3], -0.1 + 0.2, exact);
  ASSERT_TRUE(chosen.motion->speed_jumps().first());
  EXPECT_EQ(chosen.motion->speed_jumps().count(), 1);
  EXPECT_NEAR(chosen.motion->speed_jumps().first()->largest, 0.4, exact);
  const double gain = 0.5 * (0.2 * 0.2 + 2 * 0.1 * 0.1) - 0.5 * (0.2 * 0.2 + 2 * 0.1 * 0.1);
  EXPECT_NEAR(chosen.motion->speed_jumps().first()->work, gain, exact);
}

}  // namespace
}  // namespace taut::test
