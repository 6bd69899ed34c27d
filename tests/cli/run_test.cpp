#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "cli/program.hpp"
#include "taut/simulation.hpp"

namespace taut::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Run : public testing::Test {
 protected:
  /// Runs the pendulum with further arguments.
  Result run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"run", model_});
    return taut(arguments);
  }
  nlohmann::json json(std::vector<std::string> arguments) const {
    arguments.push_back("--json");
    const Result result = run(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return result.json();
  }

  Folder folder_;
  std::string model_ = folder_.write("pendulum.yaml", pendulum_text);
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Waits until a file has grown beyond its header, so that a signal finds the run at work.
bool wait_for_rows(const std::string& file) {
  for (int i = 0; i < 600; ++i) {
    if (lines_of(content(file)).size() > 2) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

/// What a terminal shows next, "" once the program has left it.
std::string read_some(int terminal) {
  std::string text(1000, '\0');
  text.resize(std::max<ssize_t>(0, read(terminal, text.data(), text.size())));
  return text;
}

TEST_F(Run, PrintsOneJsonObjectAndNothingElse) {
  auto summary = json({});
  EXPECT_EQ(summary["model"], "pendulum");
  EXPECT_EQ(summary["integrator"], "rk4");
  EXPECT_EQ(summary["outcome"], "done");
  EXPECT_EQ(summary["steps"], 50);
  EXPECT_EQ(summary["degrees_of_freedom"], 1);
  EXPECT_TRUE(summary["violations"].contains("rod"));
  EXPECT_TRUE(summary["final"]["multipliers"].contains("rod"));
  EXPECT_TRUE(summary["final"]["outputs"].contains("angle"));
}

TEST_F(Run, EvaluatesTheInitialStateUntilZero) {
  auto summary = json({"--until", "0"});
  EXPECT_EQ(summary["steps"], 0);
  EXPECT_EQ(summary["final"]["t"], 0.0);
  EXPECT_EQ(summary["final"]["coordinates"]["x"], 1.0);
  // At rest and level, gravity acts along the circle: the mass falls freely and the rod bears nothing.
  EXPECT_NEAR(summary["final"]["accelerations"]["y"], -9.81, 1e-12);
  EXPECT_NEAR(summary["final"]["multipliers"]["rod"], 0, 1e-12);
}

TEST_F(Run, LetsTheCommandLineOverruleTheModel) {
  EXPECT_EQ(json({})["step"], 0.01);
  EXPECT_EQ(json({"--step", "0.005"})["step"], 0.005);
  EXPECT_EQ(json({"--step", "0.1", "--step", "0.005"})["step"], 0.005);
}

TEST_F(Run, TakesEveryOptionOfTheList) {
  model_ = folder_.write("pendulum.yaml", std::string(pendulum_text) + "starts: {hanging: {x: 0, y: -1}}\n");
  for (const OptionEntry& entry : option_list()) {
    if (entry.name == "accuracy") continue;  // takes no given step, which this model has
    const std::string value = entry.name == "start" ? "hanging" : entry.default_value().value_or("0.01");
    const std::string option = "--" + entry.name + (entry.argument.empty() ? "=" + value : "");
    std::vector<std::string> words{"--until", "1", "--integrator", "auto", option};
    if (!entry.argument.empty()) words.push_back(value);
    const Result result = run(words);
    EXPECT_EQ(result.status, 0) << option << ": " << result.err;
  }
}

TEST_F(Run, TakesAnAccuracyWhereStepsAreChosen) {
  const Result refused = run({"--accuracy", "1e-6"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("leave out the step or the accuracy"));
  const Result result = taut({"run", "pendulum", "--until", "1", "--accuracy", "1e-6", "--json"});
  EXPECT_EQ(result.status, 0) << result.err;
  const nlohmann::json accuracy = result.json()["accuracy"];
  EXPECT_EQ(accuracy["asked"], 1e-6);
  EXPECT_EQ(accuracy["reached"], true);
  EXPECT_LE(accuracy["estimate"].get<double>(), 1e-6);
}

TEST_F(Run, SetsParametersAndInitialValues) {
  auto summary = json({"--until", "0", "--set", "l=2", "--set", "x(0)=2", "--set", "y'(0)=-3"});
  EXPECT_EQ(summary["final"]["coordinates"]["x"], 2.0);
  EXPECT_EQ(summary["final"]["rates"]["y"], -3.0);
  EXPECT_NEAR(summary["max_position_violation"], 0, 1e-15);
}

TEST_F(Run, AssemblesAnInconsistentStart) {
  auto summary = json({"--until", "0", "--set", "x(0)=1.1", "--assemble"});
  EXPECT_LT(summary["max_position_violation"], 1e-9);
  EXPECT_FALSE(summary["assembly_change"].is_null());
}

TEST_F(Run, ExitsWithThreeWhenALimitIsBroken) {
  const std::vector<std::string> far_off{"--until", "0", "--set", "x(0)=1.1", "--fail-above", "1e-3"};
  const Result broken = run(far_off);
  EXPECT_EQ(broken.status, 3);
  EXPECT_THAT(broken.err, HasSubstr("--fail-above"));
  EXPECT_EQ(run({"--until", "0", "--fail-above", "1e-3"}).status, 0);
}

TEST_F(Run, WritesRowsUnderOneHeader) {
  const std::string file = folder_ / "rows.csv";
  EXPECT_EQ(run({"--output", file, "--every", "0.1"}).status, 0);
  const auto lines = lines_of(content(file));
  ASSERT_EQ(lines.size(), 7u) << "a header and six rows from 0 to 0.5";
  EXPECT_EQ(lines[0], "t,x,y,x',y',angle");
  EXPECT_THAT(lines[1], StartsWith("0,1,0,0,0,"));
  EXPECT_THAT(lines[6], StartsWith("0.5,"));
}

TEST_F(Run, GivesTheSameDigitsTwice) {
  auto first = json({}), second = json({});
  for (auto* summary : {&first, &second}) {
    summary->erase("wall_seconds");
    summary->erase("setup_seconds");
  }
  EXPECT_EQ(first.dump(), second.dump());
}

TEST_F(Run, ShowsTheVerdictFirst) {
  const Result result = run({});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, StartsWith("pendulum: done at t = 0.5\n  constraints  held to"));
  EXPECT_EQ(result.err, "");
}

TEST_F(Run, SaysNothingWhenQuiet) {
  const Result result = run({"--quiet"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out + result.err, "");
}

TEST_F(Run, KeepsWhatWasComputedWhenInterrupted) {
  const std::string file = folder_ / "long.csv";
  Program program({"run", model_, "--until", "1e6", "--step", "0.001", "--output", file, "--json"});
  ASSERT_TRUE(wait_for_rows(folder_ / "long.part.csv"));
  program.signal(SIGINT);
  const Result result = program.wait();
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("interrupted"));
  EXPECT_EQ(result.json()["outcome"], "interrupted");
  const std::string text = content(file);
  EXPECT_EQ(lines_of(text).front(), "t,x,y,x',y',angle");
  EXPECT_EQ(text.back(), '\n') << "the last row is whole";
}

TEST_F(Run, KeepsWhatWasComputedWhenNumbersGoBad) {
  // x'' = x'^2 from x' = 1 is infinite at t = 1.
  const std::string model = folder_.write("blow_up.yaml",
                                          "model: blow-up\n"
                                          "coordinates: {x: [0, 1]}\n"
                                          "mass_matrix: [[1]]\n"
                                          "forces: {x: x'^2}\n"
                                          "simulate: {until: 2, step: 0.01, integrator: rk4}\n");
  const std::string file = folder_ / "blow_up.csv";
  const Result result = taut({"run", model, "--output", file, "--json"});
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_THAT(result.err, StartsWith("taut: blow-up: ended at t = "));
  EXPECT_EQ(result.json()["outcome"], "failed");
  EXPECT_GT(lines_of(content(file)).size(), 50u);
}

TEST_F(Run, EndsWhenTheDiskIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const std::string file = folder_ / "full.csv";
  std::filesystem::create_symlink("/dev/full", file);
  const Result result = run({"--output", file});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("No space left"));
}

TEST_F(Run, TellsWhenStandardOutputCannotBeWritten) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const Result result = Program({"run", model_, "--json"}, "/dev/full").wait();
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("standard output"));
}

TEST_F(Run, LeavesAnEarlierFileAloneWhenTheInputIsWrong) {
  const std::string file = folder_.write("earlier.csv", "earlier");
  EXPECT_EQ(run({"--output", file, "--method", "no-such-method"}).status, 2);
  EXPECT_EQ(content(file), "earlier");
}

TEST_F(Run, ShowsItsProgressOnATerminalAndErasesIt) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) GTEST_SKIP() << "no terminal to be had";
  setenv("TERM", "xterm", 1);
  Program program({"run", model_, "--until", "1e6", "--step", "0.001", "--json"}, "", ptsname(terminal));
  const std::string first = read_some(terminal);
  EXPECT_THAT(first, StartsWith("\rt = "));
  program.signal(SIGTERM);
  EXPECT_EQ(program.wait().status, 1);
  std::string rest;
  for (std::string more = read_some(terminal); !more.empty(); more = read_some(terminal)) rest += more;
  EXPECT_THAT(rest, HasSubstr("\r\x1b[Ktaut: pendulum: ended at t = "))
      << "the bar is erased before anything else is said";
  close(terminal);
}

TEST_F(Run, NamesTheOptionsThatDoNotGoTogether) {
  const Result result = run({"--method", "stabilized-index-2", "--integrator", "rk4", "--step", "1e-2"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, StartsWith("taut: --method stabilized-index-2 with --integrator rk4: "));
}

}  // namespace
}  // namespace taut::test
