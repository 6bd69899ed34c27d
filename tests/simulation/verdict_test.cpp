#include "simulation/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "taut/methods.hpp"

namespace taut {
namespace {

using testing::HasSubstr;

RelativeViolation off_by(double share) { return {share, share / 10, "rod"}; }

Evidence seen(double largest) {
  Evidence evidence;
  evidence.rtol = 1e-8;
  evidence.largest = evidence.end = off_by(largest);
  return evidence;
}

Verdict verdict_of(const Evidence& evidence) { return judge(evidence).verdict; }

TEST(Verdict, IsDoneWhereToleranceAndRoundingExplainTheViolation) {
  for (const bool holds : {true, false}) {
    Evidence evidence = seen(1e-12);
    evidence.holds = holds;
    EXPECT_EQ(verdict_of(evidence), Verdict::done);
    EXPECT_EQ(judge(evidence).reason, "");
  }
}

TEST(Verdict, OfAMethodThatDriftsSaysSoAndNamesTheConstraint) {
  const Judgement judgement = judge(seen(1e-5));
  EXPECT_EQ(judgement.verdict, Verdict::drifted);
  EXPECT_THAT(judgement.reason, HasSubstr("'rod'"));
  EXPECT_TRUE(is_trusted(judgement.verdict));
}

TEST(Verdict, IsLostAboveAThousandthOfTheSizesWithARemedy) {
  const Judgement judgement = judge(seen(2e-3));
  EXPECT_EQ(judgement.verdict, Verdict::lost);
  EXPECT_THAT(judgement.reason, HasSubstr("auto"));
  EXPECT_FALSE(is_trusted(judgement.verdict));
}

TEST(Verdict, OfAMethodThatPromisesToHoldIsLostMuchEarlier) {
  Evidence evidence = seen(1e-4);
  EXPECT_EQ(verdict_of(evidence), Verdict::drifted);
  evidence.holds = true;
  EXPECT_EQ(verdict_of(evidence), Verdict::lost);
}

TEST(Verdict, AllowsWhatTheToleranceAsksFor) {
  Evidence evidence = seen(1e-5);
  evidence.rtol = 1e-5;
  EXPECT_EQ(verdict_of(evidence), Verdict::done);
  evidence.rtol = 1e-10;
  EXPECT_EQ(verdict_of(evidence), Verdict::drifted);
}

TEST(Verdict, TakesAViolationThatIsNotANumberForLost) { EXPECT_EQ(verdict_of(seen(std::nan(""))), Verdict::lost); }

TEST(Verdict, OfARunThatBeginsOffItsConstraintsGoesByWhatBecameOfThem) {
  Evidence evidence = seen(1e-2);
  evidence.start = off_by(1e-2);
  evidence.end = off_by(1e-12);
  EXPECT_EQ(verdict_of(evidence), Verdict::done) << "they were pulled down";
  evidence.end = off_by(2e-2);
  EXPECT_EQ(verdict_of(evidence), Verdict::lost);
  EXPECT_THAT(judge(evidence).reason, HasSubstr("--assemble"));
}

TEST(Verdict, OfAnEventIsStoppedUnlessTheConstraintsAreLost) {
  Evidence evidence = seen(1e-5);
  evidence.outcome = Outcome::stopped;
  evidence.reason = "event 'touch' at t = 1";
  EXPECT_EQ(verdict_of(evidence), Verdict::stopped);
  EXPECT_EQ(judge(evidence).reason, evidence.reason);
  evidence.largest = off_by(1);
  EXPECT_EQ(verdict_of(evidence), Verdict::lost);
}

TEST(Verdict, OfWhatCouldNotGoOnIsFailedOrContradictory) {
  Evidence evidence = seen(0);
  evidence.outcome = Outcome::failed;
  evidence.reason = "no finite value";
  EXPECT_EQ(verdict_of(evidence), Verdict::failed);
  evidence.contradictory = true;
  EXPECT_EQ(verdict_of(evidence), Verdict::contradictory);
  evidence.contradictory = false;
  evidence.outcome = Outcome::interrupted;
  EXPECT_EQ(verdict_of(evidence), Verdict::failed);
  EXPECT_EQ(judge(evidence).reason, "no finite value");
}

TEST(Verdict, HasAWordForEach) {
  EXPECT_EQ(to_string(Verdict::done), "done");
  EXPECT_EQ(to_string(Verdict::drifted), "drifted");
  EXPECT_EQ(to_string(Verdict::contradictory), "contradictory");
  EXPECT_EQ(to_string(Verdict::lost), "lost");
  EXPECT_EQ(to_string(Verdict::stopped), "stopped");
  EXPECT_EQ(to_string(Verdict::failed), "failed");
}

// ---- of whole runs --------------------------------------------------------------------------------

/// A pendulum whose lengths are in units of `unit` m, and whose row is scaled.
std::string pendulum(double unit, double scale) {
  const auto number = [](double x) { return option_text(x); };
  return "coordinates: {x: " + number(1 / unit) +
         ", y: 0}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: " + number(9.81 / unit) +
         "*y\nconstraints: {rod: " + number(scale) + "*(x^2 + y^2 - " + number(1 / unit / unit) + ") = 0}\n";
}

TEST(VerdictOfARun, IsTheSameInAnyUnitAndHoweverRowsAreScaled) {
  Options options{.until = 5, .step = 2e-2, .method = UdwadiaKalaba{}, .integrator = Rk4{}, .record = false};
  std::vector<double> shares;
  for (const double unit : {1.0, 1e-3, 1e6}) {
    for (const double scale : {1.0, 1e-9, 1e9}) {
      const auto summary = simulate(read_model(pendulum(unit, scale), "pendulum.yaml"), options).summary;
      EXPECT_EQ(summary.verdict, Verdict::drifted) << unit << " m, scaled by " << scale;
      shares.push_back(*summary.relative_position_violation);
    }
  }
  // Equal but for rounding in the differences by which rows are measured, half of the digits.
  for (const double share : shares) EXPECT_NEAR(share, shares[0], 1e-5 * shares[0]);
}

TEST(VerdictOfARun, OfEulersMethodWithoutCorrectionIsLost) {
  const auto summary =
      simulate(load_model("pendulum"), {.until = 10, .step = 1e-2, .method = UdwadiaKalaba{}, .integrator = Euler{}})
          .summary;
  EXPECT_EQ(summary.outcome, Outcome::done) << "it runs to its end";
  EXPECT_EQ(summary.verdict, Verdict::lost);
  EXPECT_THAT(summary.verdict_reason, HasSubstr("'rod'"));
}

/// The force of a step in a potential has no bound, and no formula: what goes on as if there were none is not done.
TEST(VerdictOfARun, OfAPotentialThatJumpsIsLost) {
  for (const std::string potential : {"0.45*(x + abs(x))/(2*x)", "0.45*(1 + sign(x))/2"})
    for (const std::string integrator : {"auto", "dopri5", "abm"}) {
      const auto model = read_model(
          "coordinates: {x: [-1, 1.5]}\nkinetic_energy: x'^2/2\npotential_energy: " + potential + "\n", "step.yaml");
      const auto run = simulate(model, {.until = 2, .integrator = integrator});
      EXPECT_NE(run.summary.verdict, Verdict::done) << potential << " " << integrator;
    }
}

TEST(VerdictOfARun, DoesNotTakeStandstillForAViolation) {
  // Hangs at rest: what speeds there are, are rounding errors, and satisfy nothing.
  const auto summary = simulate(read_model(R"(
coordinates: {x: 0.6, y: -0.8, z: 0}
kinetic_energy: (x'^2 + y'^2 + z'^2)/2
potential_energy: -6*x + 8*y
constraints: {rod: x^2 + y^2 = 1, plane: z = 0}
)",
                                           "rest.yaml"),
                                {.until = 10, .method = UdwadiaKalaba{}, .record = false})
                           .summary;
  EXPECT_EQ(summary.verdict, Verdict::done) << summary.verdict_reason;
}

/// A heavy body with hardly any inertia at the end of a long arm: what the rows have of their own differs by 1e-8 in
/// the metric of the masses.
constexpr const char* long_arm = R"(
gravity: [0, -9.81, 0]
bodies:
  body: {mass: 1000, inertia: [0.001, 0.001, 0.001], position: [10, 20, 0]}
joints:
  rev: {type: revolute, bodies: [ground, body], at: [0, 20, 0], axis: [0, 0, 1]}
forces:
  damper: {type: torsion-spring, joint: rev, damping: 0.1}
outputs: {phi: rev.angle}
)";

TEST(VerdictOfARun, OfALongArmIsTrueUnderEveryMethod) {
  const Model model = read_model(long_arm, "arm.yaml");
  const auto run = [&](const char* method) {
    return simulate(model, {.until = 10, .method = method, .record = false}).summary;
  };
  const double phi = run("auto").final_outputs[0].value;
  for (const char* method : {"recursive-least-squares", "post-stabilization", "baumgarte", "gradient-feedback"}) {
    const auto summary = run(method);
    const bool right = std::abs(summary.final_outputs[0].value - phi) < 1e-3;
    EXPECT_TRUE(right || !is_trusted(summary.verdict)) << method << ": " << summary.final_outputs[0].value;
  }
  EXPECT_NEAR(run("recursive-least-squares").final_outputs[0].value, phi, 1e-6) << "no row is taken for redundant";
}

}  // namespace
}  // namespace taut
