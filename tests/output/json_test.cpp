#include "output/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace taut {
namespace {

using Json = nlohmann::json;

Summary pendulum() {
  Summary summary;
  summary.model = "pendulum";
  summary.method = "braun-goldfarb";
  summary.step = 1e-3;
  summary.t_end = summary.t = 10;
  summary.steps = 10'000;
  summary.rank_min = 1;
  summary.rank_max = 2;
  summary.max_position_violation = 0.1;
  summary.violations = {{"rod", 0.1, 0.2}, {"skate", std::nullopt, 0.3}};
  summary.events = {{1.5, "passage", "", "passed a singular configuration"}};
  summary.final_coordinates = {{"x", 1.0 / 3}, {"y", std::nan("")}};
  summary.final_multipliers = {{"rod", 2}, {"hinge", 3}, {"hinge", 4}, {"hinge", 5}};
  return summary;
}

TEST(JsonSummary, HasEveryNameOfTheContract) {
  Json json = Json::parse(to_json(pendulum()));
  for (const char* name : {"model",
                           "method",
                           "integrator",
                           "linear",
                           "control",
                           "energy",
                           "step",
                           "t_end",
                           "steps",
                           "rejected_steps",
                           "evaluations",
                           "wall_seconds",
                           "setup_seconds",
                           "native",
                           "coordinates",
                           "constraints",
                           "degrees_of_freedom",
                           "rank",
                           "max_position_violation",
                           "max_velocity_violation",
                           "max_energy_error",
                           "violations",
                           "events",
                           "final",
                           "outcome",
                           "reason",
                           "rtol",
                           "atol",
                           "dependent",
                           "passages",
                           "largest_correction",
                           "correction",
                           "coupling",
                           "mean_order",
                           "assembly_change",
                           "notes",
                           "multipliers_unique"}) {
    EXPECT_TRUE(json.contains(name)) << name;
  }
  for (const char* name :
       {"t", "coordinates", "rates", "accelerations", "outputs", "multipliers", "constraint_forces", "impulses"}) {
    EXPECT_TRUE(json["final"].contains(name)) << name;
  }
  EXPECT_EQ(json["rank"], Json({{"min", 1}, {"max", 2}}));
}

TEST(JsonSummary, WritesNullForAFigureThatDoesNotExist) {
  Json json = Json::parse(to_json(pendulum()));
  EXPECT_TRUE(json["max_velocity_violation"].is_null());
  EXPECT_TRUE(json["max_energy_error"].is_null());
  EXPECT_TRUE(json["rtol"].is_null());
  EXPECT_TRUE(json["reason"].is_null());
  EXPECT_TRUE(json["violations"]["skate"]["position"].is_null());
  EXPECT_EQ(json["violations"]["skate"]["velocity"], 0.3);
  EXPECT_TRUE(json["events"][0]["name"].is_null());
}

TEST(JsonSummary, WritesNullForWhatIsNotFinite) {
  Summary summary = pendulum();
  summary.max_energy_error = std::numeric_limits<double>::infinity();
  Json json = Json::parse(to_json(summary));
  EXPECT_TRUE(json["final"]["coordinates"]["y"].is_null());
  EXPECT_TRUE(json["max_energy_error"].is_null());
}

TEST(JsonSummary, EveryNumberParsesBackToTheSameDouble) {
  for (const double value : {1.0 / 3, 0.1 + 0.2, 1e-300, std::numeric_limits<double>::denorm_min(), M_PI, -1e22, 5e-324,
                             std::nextafter(1.0, 2.0), 9007199254740993.0}) {
    Summary summary;
    summary.final_coordinates = {{"x", value}};
    const double read = Json::parse(to_json(summary))["final"]["coordinates"]["x"];
    EXPECT_EQ(read, value);
  }
}

TEST(JsonSummary, ListsSeveralMultipliersOfOneName) {
  Json multipliers = Json::parse(to_json(pendulum()))["final"]["multipliers"];
  EXPECT_EQ(multipliers["rod"], 2.0);
  EXPECT_EQ(multipliers["hinge"], Json({3.0, 4.0, 5.0}));
}

TEST(JsonSummary, KeepsTheOrderOfTheModel) {
  Summary summary;
  summary.final_coordinates = {{"z", 1}, {"a", 2}};
  const std::string text = to_json(summary);
  EXPECT_LT(text.find("\"z\""), text.find("\"a\""));
}

TEST(JsonSummary, NamesEveryOutcome) {
  EXPECT_EQ(to_string(Outcome::done), "done");
  EXPECT_EQ(to_string(Outcome::stopped), "stopped");
  EXPECT_EQ(to_string(Outcome::interrupted), "interrupted");
  EXPECT_EQ(to_string(Outcome::failed), "failed");
}

TEST(JsonSummary, SurvivesANameThatIsNotUtf8) {
  Summary summary;
  summary.model = "p\xff";
  EXPECT_NO_THROW(Json::parse(to_json(summary)));
}

TEST(JsonCheck, SaysWhatACheckFound) {
  Check check;
  check.model = "four-bar";
  check.rank = 3;
  check.dependent = {"rail"};
  check.initial = {{"rod", 0.5, 0.0}};
  Json json = Json::parse(to_json(check));
  EXPECT_EQ(json["model"], "four-bar");
  EXPECT_EQ(json["rank"], 3);
  EXPECT_EQ(json["dependent"], Json({"rail"}));
  EXPECT_EQ(json["initial_violations"]["rod"]["position"], 0.5);
  EXPECT_TRUE(json["energy"].is_null());
}

}  // namespace
}  // namespace taut
