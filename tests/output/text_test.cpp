#include "output/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace taut {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Summary pendulum() {
  Summary summary;
  summary.model = "pendulum";
  summary.method = "braun-goldfarb";
  summary.integrator = "rk4";
  summary.linear = "cholesky";
  summary.energy = "none";
  summary.step = 1e-3;
  summary.t = 10;
  summary.constraints = summary.rank_min = summary.rank_max = summary.degrees_of_freedom = 1;
  summary.max_position_violation = 1e-15;
  summary.max_velocity_violation = 2e-15;
  summary.violations = {{"rod", 1e-15, 2e-15}};
  summary.final_coordinates = {{"x", 1}};
  summary.final_rates = {{"x", 2}};
  return summary;
}

TEST(TextSummary, BeginsWithTheVerdict) {
  EXPECT_THAT(to_text(pendulum()), StartsWith("pendulum: done at t = 10\n  constraints  held to position 1e-15 (rod)"));
}

TEST(TextSummary, SaysWhyARunEndedEarly) {
  Summary summary = pendulum();
  summary.outcome = Outcome::failed;
  summary.reason = "x is not a number";
  EXPECT_THAT(to_text(summary), StartsWith("pendulum: could not go on at t = 10\n  reason       x is not a number"));
}

TEST(TextSummary, ClaimsNoEnergyBalanceWhereThereIsNone) {
  Summary summary = pendulum();
  EXPECT_THAT(to_text(summary), HasSubstr("energy       no balance to check"));
  summary.max_energy_error = 1e-9;
  EXPECT_THAT(to_text(summary), HasSubstr("energy       kept to 1e-09"));
}

TEST(TextSummary, ShowsTheFirstEventsAndCountsTheRest) {
  Summary summary = pendulum();
  for (int i = 0; i < 8; ++i) summary.events.push_back({0.5 * i, "passage", "rod", "passed"});
  const std::string text = to_text(summary);
  EXPECT_THAT(text, HasSubstr("events       8\n"));
  EXPECT_THAT(text, HasSubstr("t = 2 "));
  EXPECT_THAT(text, Not(HasSubstr("t = 2.5")));
  EXPECT_THAT(text, HasSubstr("and 3 more"));
}

TEST(TextSummary, WritesRatesWithAPrime) { EXPECT_THAT(to_text(pendulum()), HasSubstr("x' = 2\n")); }

TEST(TextSummary, ShowsTheRangeOfAChangingRank) {
  Summary summary = pendulum();
  summary.rank_max = summary.constraints = 2;
  EXPECT_THAT(to_text(summary), HasSubstr("1 to 2 of 2 constraints"));
}

TEST(TextSummary, IsColouredOnlyWhenAsked) {
  EXPECT_THAT(to_text(pendulum()), Not(HasSubstr("\x1b[")));
  EXPECT_THAT(to_text(pendulum(), Colour::on), HasSubstr("\x1b[32mdone"));
}

TEST(TextCheck, PointsToAssemblyWhereTheStartIsOffTheConstraints) {
  Check check;
  check.constraints = 2;
  check.initial = {{"rod", 0.1, 0.0}, {"skate", std::nullopt, 0.5}};
  EXPECT_THAT(to_text(check), HasSubstr("off the constraints: position 0.1 (rod), velocity 0.5 (skate); --assemble"));
  check.initial = {{"rod", 0.0, 0.0}};
  EXPECT_THAT(to_text(check), HasSubstr("consistent: position 0, velocity 0"));
}

TEST(TextCheck, NamesConstraintsThatOthersImply) {
  Check check;
  check.dependent = {"rail", "guide"};
  EXPECT_THAT(to_text(check), HasSubstr("implied      rail, guide (by the other constraints)"));
}

const std::vector<ListEntry> methods{{"auto", "chooses", "", {}},
                                     {"baumgarte", "a | b", "Yoon 1993", {{"alpha", "12", "1/s", "damping"}}}};

TEST(TextList, AlignsNamesAndShowsOptionsWithUnits) {
  const std::string text = to_text("Methods", methods);
  EXPECT_THAT(text, StartsWith("Methods\n  auto       chooses\n  baumgarte  a | b [Yoon 1993]\n"));
  EXPECT_THAT(text, HasSubstr("alpha = 12 1/s"));
}

TEST(MarkdownList, IsATableWhoseCellsAreEscaped) {
  EXPECT_EQ(to_markdown("Methods", methods),
            "## Methods\n\n"
            "| name | about | options | source |\n"
            "|---|---|---|---|\n"
            "| `auto` | chooses |  |  |\n"
            "| `baumgarte` | a \\| b | `alpha = 12 1/s`: damping | Yoon 1993 |\n");
}

TEST(MarkdownList, LeavesOutColumnsThatNoEntryFills) {
  EXPECT_EQ(to_markdown("Models", {{"pendulum", "a rod", "", {}}}),
            "## Models\n\n| name | about |\n|---|---|\n| `pendulum` | a rod |\n");
}

}  // namespace
}  // namespace taut
