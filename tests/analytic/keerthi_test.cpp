#include <gtest/gtest.h>

#include <fmt/format.h>

#include "analytic/reference.hpp"

namespace taut::test {
namespace {

/// The robot of Keerthi, Sudarsan & Sancheti, section 4, from their two starts, moved onto the constraints.
const std::vector<Assignment> starts[] = {{},
                                          {{"q1(0)", "2.796773621678"}, {"q2(0)", "0"}, {"q3(0)", "0.299960998479"}}};

/// The integration norm is the Euclidean one, with the tolerance τ on all six unknowns together.
constexpr double tau = 1e-4;
/// Nothing of the tolerance is to be relative.
constexpr double absolute = 1e-12;

struct Count {
  std::string approach;
  long steps, evaluations;
};

Run run_robot(int start, const Choice& method, const Choice& integrator, double atol, double rtol = absolute,
              double until = 3) {
  static const Model model = load_model("papers/keerthi-robot");
  const Run run = simulate(model, {.until = until,
                                   .rtol = rtol,
                                   .atol = atol,
                                   .method = method,
                                   .integrator = integrator,
                                   .set = starts[start - 1],
                                   .record = false});
  EXPECT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
  return run;
}

Count count(const std::string& approach, const Run& run) {
  return {approach, run.summary.steps, run.summary.evaluations};
}

Perturbation pert(double reject_above) {
  Perturbation method;
  method.metric = "identity";
  method.tau = reject_above;
  return method;
}

Baumgarte critically_damped(double delta) {
  Baumgarte method;
  method.alpha = 2 * delta;
  method.beta = delta * delta;
  return method;
}

Count count_pert(int start) { return count("PERT", run_robot(start, pert(tau), Abm{}, tau / 2)); }
Count count_param(int start) { return count("PARAM", run_robot(start, Parametrization{}, Abm{}, tau)); }
Count count_ics(int start, double delta) {
  return delta > 0 ? count("ICS", run_robot(start, critically_damped(delta), Abm{}, tau))
                   : count("ICS", run_robot(start, UdwadiaKalaba{}, Abm{}, tau));
}
/// IDA tests the root mean square of the six differential unknowns; τ/√6 there is τ in the Euclidean norm.
Count count_ecs(int start) { return count("ECS", run_robot(start, StabilizedIndex2{}, Ida{}, tau / std::sqrt(6))); }

TEST(Keerthi, TheReferenceSolutionsAreMetAtATightTolerance) {
  // From DOP853 at 1e-13 with projection, in an independent rebuild of the example.
  struct End {
    int start;
    double until, q1, q2, q3;
  };
  constexpr End ends[] = {
      {1, 1, 0.434986475756, 0.298535050673, 0.201045911985},
      {1, 3, 0.436168722939, 0.299897099837, 0.200028410878},
      {2, 1, 0.351091234391, -0.092181017179, 0.291389519701},
      {2, 2, 0.458903152423, 0.323115313750, 0.181519978534},
      {2, 3, 0.435015741804, 0.298568977516, 0.201020654910},
      {2, 5, 0.4361591691498, 0.2998861622812, 0.2000366104149},
  };
  struct Way {
    Choice method, integrator;
  };
  const Way ways[] = {{Auto{}, Dop853{}}, {pert(0), Abm{}}, {Parametrization{}, Abm{}}};
  for (const End& end : ends)
    for (const Way& way : ways) {
      const auto run = run_robot(end.start, way.method, way.integrator, 1e-13, 1e-12, end.until);
      const auto where = fmt::format("{} from start {} at {} s", way.method.name, end.start, end.until);
      EXPECT_NEAR(coordinate(run, "q1"), end.q1, 1e-9) << where;
      EXPECT_NEAR(coordinate(run, "q2"), end.q2, 1e-9) << where;
      EXPECT_NEAR(coordinate(run, "q3"), end.q3, 1e-9) << where;
    }
}

TEST(Keerthi, ThePerturbationApproachTakesAsManyStepsAsTheRebuildOfThePaper) {
  // 35 steps with 71 evaluations, and 104 with 211; published are 33 with 66, and 121 with 243, at a horizon that is
  // not. Start-up and record take up to four evaluations more.
  const Count near = count_pert(1), far = count_pert(2);
  EXPECT_NEAR(near.steps, 35, 0.2 * 35);
  EXPECT_NEAR(near.evaluations, 71, 0.2 * 71);
  EXPECT_NEAR(far.steps, 104, 0.2 * 104);
  EXPECT_NEAR(far.evaluations, 211, 0.2 * 211);
}

TEST(Keerthi, NoStepIsRejectedForTheSizeOfItsCorrection) {
  // Remark 2.5: with and without the test on the correction, the very same steps are taken.
  for (const int start : {1, 2}) {
    const auto with = run_robot(start, pert(tau), Abm{}, tau / 2), without = run_robot(start, pert(0), Abm{}, tau / 2);
    EXPECT_EQ(with.summary.rejected_steps, without.summary.rejected_steps);
    EXPECT_EQ(with.summary.evaluations, without.summary.evaluations);
    EXPECT_EQ(coordinate(with, "q1"), coordinate(without, "q1"));
    ASSERT_TRUE(with.summary.largest_correction);
    EXPECT_LT(*with.summary.largest_correction, tau / 2);
  }
}

TEST(Keerthi, FromTheFarStartTheApproachesCostAsTheirTableOrdersThem) {
  const Count order[] = {count_ics(2, 0), count_pert(2), count_param(2), count_ecs(2)};
  EXPECT_LE(order[0].steps, order[1].steps);
  EXPECT_LE(order[0].evaluations, order[1].evaluations);
  for (int k = 1; k < 3; ++k) {
    EXPECT_LT(order[k].steps, order[k + 1].steps) << order[k].approach << " against " << order[k + 1].approach;
    EXPECT_LT(order[k].evaluations, order[k + 1].evaluations) << order[k].approach;
  }
}

TEST(Keerthi, FromTheNearStartAllButExactStabilizationCostAboutTheSame) {
  const Count perturbed = count_pert(1);
  for (const Count& other : {count_ics(1, 0), count_ics(1, 2), count_param(1)})
    EXPECT_NEAR(other.steps, perturbed.steps, 0.25 * perturbed.steps) << other.approach;
}

TEST(Keerthi, ExactStabilizationTakesAboutTwiceTheStepsOfThePerturbationApproach) {
  // Published: 2.6 and 2.1 times as many. Here the second is 3.1 since multipliers take no part in IDA's tests, which
  // lets it start at every tolerance: more, and cheaper, steps.
  for (const int start : {1, 2}) {
    const double ratio = static_cast<double>(count_ecs(start).steps) / static_cast<double>(count_pert(start).steps);
    EXPECT_GE(ratio, 1.4) << "start " << start;
    EXPECT_LE(ratio, 3.2) << "start " << start;
  }
}

TEST(Keerthi, ParametrizationPaysForItsNewBases) {
  // A base that may turn by 8 degrees costs half as many steps again as the perturbation approach; one that may turn by
  // 26 degrees saves most of that.
  Parametrization patient;
  patient.restart = 0.9;
  const double cautious_steps = static_cast<double>(count_param(2).steps);
  const double pert_steps = static_cast<double>(count_pert(2).steps);
  EXPECT_GT(cautious_steps, 1.5 * pert_steps);
  EXPECT_LT(cautious_steps, 1.9 * pert_steps);
  EXPECT_LT(static_cast<double>(run_robot(2, patient, Abm{}, tau).summary.steps), 0.75 * cautious_steps);
}

TEST(Keerthi, TheMissingInertiaChangesLittle) {
  // J2 = 0.1 instead of 0, from the far start after 3 s; the reference as above.
  std::vector<Assignment> set = starts[1];
  set.push_back({"J2", "0.1"});
  const auto run =
      simulate(load_model("papers/keerthi-robot"), {.until = 3, .rtol = 1e-12, .set = set, .record = false});
  EXPECT_NEAR(coordinate(run, "q1"), 0.434769784998, 1e-9);
  EXPECT_NEAR(coordinate(run, "q2"), 0.298283516401, 1e-9);
  EXPECT_NEAR(coordinate(run, "q3"), 0.201233029353, 1e-9);
}

}  // namespace
}  // namespace taut::test
