#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "program.hpp"
#include "taut/taut.hpp"

namespace taut::test {
namespace {

using testing::HasSubstr;

/// A record with round figures: taut takes 2 ms, one peer 30 ms, another does not get there.
const std::string record = R"({
 "processor": "a processor", "cores": 2, "taut": "0.1.0",
 "suites": {
  "peers": {"quick": false, "missing": ["taut_peer_mujoco"],
   "competitors": [{"who": "taut", "version": "0.1.0", "as": "equations"},
                   {"who": "taut", "version": "0.1.0", "as": "bodies"},
                   {"who": "SUNDIALS", "version": "6.4.1", "as": "equations"},
                   {"who": "Simbody", "version": "3.7.0", "as": "bodies"}],
   "problems": [{"name": "pendulum", "size": 1, "title": "pendulum", "until": 100,
    "runs": [{"who": "taut", "as": "equations", "way": "auto", "tolerance": 1e-6, "error": 1e-5, "wall_seconds": 1e-3},
             {"who": "taut", "as": "equations", "way": "auto", "tolerance": 1e-8, "error": 5e-7, "wall_seconds": 2e-3},
             {"who": "Simbody", "as": "bodies", "way": "verlet", "tolerance": 1e-3, "failed": "no"}],
    "targets": [{"error": 1e-6, "best": [
      {"who": "taut", "as": "equations", "way": "auto", "tolerance": 1e-8, "error": 5e-7, "wall_seconds": 2e-3},
      {"who": "taut", "as": "bodies", "way": "auto", "tolerance": 1e-8, "error": 5e-7, "wall_seconds": 60e-3},
      {"who": "SUNDIALS", "as": "equations", "way": "ida", "tolerance": 1e-9, "error": 6e-7, "wall_seconds": 30e-3},
      {"who": "Simbody", "as": "bodies", "reached": 3e-4}]}]}]},
  "yardstick": {"quick": false, "benchmarks": [
    {"name": "yardstick/pendulum/auto", "seconds": 1e-3, "yardstick_ns": 1000.0, "taut_ns": 400.0, "ratio": 0.4}]},
  "scaling": {"quick": false, "benchmarks": [
    {"name": "scaling/step/chain/10", "seconds": 1e-3, "per_step": 1e-4},
    {"name": "scaling/step/chain/100", "seconds": 1e-2, "per_step": 1e-3}]}
 }})";

TEST(Bench, ShowsWhatWasKeptAsRatios) {
  const Folder folder;
  const Result result = taut({"bench", "--from", folder.write("kept.json", record)});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, testing::ContainsRegex("SUNDIALS, equations +30 ms +15 +0.5 "));
  EXPECT_THAT(result.out, testing::ContainsRegex("Simbody, bodies +not reached +3.0e-04"));
  EXPECT_THAT(result.out, HasSubstr("not built: taut_peer_mujoco; `make bench`"));
  EXPECT_THAT(result.out, testing::ContainsRegex("pendulum +auto +1 µs +400 ns +0.40"));
  EXPECT_THAT(result.out, testing::ContainsRegex("chain +100 +1 ms +10 µs +1.00"));
}

TEST(Bench, WritesAPageThatSaysWhereAnotherIsFaster) {
  const Folder folder;
  const std::string page =
      folder.write("page.md", "# By hand\n<!-- what follows is written by `taut bench --docs` -->\nold");
  const Result result = taut({"bench", "--from", folder.write("kept.json", record), "--docs", page});
  EXPECT_EQ(result.status, 0) << result.err;
  const std::string text = content(page);
  EXPECT_THAT(text, testing::StartsWith("# By hand\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("old")));
  EXPECT_THAT(text, HasSubstr("- pendulum to 1e-06, as bodies: SUNDIALS (ida) is 2 times faster."));
  EXPECT_THAT(text, testing::Not(HasSubstr("as equations: SUNDIALS")));
  EXPECT_THAT(text, HasSubstr("| pendulum | 1e-06 | equations | 2 ms | SUNDIALS, ida | 30 ms | 15 |"));
  for (const char* picture : {"pendulum", "scaling"}) {
    EXPECT_THAT(text, HasSubstr("(pictures/performance/" + std::string(picture) + ".svg)"));
    EXPECT_THAT(content(folder / ("pictures/performance/" + std::string(picture) + ".svg")), HasSubstr("<svg"));
  }
}

TEST(Bench, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(taut({"bench", "step"}).err, HasSubstr("there is no suite 'step'; did you mean 'steps'?"));
  EXPECT_THAT(taut({"bench", "peers", "--problem", "pendulums"}).err, HasSubstr("did you mean 'pendulum'?"));
  EXPECT_THAT(taut({"bench", "peers", "--against", "Simbodi"}).err, HasSubstr("did you mean 'Simbody'?"));
  EXPECT_EQ(taut({"bench", "--from", "nowhere.json"}).status, 2);
  const Folder folder;
  const Result other = taut({"bench", "--from", folder.write("other.json", "{}")});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("is no record of taut bench"));
  EXPECT_EQ(taut({"bench", "--real-time", "pendulum", "--steps", "1"}).status, 2);
}

TEST(Bench, MeasuresEveryStepOfARealTimeLoopWithoutASystemCall) {
  const Folder folder;
  constexpr long steps = 3000;
  const Result result = taut(
      {"bench", "--real-time", "slider-crank", "--steps", std::to_string(steps), "--json", "--out", folder / "r.json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = result.json().at("real-time");
  const auto& ns = json.at("nanoseconds");
  EXPECT_LE(ns.at("least"), ns.at("median"));
  EXPECT_LE(ns.at("median"), ns.at("99.9%"));
  EXPECT_LE(ns.at("99.9%"), ns.at("worst"));
  // All but the first step, which begins before the loop does.
  const auto counts = json.at("histogram").get<std::vector<long>>();
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0L), steps - 1);
  EXPECT_TRUE(json.at("steps_with_system_calls").is_null() || json.at("steps_with_system_calls") == 0);
  EXPECT_EQ(json.at("method"), "braun-goldfarb");
  // One for each stage of rk4.
  EXPECT_EQ(json.at("evaluations_a_step"), 4);
  EXPECT_EQ(json.at("further_evaluations"), 0);
  EXPECT_EQ(json.at("kernels"), "");
  EXPECT_TRUE(nlohmann::json::parse(content(folder / "r.json")).at("suites").at("real-time").contains("slider-crank"));
}

/// The cost of a step is known beforehand only if it does not depend on where the mechanism is: the slider-crank passes
/// singular positions on the way.
TEST(Bench, BraunGoldfarbEvaluatesTheSameNumberOfTimesInEveryStep) {
  for (const char* name : {"pendulum", "slider-crank", "bricard"}) {
    const Model model = load_model(name);
    const auto evaluations = [&](int steps) {
      Options options = options_of(model);
      options.step = 1e-3;
      options.until = steps * 1e-3;
      options.method = Choice("braun-goldfarb");
      options.integrator = Choice("rk4");
      return simulate(model, options).summary.evaluations;
    };
    const long one = evaluations(1), each = evaluations(2) - one;
    for (const int steps : {3, 10, 100, 777, 2000}) EXPECT_EQ(evaluations(steps), one + (steps - 1) * each) << name;
  }
}

/// Where a kernel must help, a step costs more: that is said.
TEST(Bench, SaysWhereAnotherKernelSolvesInARealTimeLoop) {
  const Folder folder;
  const Result result =
      taut({"bench", "--real-time", "four-bar-redundant", "--steps", "3000", "--out", folder / "r.json"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("were solved by cod"), std::string::npos) << result.out;
}

/// taut alone: the error is that against the equation of the one freedom, integrated apart.
TEST(Bench, ReachesTheErrorsOfThePeersSuite) {
  const Folder folder;
  const Result result = taut({"bench", "peers", "--quick", "--problem", "pendulum", "--against", "taut", "--json",
                              "--out", folder / "p.json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto suite = result.json().at("peers");
  const auto& problem = suite.at("problems").at(0);
  EXPECT_LT(problem.at("reference").at("equations").at("bound"), 1e-12);
  for (const auto& target : problem.at("targets"))
    for (const int as : {0, 1}) EXPECT_LE(target.at("best").at(as).at("error"), target.at("error"));
}

}  // namespace
}  // namespace taut::test
