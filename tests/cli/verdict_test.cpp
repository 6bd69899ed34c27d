#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace taut::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// What the program says and answers for each verdict.
class VerdictOfTheProgram : public testing::Test {
 protected:
  Result run(const std::string& model, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"run", model});
    return taut(arguments);
  }

  Folder folder_;
  std::string pendulum_ = folder_.write("pendulum.yaml", pendulum_text);
};

TEST_F(VerdictOfTheProgram, OfADoneRunIsHeldWithStatusZero) {
  const Result text = run(pendulum_, {"--method", "auto"});
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.out, HasSubstr("held to position"));
  const auto summary = run(pendulum_, {"--method", "auto", "--json"}).json();
  EXPECT_EQ(summary["verdict"], "done");
  EXPECT_TRUE(summary["verdict_reason"].is_null());
  EXPECT_LT(summary["relative_position_violation"], 1e-12);
}

TEST_F(VerdictOfTheProgram, OfADriftedRunSaysSoWithStatusZero) {
  const std::vector<std::string> coarse{"--method", "udwadia-kalaba", "--step", "5e-2", "--until", "2"};
  const Result text = run(pendulum_, coarse);
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("drifted to position"), Not(HasSubstr("held"))));
  auto as_json = coarse;
  as_json.push_back("--json");
  EXPECT_EQ(run(pendulum_, as_json).json()["verdict"], "drifted");
}

TEST_F(VerdictOfTheProgram, OfALostRunIsStatusOneAndARemedy) {
  const Result lost = run(pendulum_, {"--method", "udwadia-kalaba", "--integrator", "euler", "--until", "5", "--json"});
  EXPECT_EQ(lost.status, 1);
  EXPECT_EQ(lost.json()["verdict"], "lost");
  EXPECT_EQ(lost.json()["outcome"], "done") << "it went through";
  EXPECT_THAT(lost.err, AllOf(HasSubstr("'rod'"), HasSubstr("auto")));
}

TEST_F(VerdictOfTheProgram, OfContradictoryConstraintsIsStatusOneAndTheirNames) {
  const std::string model = folder_.write("drives.yaml",
                                          "coordinates: {x: [0, 1], y: [0, 1]}\nkinetic_energy: x'^2/2 + y'^2/2\n"
                                          "constraints: {a: x = t, b: x = t + 0.5*t^3}\n");
  const Result result = run(model, {"--until", "3", "--json"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.json()["verdict"], "contradictory");
  EXPECT_THAT(result.json()["verdict_reason"].get<std::string>(), HasSubstr("'a' and 'b'"));
  EXPECT_THAT(result.err, HasSubstr("'a' and 'b' contradict each other"));
  EXPECT_THAT(run(model, {"--until", "3"}).out, Not(HasSubstr("held")));
}

TEST_F(VerdictOfTheProgram, OfAnotherStartThanTheOneAskedForIsStatusTwo) {
  for (const char* until : {"0", "1"}) {
    const Result result = run(pendulum_, {"--method", "auto", "--set", "x(0)=1.1", "--until", until, "--quiet"});
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, AllOf(HasSubstr("'rod'"), HasSubstr("'x'"), HasSubstr("--assemble"), HasSubstr("fixed")));
  }
}

TEST_F(VerdictOfTheProgram, StandsInEveryRowOfAComparison) {
  const Result result = taut({"compare", pendulum_, "--until", "2", "--step", "5e-2", "--methods",
                              "udwadia-kalaba,auto,udwadia-kalaba/integrator=euler", "--json"});
  EXPECT_EQ(result.status, 0) << result.err;
  const auto rows = result.json()["rows"];
  EXPECT_EQ(rows[0]["verdict"], "drifted");
  EXPECT_EQ(rows[1]["verdict"], "done");
  EXPECT_EQ(rows[2]["verdict"], "lost");
}

TEST_F(VerdictOfTheProgram, OfAComparisonOfLostRunsIsStatusOne) {
  EXPECT_EQ(taut({"compare", pendulum_, "--until", "5", "--methods", "udwadia-kalaba/integrator=euler"}).status, 1);
}

}  // namespace
}  // namespace taut::test
