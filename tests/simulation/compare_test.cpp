#include "taut/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "taut/error.hpp"

namespace taut::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

Comparison compare_pendulum(const std::string& settings, CompareOptions options) {
  return compare(load_model("pendulum"), read_settings(settings), options);
}

CompareOptions with_step(double until, double step) {
  CompareOptions options;
  options.run.until = until;
  options.run.step = step;
  return options;
}

// ---- reading ----------------------------------------------------------------------------------

TEST(RunSetting, CommasInsideParenthesesDoNotSeparate) {
  const auto settings = read_settings("udwadia-kalaba, perturbation(metric=mass, tolerance=1e-9) ,auto");
  ASSERT_EQ(settings.size(), 3u);
  EXPECT_EQ(settings[0].method, "udwadia-kalaba");
  EXPECT_EQ(settings[1].method, "perturbation(metric=mass, tolerance=1e-9)");
  EXPECT_EQ(settings[2].text, "auto");
}

TEST(RunSetting, OptionsOfTheRowFollowSlashes) {
  const RunSetting setting = read_setting("baumgarte(omega=20)/control=euler/energy=project(tolerance=1e-6)");
  EXPECT_EQ(setting.text, "baumgarte(omega=20)/control=euler/energy=project(tolerance=1e-6)");
  EXPECT_EQ(setting.method, "baumgarte(omega=20)");
  EXPECT_THAT(setting.options, ElementsAre(Pair("control", "euler"), Pair("energy", "project(tolerance=1e-6)")));
}

TEST(RunSetting, WhatHasTheWrongFormIsRefusedWithARemedy) {
  EXPECT_THAT(message_of([] { read_settings("auto,perturbation(metric=mass"); }), HasSubstr("parentheses"));
  EXPECT_THAT(message_of([] { read_settings("auto),b"); }), HasSubstr("parentheses"));
  EXPECT_THAT(message_of([] { read_settings("auto,,perturbation"); }), HasSubstr("a method is missing"));
  EXPECT_THAT(message_of([] { read_settings("/control=euler"); }), HasSubstr("a method is missing"));
  EXPECT_THAT(message_of([] { read_settings("auto/control"); }), HasSubstr("/control=euler"));
  EXPECT_THAT(message_of([] { read_settings("auto/method=perturbation"); }), HasSubstr("two methods"));
}

TEST(OptionSweep, IsAnOptionOfTheListWithValues) {
  const OptionSweep sweep = read_sweep("step = 1e-2, 5e-3");
  EXPECT_EQ(sweep.option, "step");
  EXPECT_THAT(sweep.values, ElementsAre("1e-2", "5e-3"));
  EXPECT_THAT(message_of([] { read_sweep("stepp=1"); }), HasSubstr("did you mean 'step'?"));
  EXPECT_THAT(message_of([] { read_sweep("rtol=1e-4,x"); }), HasSubstr("'x' is not a number"));
  EXPECT_NE(message_of([] { read_sweep("step"); }), "");
  EXPECT_NE(message_of([] { read_sweep("step=1,,2"); }), "");
}

TEST(ApplyOptions, AToleranceAsksForErrorControlUnlessAStepStandsBesideIt) {
  Options options{.step = 1e-3};
  apply_options({{"until", "3"}}, options);
  EXPECT_EQ(options.step, 1e-3);
  apply_options({{"rtol", "1e-6"}, {"step", "1e-2"}}, options);
  EXPECT_EQ(options.step, 1e-2);
  apply_options({{"rtol", "1e-6"}}, options);
  EXPECT_FALSE(options.step.has_value());
}

// ---- comparing --------------------------------------------------------------------------------

TEST(Compare, UncorrectedDriftsMostAndAutoStaysAtRoundOff) {
  const auto comparison = compare_pendulum("udwadia-kalaba,braun-goldfarb,perturbation,auto", with_step(10, 1e-2));
  ASSERT_EQ(comparison.rows.size(), 4u);
  const auto drift = [&](int i) { return *comparison.rows[i].summary->max_position_violation; };
  // Braun & Goldfarb's Phi is of order h^5 = 1e-10 times a constant of the motion; projections reach round-off, which
  // for a rod of length 1 is a few times 2e-16 in Phi = x² + y² − 1.
  EXPECT_GT(drift(0), 1000 * drift(1));
  EXPECT_GT(drift(1), 1000 * drift(2));
  EXPECT_GT(drift(1), 1000 * drift(3));
  EXPECT_LT(drift(3), 1e-14);
  for (const auto& row : comparison.rows) EXPECT_TRUE(row.went_through()) << row.setting;
}

TEST(Compare, ErrorAgainstItsOwnReferenceIsTheErrorAgainstTheKnownOne) {
  CompareOptions options = with_step(10, 1e-2);
  options.run.every = 10;
  const auto own = compare_pendulum("udwadia-kalaba,auto", options);
  // From quadruple precision, where two step sizes agree to 22 digits.
  options.run.every.reset();
  options.table = Trajectory{{"t", "x", "y"}, {{10, 0.2750874625761158, -0.9614192050991254}}};
  const auto known = compare_pendulum("udwadia-kalaba,auto", options);
  ASSERT_TRUE(own.reference.accuracy.has_value());
  EXPECT_LT(*own.reference.accuracy, 1e-10);
  EXPECT_FALSE(known.reference.accuracy.has_value());
  EXPECT_EQ(known.every, 10);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(*own.rows[i].error, *known.rows[i].error, *own.reference.accuracy);
}

TEST(Compare, SweepOfTheStepShowsTheOrderOfRk4) {
  CompareOptions options;
  options.run.integrator = "rk4";
  options.sweep = read_sweep("step=1e-2,5e-3,2.5e-3");
  const auto comparison = compare_pendulum("auto,udwadia-kalaba", options);
  ASSERT_EQ(comparison.rows.size(), 6u);
  EXPECT_EQ(comparison.rows[4].setting, "udwadia-kalaba");
  EXPECT_EQ(comparison.rows[4].value, "5e-3");
  for (const int first : {0, 3}) EXPECT_FALSE(comparison.rows[first].order.has_value());
  for (const int i : {1, 2, 4, 5}) EXPECT_NEAR(comparison.rows[i].order.value_or(0), 4, 0.25) << i;
}

TEST(Compare, SweepOfTheToleranceTradesEvaluationsForError) {
  CompareOptions options;
  options.run.step = 1e-2;  // the tolerance asks for error control all the same
  options.sweep = read_sweep("rtol=1e-4,1e-7,1e-10");
  const auto rows = compare_pendulum("auto", options).rows;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_LT(*rows[i].error, *rows[i - 1].error / 10);
    EXPECT_FALSE(rows[i].summary->step.has_value());
    EXPECT_FALSE(rows[i].order.has_value());
  }
  EXPECT_GT(rows[2].summary->evaluations, rows[1].summary->evaluations);
}

TEST(Compare, OptionsAfterASlashHoldForTheirRowOnly) {
  const auto rows = compare_pendulum("auto,auto/energy=project,auto/rtol=1e-9,auto", with_step(1, 1e-2)).rows;
  EXPECT_EQ(rows[0].summary->energy, "none");
  EXPECT_EQ(rows[1].summary->energy, "project");
  EXPECT_EQ(rows[2].summary->rtol, 1e-9);
  EXPECT_EQ(rows[3].summary->step, 1e-2);
  EXPECT_EQ(rows[0].error, rows[3].error);
}

TEST(Compare, AWrongRowSaysWhatIsWrongAndTheOthersRun) {
  const auto rows = compare_pendulum("perturbatoin,auto/integrator=rk4/rtol=1e-6,auto/every=1,auto", {}).rows;
  EXPECT_THAT(rows[0].message, HasSubstr("did you mean 'perturbation'?"));
  EXPECT_THAT(rows[1].message, HasSubstr("no step is given"));
  EXPECT_THAT(rows[2].message, HasSubstr("--every"));
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(rows[i].summary.has_value());
  EXPECT_TRUE(rows[3].went_through());
  EXPECT_EQ(rows[3].time_ratio, 1);
}

TEST(Compare, WithoutSettingsRunsEveryMethodOfTheListOrSaysWhyNot) {
  const auto comparison = compare(load_model("pendulum"), {}, with_step(1, 1e-2));
  EXPECT_EQ(comparison.rows.size() + comparison.left_out.size(), list_methods().size());
  for (const auto& row : comparison.rows) EXPECT_TRUE(row.summary.has_value()) << row.setting;
}

TEST(Compare, TheErrorMayBeThatOfRatesAndOutputs) {
  CompareOptions options = with_step(1, 1e-2);
  options.of = {"y'", "angle"};
  const auto comparison = compare_pendulum("auto", options);
  EXPECT_THAT(comparison.of, ElementsAre("y'", "angle"));
  EXPECT_GT(*comparison.rows[0].error, 0);
  options.of = {"angel"};
  EXPECT_THAT(message_of([&] { compare_pendulum("auto", options); }), HasSubstr("did you mean 'angle'?"));
}

TEST(Compare, CostIsThatOfTheRunAloneHoweverFineTheGrid) {
  CompareOptions coarse, fine;
  coarse.run.every = 5;
  fine.run.every = 0.01;
  const auto evaluations = [](const CompareOptions& options) {
    return compare_pendulum("auto", options).rows[0].summary->evaluations;
  };
  EXPECT_EQ(evaluations(coarse), evaluations(fine));
}

TEST(Compare, AReferenceMayBeComputedInAnotherWay) {
  CompareOptions options = with_step(1, 1e-2);
  options.reference = read_setting("perturbation/integrator=rk4/step=1e-3");
  const auto comparison = compare_pendulum("auto", options);
  EXPECT_EQ(comparison.reference.about, "perturbation, rk4 with step 0.001");
  EXPECT_EQ(comparison.reference.coarser, "perturbation, rk4 with step 0.002");
  options.reference = read_setting("nothing");
  EXPECT_THAT(message_of([&] { compare_pendulum("auto", options); }), HasSubstr("there is no method 'nothing'"));
}

TEST(Compare, ATableMustLieOnAGridWithinTheRun) {
  CompareOptions options = with_step(1, 1e-2);
  options.table = Trajectory{{"t", "x"}, {{0, 1}, {0.3, 1}, {0.7, 1}}};
  EXPECT_THAT(message_of([&] { compare_pendulum("auto", options); }), HasSubstr("no multiple"));
  options.run.every = 0.1;  // all of them are multiples of this
  EXPECT_THAT(compare_pendulum("auto", options).of, ElementsAre("x"));
  options.run.every.reset();
  options.table->rows = {{2, 1}};
  EXPECT_THAT(message_of([&] { compare_pendulum("auto", options); }), HasSubstr("ends at t = 1"));
  options.table = Trajectory{{"t", "z"}, {{1, 1}}};
  EXPECT_THAT(message_of([&] { compare_pendulum("auto", options); }), HasSubstr("no column of the model"));
}

TEST(Compare, ARunThatEndsEarlyIsComparedAsFarAsItWent) {
  CompareOptions options = with_step(1, 0.1);
  options.run.fail_above = 1e-4;
  const auto rows = compare_pendulum("udwadia-kalaba,auto", options).rows;
  EXPECT_FALSE(rows[0].went_through());
  EXPECT_LT(rows[0].summary->t_end, 1);
  EXPECT_THAT(rows[0].summary->reason, HasSubstr("rod"));
  EXPECT_TRUE(rows[1].went_through());
  EXPECT_EQ(rows[1].time_ratio, 1) << "times are ratios to the first row that reached its end";
}

class Stopper : public ComparisonObserver {
 public:
  void begin(const std::string& what, std::size_t number, std::size_t of) override {
    names.push_back(what);
    EXPECT_EQ(number, names.size());
    EXPECT_EQ(of, 4u);
  }
  bool progress(double, double) override { return names.back() != "auto"; }
  std::vector<std::string> names;
};

TEST(Compare, TellsWhichRunIsUnderWayAndEndsWhenAsked) {
  Stopper stopper;
  const auto comparison =
      compare(load_model("pendulum"), read_settings("auto,perturbation"), with_step(10, 1e-2), &stopper);
  EXPECT_THAT(stopper.names, ElementsAre("reference", "reference, more coarsely", "auto"));
  EXPECT_TRUE(comparison.interrupted);
  ASSERT_EQ(comparison.rows.size(), 1u);
  EXPECT_EQ(comparison.rows[0].summary->outcome, Outcome::interrupted);
}

}  // namespace
}  // namespace taut::test
