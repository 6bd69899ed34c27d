#include "output/csv.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "taut/error.hpp"

namespace taut {
namespace {

/// A file name of this test's own, removed at the end.
class Csv : public testing::Test {
 protected:
  Csv() : file_(testing::TempDir() + "taut_csv_" + std::to_string(getpid()) + ".csv") {}
  ~Csv() override { std::filesystem::remove(file_); }

  std::string content() const {
    std::ifstream stream(file_);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  std::string file_;
};

TEST_F(Csv, StartsWithOneHeaderLine) {
  CsvWriter csv(file_);
  csv.start({"t", "x", "x'", "angle"});
  csv.row({0, 1, 2, 3});
  csv.finish();
  EXPECT_EQ(content(), "t,x,x',angle\n0,1,2,3\n");
  EXPECT_EQ(csv.rows(), 1);
}

TEST_F(Csv, QuotesNamesThatWouldBeMisread) {
  CsvWriter csv(file_);
  csv.start({"t", "a,b", "say \"x\"", " padded"});
  csv.finish();
  EXPECT_EQ(content(), "t,\"a,b\",\"say \"\"x\"\"\",\" padded\"\n");
}

TEST_F(Csv, EveryNumberParsesBackToTheSameDouble) {
  const std::vector<double> values{
      0.1, 1.0 / 3, -0.0, 1e-300, std::numeric_limits<double>::denorm_min(), M_PI, 1e22, 2e-5, 123456789012345678.0};
  CsvWriter csv(file_);
  csv.start(std::vector<std::string>(values.size(), "x"));
  csv.row(values);
  csv.finish();
  std::istringstream lines(content());
  std::string header, cell;
  std::getline(lines, header);
  for (const double value : values) {
    std::getline(lines, cell, ',');
    const double read = std::strtod(cell.c_str(), nullptr);
    EXPECT_EQ(read, value) << cell;
    EXPECT_EQ(std::signbit(read), std::signbit(value)) << cell;
  }
}

TEST_F(Csv, KeepsTheOrderOfManyRows) {
  constexpr int many = 50'000;  // several batches, the last one not full
  CsvWriter csv(file_);
  csv.start({"t", "x", "y"});
  for (int k = 0; k < many; ++k) {
    csv.row({static_cast<double>(k), k + 0.5, -1e-300 / (k + 1)});
    if (k % 64 == 0) EXPECT_TRUE(csv.progress(k, many, 0));
  }
  csv.finish();
  EXPECT_EQ(csv.rows(), many);
  std::istringstream lines(content());
  std::string line;
  std::getline(lines, line);
  for (int k = 0; k < many; ++k) {
    ASSERT_TRUE(std::getline(lines, line)) << k;
    char expected[100];
    std::snprintf(expected, sizeof expected, "%d,%.17g,%.17g", k, k + 0.5, -1e-300 / (k + 1));
    ASSERT_EQ(line, expected);
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST_F(Csv, WritesWhatHasNoValueAsWell) {
  CsvWriter csv(file_);
  csv.start({"t", "x"});
  csv.row({1, std::numeric_limits<double>::quiet_NaN()});
  csv.row({2, -std::numeric_limits<double>::infinity()});
  csv.finish();
  EXPECT_EQ(content(), "t,x\n1,nan\n2,-inf\n");
}

TEST_F(Csv, KeepsWhatWasWrittenWhenARunEndsEarly) {
  {
    CsvWriter csv(file_);
    csv.start({"t"});
    csv.row({1});
  }
  EXPECT_EQ(content(), "t\n1\n");
}

TEST_F(Csv, LeavesAnEarlierFileAloneUntilTheRunStarts) {
  std::ofstream(file_) << "earlier";
  CsvWriter csv(file_);
  EXPECT_EQ(content(), "earlier");
}

TEST_F(Csv, TheEndingOfTheNameChoosesTheFormat) {
  EXPECT_THROW(make_writer("a.txt"), InputError);
  EXPECT_THROW(make_writer("a"), InputError);
  EXPECT_NE(dynamic_cast<CsvWriter*>(make_writer("a.csv").get()), nullptr);
  EXPECT_EQ(dynamic_cast<CsvWriter*>(make_writer("a.h5").get()), nullptr);
}

TEST_F(Csv, SaysThatAFolderIsMissing) {
  CsvWriter csv("/no/such/folder/a.csv");
  EXPECT_THROW(csv.start({"t"}), InputError);
}

TEST_F(Csv, EndsTheRunWhenTheDiskIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  std::filesystem::create_symlink("/dev/full", file_);
  CsvWriter csv(file_);
  csv.start({"t"});
  for (int i = 0; i < 100'000; ++i) csv.row({i / 3.0});
  EXPECT_FALSE(csv.progress(0, 1, 0));
  EXPECT_NE(csv.failure().find("No space left"), std::string::npos) << csv.failure();
  EXPECT_NO_THROW(csv.finish());
}

TEST_F(Csv, LearnsOfAFullDiskAtTheLatestWhenItCloses) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  std::filesystem::create_symlink("/dev/full", file_);
  CsvWriter csv(file_);
  csv.start({"t"});
  csv.finish();
  EXPECT_FALSE(csv.failure().empty());
}

}  // namespace
}  // namespace taut
