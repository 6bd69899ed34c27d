#include "output/hdf5.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>

#include "taut/error.hpp"

namespace taut {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Hdf5 : public testing::Test {
 protected:
  Hdf5() : file_(testing::TempDir() + "taut_hdf5_" + std::to_string(getpid()) + ".h5") {}
  ~Hdf5() override { std::filesystem::remove(file_); }
  std::string file_;
};

/// Keeps what it is told.
struct Listener : Observer {
  std::vector<std::string> columns, step_columns;
  std::vector<std::vector<double>> rows, steps;
  void start(const std::vector<std::string>& names) override { columns = names; }
  void row(const std::vector<double>& values) override { rows.push_back(values); }
  void start_steps(const std::vector<std::string>& names) override { step_columns = names; }
  void step(const std::vector<double>& values) override { steps.push_back(values); }
};

RunDescription description() {
  return {"m", "m.yaml", "model: m\n", "taut run m", "1.2.3", {{"until", "2"}}, {{"l", "3"}}};
}

void write(Hdf5Writer& writer, int rows) {
  writer.describe(description(), Model());
  writer.start({"t", "x", "x'", "angle"});
  writer.start_steps({"t", "position"});
  for (int k = 0; k < rows; ++k) {
    writer.row({0.1 * k, std::sin(k), k / 3.0, -1.0 * k});
    writer.step({0.1 * k, 1e-16 * k});
  }
}

TEST_F(Hdf5, GivesBackEveryNumberAndEveryWord) {
  for (const int rows : {0, 1, 10, 4096, 10'000}) {
    {
      Hdf5Writer writer(file_);
      write(writer, rows);
      writer.finish("{\"steps\": 3}");
      EXPECT_EQ(writer.failure(), "");
      EXPECT_EQ(writer.rows(), rows);
    }
    const Hdf5Run run(file_);
    EXPECT_EQ(run.summary(), "{\"steps\": 3}");
    EXPECT_EQ(run.description().model, "m");
    EXPECT_EQ(run.description().text, "model: m\n");
    EXPECT_EQ(run.description().command, "taut run m");
    EXPECT_EQ(run.description().version, "1.2.3");
    ASSERT_EQ(run.description().options.size(), 1u);
    EXPECT_EQ(run.description().options[0].second, "2");
    ASSERT_EQ(run.description().set.size(), 1u);
    EXPECT_EQ(run.description().set[0].name, "l");
    EXPECT_THAT(run.columns(), ElementsAre("t", "x", "x'", "angle"));
    EXPECT_THAT(run.step_columns(), ElementsAre("t", "position"));
    Listener listener;
    run.replay(listener);
    ASSERT_EQ(listener.rows.size(), static_cast<std::size_t>(rows));
    ASSERT_EQ(listener.steps.size(), static_cast<std::size_t>(rows));
    for (int k = 0; k < rows; k += 97) {
      EXPECT_EQ(listener.rows[k], (std::vector<double>{0.1 * k, std::sin(k), k / 3.0, -1.0 * k}));
      EXPECT_EQ(listener.steps[k][1], 1e-16 * k);
    }
    EXPECT_EQ(run.column("angle").size(), static_cast<std::size_t>(rows));
  }
}

/// Figures of steps that hardly change take little room, and come back as they were.
TEST_F(Hdf5, PacksTheFiguresOfSteps) {
  constexpr int steps = 40'960, figures = 8;
  {
    Hdf5Writer writer(file_);
    writer.describe(description(), Model());
    writer.start({"t"});
    std::vector<std::string> names{"t"};
    for (int k = 0; k < figures; ++k) names.push_back("rank" + std::to_string(k));
    writer.start_steps(names);
    std::vector<double> step(names.size(), 1.0 / 3);
    for (int k = 0; k < steps; ++k) {
      step[0] = 0.1 * k;
      writer.step(step);
    }
    writer.finish("{}");
    EXPECT_EQ(writer.failure(), "");
  }
  EXPECT_LT(std::filesystem::file_size(file_), steps * (figures + 1) * sizeof(double) / 3);
}

std::string bytes(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// However often it was saved on the way, and whatever time it took.
TEST_F(Hdf5, TheSameRunGivesTheSameBytes) {
  std::string first;
  for (const int saves : {0, 1, 3}) {
    Hdf5Writer writer(file_);
    RunDescription run = description();
    run.reproducible = true;
    writer.describe(run, Model());
    writer.start({"t", "x", "zero"});
    writer.start_steps({"t", "position"});
    for (int k = 0; k < 6000; ++k) {
      writer.row({0.1 * k, std::sin(k), 0});
      writer.step({0.1 * k, 1e-16 * k});
      if (saves > 0 && k % (6000 / saves) == 100) {
        usleep(1'000'000);
        writer.progress(0, 1, 0);
      }
    }
    writer.finish(saves == 0 ? "{\"steps\": 3, \"wall_seconds\": 1}" : "{\"steps\": 3, \"wall_seconds\": 2}");
    ASSERT_EQ(writer.failure(), "");
    if (saves == 0) first = bytes(file_);
    EXPECT_TRUE(bytes(file_) == first) << saves;
  }
}

TEST_F(Hdf5, TimesStandApartFromTheSummaryAndAreReadWithIt) {
  Hdf5Writer writer(file_);
  write(writer, 3);
  writer.finish("{\"steps\": 3, \"wall_seconds\": 1.5}");
  EXPECT_THAT(Hdf5Run(file_).summary(), HasSubstr("\"wall_seconds\":1.5"));
}

TEST_F(Hdf5, KeepsChosenColumnsAlone) {
  Hdf5Writer writer(file_);
  writer.choose(ColumnChoice("x*"));
  write(writer, 300);
  writer.finish("{}");
  const Hdf5Run run(file_);
  EXPECT_THAT(run.columns(), ElementsAre("t", "x", "x'"));
  EXPECT_EQ(run.column("x")[299], std::sin(299));
  Hdf5Writer none(file_);
  none.choose(ColumnChoice("angel"));
  EXPECT_THROW(none.start({"t", "angle"}), InputError);
}

/// Every bit of the head and some of the rest turned over: an answer or a refusal, and never a crash.
TEST_F(Hdf5, DamageIsRefusedOrHarmless) {
  {
    Hdf5Writer writer(file_);
    write(writer, 200);
    writer.finish("{\"steps\": 3}");
  }
  const std::string whole = bytes(file_);
  int refused = 0;
  for (std::size_t k = 0; k < 60; ++k) {
    std::string damaged = whole;
    const std::size_t at = k < 40 ? 8 + 3 * k : k * whole.size() / 61;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (k % 8)));
    std::ofstream(file_, std::ios::binary) << damaged;
    try {
      Hdf5Run(file_).column("t");
    } catch (const InputError& error) {
      ++refused;
      EXPECT_EQ(std::string(error.what()).find("H5"), std::string::npos) << error.what();
    }
  }
  EXPECT_GT(refused, 20);
  std::ofstream(file_, std::ios::binary) << whole.substr(0, whole.size() / 2);
  EXPECT_THROW(Hdf5Run{file_}, InputError);
}

TEST_F(Hdf5, RefusesWhatIsNoFile) {
  EXPECT_THROW(Hdf5Run("/dev/zero"), InputError);
  std::filesystem::remove(file_);
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  EXPECT_THROW(Hdf5Run{file_}, InputError);
}

TEST_F(Hdf5, KeepsNamesThatTheFormatCannotHold) {
  const std::vector<std::string> names{"t", "a/b", "a/b", "diagnostics", ".", "ünïcödé", std::string(10'000, 'x')};
  Hdf5Writer writer(file_);
  writer.start(names);
  writer.row({0, 1, 2, 3, 4, 5, std::numeric_limits<double>::quiet_NaN()});
  writer.start_steps({"t"});
  writer.finish("{}");
  ASSERT_EQ(writer.failure(), "");
  const Hdf5Run run(file_);
  EXPECT_EQ(run.columns(), names);
  EXPECT_THAT(run.column("ünïcödé"), ElementsAre(5));
  EXPECT_TRUE(std::isnan(run.column(names.back())[0]));
}

TEST_F(Hdf5, HoldsTextOfAnyLength) {
  RunDescription long_one = description();
  long_one.text.assign(1 << 20, 'y');
  Hdf5Writer writer(file_);
  writer.describe(long_one, Model());
  writer.start({"t"});
  writer.row({0});
  writer.finish(std::string(1 << 20, 'z'));
  const Hdf5Run run(file_);
  EXPECT_EQ(run.description().text, long_one.text);
  EXPECT_EQ(run.summary().size(), 1u << 20);
}

TEST_F(Hdf5, KeepsWhatWasWrittenWhenNobodyFinishesIt) {
  {
    Hdf5Writer writer(file_);
    write(writer, 5000);
  }
  const Hdf5Run run(file_);
  EXPECT_EQ(run.column("x").size(), 5000u);
  EXPECT_EQ(run.summary(), "");
}

TEST_F(Hdf5, LeavesAnEarlierFileAloneUntilTheRunStarts) {
  std::ofstream(file_) << "earlier";
  const Hdf5Writer writer(file_);
  EXPECT_EQ(std::filesystem::file_size(file_), 7u);
}

TEST_F(Hdf5, SaysThatAFolderIsMissing) {
  Hdf5Writer writer("/no/such/folder/a.h5");
  EXPECT_THROW(writer.start({"t"}), InputError);
}

/// A limit on the size of files stands in for a disk that fills up.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    signal_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }

 private:
  rlimit before_{};
  void (*signal_)(int) = SIG_DFL;
};

TEST_F(Hdf5, EndsTheRunWhenTheDiskIsFullAndKeepsWhatFitted) {
  {
    const SmallDisk disk(1'000'000);
    Hdf5Writer writer(file_);
    write(writer, 50'000);  // 2.4 MB
    EXPECT_FALSE(writer.progress(0, 1, 0));
    EXPECT_THAT(writer.failure(), HasSubstr(file_));
    EXPECT_THAT(writer.failure(), HasSubstr("File too large"));
    EXPECT_NO_THROW(writer.finish("{\"reason\": \"disk\"}"));
  }
  const Hdf5Run run(file_);
  const auto x = run.column("x");
  ASSERT_GE(x.size(), 4096u);
  for (std::size_t k = 0; k < x.size(); k += 501) EXPECT_EQ(x[k], std::sin(static_cast<int>(k)));
}

TEST_F(Hdf5, RefusesFilesThatHoldNoRun) {
  EXPECT_THROW(Hdf5Run("/no/such/file.h5"), InputError);
  std::ofstream(file_) << "t,x\n0,1\n";
  EXPECT_THROW(Hdf5Run{file_}, InputError);
  std::filesystem::remove(file_);
  {
    Hdf5Writer writer(file_);
    writer.start({"x"});
    writer.finish("{}");
  }
  EXPECT_THROW(Hdf5Run{file_}, InputError);
}

TEST_F(Hdf5, NamesTheNearestColumn) {
  {
    Hdf5Writer writer(file_);
    write(writer, 2);
    writer.finish("{}");
  }
  try {
    Hdf5Run(file_).column("angel");
    FAIL() << "'angel' was found";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'angle'?"));
  }
}

}  // namespace
}  // namespace taut
