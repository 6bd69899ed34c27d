#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "output/hdf5.hpp"
#include "program.hpp"

// What becomes of files when the program is killed, the disk is full, the terminal is closed, or someone mistakes one
// file for another.
namespace taut::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

/// A run that nobody waits for.
std::vector<std::string> endless(const std::string& model, const std::string& output) {
  return {"run", model, "--until", "1e9", "--step", "1e-3", "--quiet", "--output", output};
}

bool appears(const std::string& file, std::size_t larger_than = 0) {
  const auto patience = Clock::now() + 30s;
  std::error_code none;
  while (Clock::now() < patience) {
    if (fs::exists(file, none) && fs::file_size(file, none) > larger_than && !none) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

/// Lines after the header; every one but a last without its end must have all columns.
long whole_rows(const std::string& text) {
  const auto commas = std::count(text.begin(), text.begin() + static_cast<long>(text.find('\n')), ',');
  std::istringstream lines(text.substr(0, text.rfind('\n') + 1));
  long rows = -1;
  for (std::string line; std::getline(lines, line); ++rows)
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), commas) << line;
  return rows;
}

class BadDay : public testing::Test {
 protected:
  Folder folder;
  std::string model = folder.write("model.yaml", pendulum_text);
};

TEST_F(BadDay, KillsLeaveTheOldFileAndADraftWithWholeRows) {
  std::minstd_rand dice(7);
  for (const char* ending : {".csv", ".h5"}) {
    const std::string file = folder / "run" + ending, draft = folder / "run.part" + ending;
    ASSERT_EQ(taut({"run", model, "--quiet", "--output", file}).status, 0);
    const std::string earlier = content(file);
    for (int k = 0; k < 4; ++k) {
      fs::remove(draft);  // else that of the run before would be taken for a flush of this one
      Program program(endless(model, file));
      ASSERT_TRUE(appears(draft, 20'000)) << "a flush";
      std::this_thread::sleep_for(std::chrono::milliseconds(dice() % 1500));
      program.signal(SIGKILL);
      program.wait();
      EXPECT_EQ(content(file), earlier);
      if (std::string(ending) == ".csv") {
        EXPECT_GT(whole_rows(content(draft)), 100);
      } else {
        const Hdf5Run run(draft);
        EXPECT_GT(run.column("t").size(), 100u);
        EXPECT_EQ(run.column("x").size(), run.column("t").size());
      }
    }
  }
}

TEST_F(BadDay, AKilledReportLeavesTheOldOne) {
  const std::string file = folder.write("run.html", "earlier");
  Program program({"run", model, "--until", "1e9", "--quiet", "--report", file});
  std::this_thread::sleep_for(500ms);
  program.signal(SIGKILL);
  program.wait();
  EXPECT_EQ(content(file), "earlier");
}

TEST_F(BadDay, ASecondWriterIsRefused) {
  for (const char* ending : {".csv", ".h5"}) {
    const std::string file = folder / "run" + ending;
    Program first(endless(model, file));
    ASSERT_TRUE(appears(folder / "run.part" + ending, 100));
    const Result second = taut({"run", model, "--output", file});
    EXPECT_EQ(second.status, 2);
    EXPECT_THAT(second.err, HasSubstr("another program is writing it"));
    first.signal(SIGINT);
    EXPECT_EQ(first.wait().status, 1);
    EXPECT_EQ(taut({"run", model, "--quiet", "--output", file}).status, 0) << "afterwards";
  }
}

TEST_F(BadDay, InputIsNoOutput) {
  const std::string link = folder / "link.csv", run = folder / "run.h5";
  const std::string named = folder.write("model.csv", pendulum_text);
  fs::create_symlink(named, link);
  for (const std::string& file : {named, link}) {
    const Result result = taut({"run", named, "--output", file});
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr("which is read"));
  }
  EXPECT_EQ(content(named), pendulum_text);
  EXPECT_EQ(taut({"run", model, "--output", folder / "x.csv", "--report", folder / "x.csv"}).status, 2);
  ASSERT_EQ(taut({"run", model, "--quiet", "--output", run}).status, 0);
  fs::create_hard_link(run, folder / "run.svg");
  EXPECT_EQ(taut({"plot", run, "--out", folder / "run.svg"}).status, 2);
  fs::create_hard_link(model, folder / "copy.yaml");
  EXPECT_EQ(taut({"export", model, "--to", "yaml", "--output", folder / "copy.yaml"}).status, 2);
  EXPECT_EQ(content(model), pendulum_text);
}

/// For the program that is started while it lives: files may have so many bytes.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST_F(BadDay, ALimitOnTheSizeOfFilesEndsTheRunInGoodOrder) {
  for (const char* ending : {".csv", ".h5"}) {
    const std::string file = folder / "limited" + ending;
    Result result;
    {
      const SizeLimit limit(2'000'000);
      result = Program(endless(model, file)).wait();
    }
    EXPECT_EQ(result.status, 1);
    EXPECT_THAT(result.err, HasSubstr("File too large"));
    EXPECT_THAT(result.err, HasSubstr("rows are kept in " + file));
    if (std::string(ending) == ".csv") {
      EXPECT_GT(whole_rows(content(file)), 100);
      EXPECT_TRUE(content(file).ends_with('\n'));
    } else {
      EXPECT_GT(Hdf5Run(file).column("t").size(), 100u);
    }
  }
}

TEST_F(BadDay, AClosedTerminalEndsTheRunAsControlCDoes) {
  for (const int number : {SIGHUP, SIGINT, SIGTERM}) {
    const std::string file = folder / "run.csv";
    Program program(endless(model, file));
    ASSERT_TRUE(appears(folder / "run.part.csv"));
    const auto begin = Clock::now();
    program.signal(number);
    const Result result = program.wait();
    EXPECT_EQ(result.status, 1) << number;
    EXPECT_LT(Clock::now() - begin, 5s);
    EXPECT_THAT(result.err, HasSubstr("interrupted by a signal"));
    EXPECT_GT(whole_rows(content(file)), 0);
    EXPECT_FALSE(fs::exists(folder / "run.part.csv"));
  }
}

TEST_F(BadDay, RowsThatCannotBeToldApartAreRefused) {
  const Result result = taut({"run", model, "--every", "1e-20"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("--every"));
}

TEST_F(BadDay, ControlCIsObeyedAmongTheRowsOfOneStep) {
  Program program({"run", model, "--every", "1e-13", "--quiet", "--output", folder / "rows.csv"});
  ASSERT_TRUE(appears(folder / "rows.part.csv", 10'000));
  const auto begin = Clock::now();
  program.signal(SIGINT);
  EXPECT_EQ(program.wait().status, 1);
  EXPECT_LT(Clock::now() - begin, 5s);
}

/// A compiler that takes forever: it is ended with the run, and its folder goes.
TEST_F(BadDay, ControlCEndsTheCompiler) {
  const std::string compiler =
      folder.write("slow-cc", "#!/bin/sh\necho $$ > " + (folder / "pid") + "\nexec sleep 1000\n");
  fs::permissions(compiler, fs::perms::owner_all);
  fs::create_directory(folder / "cache");
  setenv("CC", compiler.c_str(), 1);
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const std::string before = cache ? cache : "";
  setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
  Program program({"run", model, "--native", "on", "--until", "1e9", "--quiet"});
  unsetenv("CC");
  cache ? setenv("XDG_CACHE_HOME", before.c_str(), 1) : unsetenv("XDG_CACHE_HOME");
  ASSERT_TRUE(appears(folder / "pid"));
  std::this_thread::sleep_for(100ms);
  const auto begin = Clock::now();
  program.signal(SIGINT);
  program.wait();
  EXPECT_LT(Clock::now() - begin, 5s);
  EXPECT_NE(kill(std::stoi(content(folder / "pid")), 0), 0) << "the compiler still runs";
  for (const auto& entry : fs::recursive_directory_iterator(folder / "cache"))
    EXPECT_FALSE(entry.path().filename() == "programs.c") << entry.path();
}

/// Killed and resumed, twice, a run ends as one that was never cut off: every row, to the last bit.
TEST_F(BadDay, AResumedRunEndsAsIfItHadNotBeenCutOff) {
  for (const char* every : {"", "0.02"}) {
    std::vector<std::string> words{"run", model, "--until", "300", "--step", "1e-3", "--quiet", "--output"};
    if (*every != 0) words.insert(words.end() - 2, {"--every", every});
    std::vector<std::string> whole = words, cut = words;
    whole.push_back(folder / "whole.h5");
    cut.push_back(folder / "cut.h5");
    ASSERT_EQ(taut(whole).status, 0);
    {
      Program program(cut);
      ASSERT_TRUE(appears(folder / "cut.part.h5"));
      std::this_thread::sleep_for(100ms);
      program.signal(SIGINT);
      program.wait();
    }
    const double cut_at = Hdf5Run(folder / "cut.h5").column("t").back();
    ASSERT_LT(cut_at, 300) << "was cut off";
    const Result resumed = taut({"run", "--resume", folder / "cut.h5", "--quiet"});
    EXPECT_EQ(resumed.status, 0) << resumed.err;
    const Hdf5Run expected(folder / "whole.h5"), found(folder / "cut.h5");
    for (const std::string& name : expected.columns()) EXPECT_EQ(found.column(name), expected.column(name)) << name;
    EXPECT_EQ(found.step_column("position"), expected.step_column("position"));
  }
}

/// Bodies in space, driven ones, redundant rows: scales and the order of rows are decided on the way, and must be
/// again.
TEST_F(BadDay, AResumedRunMakesTheDecisionsOfTheFirst) {
  const std::pair<const char*, const char*> runs[] = {
      {"mechanisms/stewart-platform", "auto"}, {"mechanisms/stewart-platform", "bodies"},
      {"mechanisms/delta-robot", "joints"},    {"mechanisms/ring", "joints"},
      {"mechanisms/rolling-coin", "auto"},     {"four-bar-redundant", "auto"}};
  for (const auto& [name, coordinates] : runs) {
    const std::string whole = folder / "whole.h5", half = folder / "half.h5";
    const auto run_until = [&, in = coordinates](const char* until, const std::string& file) {
      return taut({"run", name, "--coordinates", in, "--step", "1e-3", "--until", until, "--quiet", "--output", file});
    };
    ASSERT_EQ(run_until("0.1", whole).status, 0);
    ASSERT_EQ(run_until("0.05", half).status, 0);
    const Result resumed = taut({"run", "--resume", half, "--until", "0.1", "--quiet"});
    EXPECT_EQ(resumed.status, 0) << resumed.err;
    const Hdf5Run expected(whole), found(half);
    for (const std::string& column : expected.columns())
      EXPECT_EQ(found.column(column), expected.column(column)) << name << ": " << column;
  }
}

/// `auto` would take those of bodies.
TEST_F(BadDay, AResumedRunKeepsItsCoordinates) {
  const std::string file = folder / "run.h5";
  const Result first = taut({"run", "mechanisms/chain", "--coordinates", "joints", "--step", "1e-3", "--until", "0.01",
                             "--quiet", "--output", file});
  ASSERT_EQ(first.status, 0) << first.err;
  const Result resumed =
      taut({"run", "--resume", file, "--coordinates", "auto", "--until", "0.02", "--quiet", "--json"});
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_EQ(resumed.json()["coordinates_used"], "joints");
}

TEST_F(BadDay, ADraftIsResumedInItsPlace) {
  {
    Program program(endless(model, folder / "run.h5"));
    ASSERT_TRUE(appears(folder / "run.part.h5", 20'000));
    std::this_thread::sleep_for(300ms);
    program.signal(SIGKILL);
    program.wait();
  }
  const double t = Hdf5Run(folder / "run.part.h5").column("t").back();
  const std::string until = std::to_string(t + 1);
  EXPECT_EQ(taut({"run", "--resume", folder / "run.part.h5", "--until", "0.001"}).status, 2) << "it is past that";
  const Result resumed = taut({"run", "--resume", folder / "run.part.h5", "--until", until, "--quiet"});
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_NEAR(Hdf5Run(folder / "run.h5").column("t").back(), t + 1, 1e-5);
  EXPECT_FALSE(fs::exists(folder / "run.part.h5"));
  EXPECT_FALSE(fs::exists(folder / "run.before.h5"));
}

}  // namespace
}  // namespace taut::test
