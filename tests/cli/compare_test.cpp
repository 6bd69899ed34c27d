#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "output/comparison.hpp"
#include "taut/error.hpp"

namespace taut::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class CompareCommand : public testing::Test {
 protected:
  /// Compares methods on the pendulum with further arguments.
  Result compare(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"compare", model_});
    return taut(arguments);
  }

  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

  Folder folder_;
  std::string model_ = folder_.write("pendulum.yaml", pendulum_text);
};

TEST_F(CompareCommand, ShowsAnAlignedTableAndWhatItIsComparedWith) {
  const Result result = compare({"--methods", "udwadia-kalaba,auto/energy=project"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const auto lines = lines_of(result.out);
  ASSERT_GE(lines.size(), 5u);
  EXPECT_EQ(lines[0], "pendulum: until t = 0.5, compared every 0.0025 s");
  const auto outcome = lines[2].find("outcome");
  ASSERT_NE(outcome, std::string::npos);
  // What drifts by nature may have drifted by more than its tolerance explains.
  EXPECT_THAT(lines[3].substr(outcome), testing::AnyOf("done", "drifted"));
  EXPECT_EQ(lines[4].substr(outcome), "done");
  EXPECT_THAT(lines[4], HasSubstr("auto/energy=project"));
  EXPECT_THAT(result.out,
              HasSubstr("largest difference of x, y from the reference\n  reference  auto, dop853 to rtol 1e-13"));
  EXPECT_THAT(result.out, HasSubstr(" away from auto, dop853 to rtol 1e-11, atol 1e-13\n"));
  EXPECT_THAT(result.out, HasSubstr("ratio to that of 'udwadia-kalaba'"));
  EXPECT_THAT(result.out, Not(HasSubstr("\x1b"))) << "no terminal is there";
}

TEST_F(CompareCommand, WritesTheRowsAsCsv) {
  const std::string file = folder_ / "rows.csv";
  const Result result = compare({"--methods", "perturbation(metric=mass,tolerance=1e-10),auto", "--output", file});
  EXPECT_EQ(result.status, 0) << result.err;
  const auto lines = lines_of(content(file));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0],
            "method,max_position_violation,max_velocity_violation,max_energy_error,error,steps,rejected_steps,"
            "evaluations,time_ratio,t_end,outcome,reason");
  EXPECT_THAT(lines[1], testing::StartsWith("\"perturbation(metric=mass,tolerance=1e-10)\","));
  EXPECT_THAT(lines[2], EndsWith(",0.5,done,"));
}

TEST_F(CompareCommand, WritesASweepWithItsValueAndTheOrder) {
  const std::string file = folder_ / "sweep.csv";
  const Result result = compare({"--methods", "auto,udwadia-kalaba", "--sweep", "step=1e-2,5e-3", "--output", file});
  EXPECT_EQ(result.status, 0) << result.err;
  const auto lines = lines_of(content(file));
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_THAT(lines[0], testing::StartsWith("method,step,max_position_violation,"));
  EXPECT_THAT(lines[0], HasSubstr(",error,observed_order,steps,"));
  EXPECT_THAT(lines[4], testing::StartsWith("udwadia-kalaba,5e-3,"));
  EXPECT_THAT(result.out, HasSubstr("\nudwadia-kalaba\n  step "));
}

TEST_F(CompareCommand, PrintsOneJsonObjectAndNothingElse) {
  const Result result = compare({"--methods", "auto,nothing", "--json"});
  EXPECT_EQ(result.status, 0) << "one row is right";
  const auto json = result.json();
  EXPECT_EQ(json["model"], "pendulum");
  EXPECT_EQ(json["every"], 0.5 / 200);
  EXPECT_EQ(json["of"], (std::vector<std::string>{"x", "y"}));
  EXPECT_LT(json["reference"]["accuracy"], 1e-10);
  EXPECT_TRUE(json["sweep"].is_null());
  const auto& rows = json["rows"];
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["method"], "auto");
  EXPECT_EQ(rows[0]["steps"], 50);
  EXPECT_EQ(rows[0]["time_ratio"], 1);
  EXPECT_EQ(rows[0]["outcome"], "done");
  EXPECT_EQ(rows[0]["run"]["integrator"], "rk4");
  EXPECT_TRUE(rows[0]["reason"].is_null());
  EXPECT_EQ(rows[1]["outcome"], "wrong");
  EXPECT_TRUE(rows[1]["error"].is_null());
  EXPECT_TRUE(rows[1]["steps"].is_null());
  EXPECT_THAT(rows[1]["reason"].get<std::string>(), HasSubstr("there is no method 'nothing'"));
}

TEST_F(CompareCommand, EndsWithStatus2OnlyIfEveryRowIsWrong) {
  const Result one = compare({"--methods", "perturbatoin,auto"});
  EXPECT_EQ(one.status, 0);
  EXPECT_THAT(one.out, HasSubstr("wrong: there is no method 'perturbatoin'; did you mean 'perturbation'?"));
  const Result all = compare({"--methods", "perturbatoin,auto/lienar=qr"});
  EXPECT_EQ(all.status, 2);
  EXPECT_THAT(all.err, HasSubstr("perturbatoin: there is no method 'perturbatoin'"));
  EXPECT_THAT(all.err, HasSubstr("did you mean 'linear'?"));
}

TEST_F(CompareCommand, RefusesWhatIsWrongForAllRows) {
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& message) {
    const Result result = compare(arguments);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(message));
  };
  refused({"--methods", "auto(,b"}, "--methods: the parentheses");
  refused({"--method", "auto"}, "did you mean '--methods'?");
  refused({"--sweep", "stpe=1"}, "--sweep: stpe: there is no option 'stpe'; did you mean 'step'?");
  refused({"--of", "z"}, "no column 'z'");
  refused({"--rtol", "small"}, "--rtol: 'small' is not a number");
  refused({"--output", "rows.txt"}, "use .csv");
  refused({"--output", folder_ / "nowhere/rows.csv"}, "no such folder");
  refused({"--reference", folder_ / "nothing.csv"}, "--reference: cannot read");
  refused({"--set", "k=2"}, "'k'");
}

TEST_F(CompareCommand, ComparesWithATableThatARunWrote) {
  const std::string file = folder_ / "reference.csv";
  ASSERT_EQ(taut({"run", model_, "--method", "auto", "--every", "0.1", "--output", file}).status, 0);
  const Result result = compare({"--methods", "auto,udwadia-kalaba", "--reference", file, "--json"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.json()["reference"]["about"], file);
  EXPECT_NEAR(result.json()["every"].get<double>(), 0.1, 1e-15);
  EXPECT_EQ(result.json()["rows"][0]["error"], 0) << "the very run that is the reference";
  EXPECT_GT(result.json()["rows"][1]["error"], 0);
}

TEST_F(CompareCommand, EndsWithStatus3WhereARowBreaksTheLimit) {
  const Result result = compare({"--methods", "udwadia-kalaba,auto", "--step", "0.05", "--fail-above", "1e-10"});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, HasSubstr("--fail-above"));
  EXPECT_THAT(result.out, HasSubstr("stopped: constraint 'rod' is violated"));
}

TEST_F(CompareCommand, IsSilentWhenAskedToBe) {
  const Result result = compare({"--methods", "auto", "--quiet"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out + result.err, "");
}

TEST(ComparisonText, ShowsTheBestFigureOfAColumnInBold) {
  Comparison comparison;
  for (const double error : {2e-3, 1e-3}) {
    ComparisonRow row;
    row.setting = "auto";
    row.summary.emplace();
    row.error = error;
    comparison.rows.push_back(row);
  }
  const std::string text = to_text(comparison, Colour::on);
  EXPECT_THAT(text, HasSubstr("\x1b[1m  1.00e-03\x1b[0m"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b[1m  2.00e-03")));
  EXPECT_THAT(to_text(comparison, Colour::off), Not(HasSubstr("\x1b")));
}

TEST(ReadTable, ReadsWhatSpreadsheetsWriteAndPointsAtWhatIsNoNumber) {
  const Folder folder;
  const Trajectory table = read_table(folder.write("a.csv", "t, \"f(x,y)\"\r\n0,1.5\r\n\r\n1, -2e-3\r\n"));
  EXPECT_EQ(table.columns, (std::vector<std::string>{"t", "f(x,y)"}));
  EXPECT_EQ(table.rows, (std::vector<std::vector<double>>{{0, 1.5}, {1, -2e-3}}));
  const auto message = [&](const std::string& text) {
    try {
      read_table(folder.write("b.csv", text));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message("t,x\n0,one\n"), HasSubstr("b.csv:2:1: 'one' is not a number"));
  EXPECT_THAT(message("t,x\n0\n"), HasSubstr("1 cells and the first has 2"));
  EXPECT_THAT(message("t,x\n"), HasSubstr("has no rows"));
}

}  // namespace
}  // namespace taut::test
