#include "ensemble/sweep_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "taut/error.hpp"

namespace taut {
namespace {

SweepPlan plan(const std::vector<std::string>& vary) {
  SweepPlan plan;
  for (const std::string& text : vary) plan.variations.push_back(read_variation(text));
  return plan;
}

TEST(SweptName, ARangeMeetsBothEndsExactly) {
  const SweptName v = read_variation("l=0.1:0.7:4");
  EXPECT_EQ(v.name, "l");
  EXPECT_EQ(v.value(0), 0.1);
  EXPECT_NEAR(v.value(1), 0.3, 1e-16);
  EXPECT_EQ(v.value(3), 0.7);
}

TEST(SweptName, ALogRangeGoesInEvenRatios) {
  const SweptName v = read_variation("k=log(1:1e4:5)");
  for (std::uint64_t k = 0; k < 5; ++k) EXPECT_NEAR(v.value(k) / std::pow(10.0, k), 1, 1e-14);
}

TEST(SweptName, NumbersMayBeFormulas) {
  const SweptName v = read_variation("x'(0)=0:2*pi:3");
  EXPECT_EQ(v.name, "x'(0)");
  EXPECT_DOUBLE_EQ(v.value(1), M_PI);
  EXPECT_EQ(read_variation("a=1,2^3,max(4, 5)").numbers, (std::vector<double>{1, 8, 5}));
}

TEST(SweptName, IsReadAgainFromItsOwnText) {
  for (const char* text : {"l=0.1:0.7:4", "k=log(1:10000:5)", "m=1,0.1,3e-300", "a=uniform(-1, 2)",
                           "b=loguniform(1, 2)", "c=normal(9.81, 0.1)"})
    EXPECT_EQ(read_variation(to_string(read_variation(text))), read_variation(text)) << text;
}

TEST(SweptName, WrongWordsAreRefused) {
  for (const char* text : {"",
                           "l",
                           "l=",
                           "=1",
                           "l=a",
                           "l=1:2",
                           "l=1:2:0",
                           "l=1:2:2.5",
                           "l=1:2:1",
                           "l=1:2:1e13",
                           "l=log(-1:2:3)",
                           "l=uniform(2, 1)",
                           "l=normal(1)",
                           "l=normal(1, -1)",
                           "l=1,,2",
                           "l=1/0",
                           "l=loguniform(0, 1)",
                           "l=0:1:nan",
                           "l=normal(1, 2",
                           "l=sqrt(-1)"})
    EXPECT_THROW(read_variation(text), InputError) << text;
}

TEST(SweepPlan, AGridChangesItsLastNameFastest) {
  const SweepPlan p = plan({"a=1,2", "b=10:30:3"});
  ASSERT_EQ(p.size(), 6u);
  EXPECT_EQ(p.values(0), (std::vector<double>{1, 10}));
  EXPECT_EQ(p.values(1), (std::vector<double>{1, 20}));
  EXPECT_EQ(p.values(5), (std::vector<double>{2, 30}));
}

TEST(SweepPlan, PairedValuesGoInStep) {
  SweepPlan p = plan({"a=1,2,3", "b=10:30:3", "c=uniform(0, 1)"});
  p.paired = true;
  p.check();
  ASSERT_EQ(p.size(), 3u);
  EXPECT_EQ(p.values(1)[0], 2);
  EXPECT_EQ(p.values(1)[1], 20);
}

TEST(SweepPlan, ALatinHypercubeHasOneValueInEveryShare) {
  SweepPlan p = plan({"a=uniform(0, 1)", "b=normal(0, 1)"});
  p.sampling = SamplingScheme::latin;
  p.samples = 50;
  p.check();
  std::set<int> a, b;
  for (std::uint64_t k = 0; k < 50; ++k) {
    const auto values = p.values(k);
    a.insert(static_cast<int>(50 * values[0]));
    b.insert(static_cast<int>(50 * 0.5 * std::erfc(-values[1] / std::sqrt(2.0))));
  }
  EXPECT_EQ(a.size(), 50u);
  EXPECT_EQ(b.size(), 50u);
}

TEST(SweepPlan, SobolPointsOfTwoNamesFillEveryElementaryBox) {
  // 64 points of a (0, m, 2) net in base 2, shifted digitally: one in each of 8 × 8 boxes.
  SweepPlan p = plan({"a=uniform(0, 1)", "b=uniform(0, 1)"});
  p.sampling = SamplingScheme::sobol;
  p.samples = 64;
  p.seed = 5;
  std::set<std::pair<int, int>> boxes;
  for (std::uint64_t k = 0; k < 64; ++k) {
    const auto values = p.values(k);
    boxes.emplace(static_cast<int>(8 * values[0]), static_cast<int>(8 * values[1]));
  }
  EXPECT_EQ(boxes.size(), 64u);
}

TEST(SweepPlan, AMembersValuesDependOnItsNumberAndTheSeedAlone) {
  SweepPlan few = plan({"a=normal(0, 1)"}), many = few;
  few.samples = 10;
  many.samples = 1000;
  EXPECT_EQ(few.values(7), many.values(7));
  many.seed = 1;
  EXPECT_NE(few.values(7), many.values(7));
}

TEST(SweepPlan, WhatIsAddedGoesOnWhereTheFirstPartEnded) {
  for (const SamplingScheme sampling : {SamplingScheme::random, SamplingScheme::sobol}) {
    SweepPlan whole = plan({"a=uniform(0, 1)", "b=uniform(0, 1)"});
    whole.sampling = sampling;
    whole.samples = 20;
    SweepPlan added = whole;
    added.samples = 12;
    added.first = 8;
    EXPECT_EQ(added.values(13), whole.values(13));
  }
}

TEST(SweepPlan, IsReadAgainFromItsOwnText) {
  SweepPlan p = plan({"a=1:2:3", "b=normal(0, 1)"});
  p.samples = 4;
  p.seed = 9;
  p.sampling = SamplingScheme::sobol;
  p.first = 12;
  EXPECT_EQ(read_plan(to_json(p)), p);
}

TEST(SweepPlan, WhatMakesNoSenseIsRefused) {
  EXPECT_THROW(plan({}).check(), InputError);
  EXPECT_THROW(plan({"a=1,2", "a=3"}).check(), InputError);
  EXPECT_THROW(plan({"a=normal(0, 1)"}).check(), InputError);  // how often?
  SweepPlan p = plan({"a=1,2"});
  p.samples = 3;
  EXPECT_THROW(p.check(), InputError);
  p = plan({"a=1,2", "b=1,2,3"});
  p.paired = true;
  EXPECT_THROW(p.check(), InputError);
  EXPECT_THROW(plan({"a=0:1:1e12", "b=0:1:1e12"}).check(), InputError);
  p = plan({"a=uniform(0, 1)"});
  p.sampling = SamplingScheme::latin;
  p.samples = 10;
  p.first = 10;
  EXPECT_THROW(p.check(), InputError);
}

}  // namespace
}  // namespace taut
