#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "cli/program.hpp"

namespace taut::test {
namespace {

using testing::HasSubstr;

TEST(Reproduce, QuicklyFindsEveryFigureAsTheBookStates) {
  const Result result = taut({"reproduce", "--quick"});
  EXPECT_EQ(result.status, 0) << result.out;
  for (const char* paper : {"000", "001", "002", "003", "004"}) EXPECT_THAT(result.out, HasSubstr(paper));
  EXPECT_THAT(result.out, HasSubstr(" 0 failed"));
}

/// The program with a book of its own, beside a model of its own.
class WithABook {
 public:
  explicit WithABook(const std::string& rows) {
    std::filesystem::create_directory(folder_ / "papers");
    const std::string model = folder_.write("swing.yaml", pendulum_text);
    const std::string free = folder_.write("free.yaml", "coordinates: {x: [0, 1]}\nkinetic_energy: x'^2\n");
    folder_.write("papers/reproduction.book",
                  "p:\n  title: a paper\n  examples:\n    e:\n      about: it\n      model: " + model +
                      "\n      runs:\n        kept: {method: auto, step: 1e-2, until: 1}\n        lost: {method: "
                      "udwadia-kalaba, step: 0.5, until: 200}\n        free: {until: 1, model: " +
                      free + "}\n" + rows);
    setenv("TAUT_MODELS", (folder_ / "").c_str(), 1);
  }
  ~WithABook() { unsetenv("TAUT_MODELS"); }

 private:
  Folder folder_;
};

TEST(Reproduce, FailsABrokenBookWithItsReason) {
  {
    const WithABook good("      checks: [{what: it, value: position(kept), at_most: 1e-12}]\n");
    const Result result = taut({"reproduce"});
    EXPECT_EQ(result.status, 0) << result.out << result.err;
  }
  const std::vector<std::pair<std::string, std::string>> broken = {
      {"      checks: [{what: it, value: position(lost), at_most: 1}]\n", "run 'lost' ended at t ="},
      {"      checks: [{what: it, value: position(free), at_most: 1}]\n", "run 'free' has no position constraints"},
      {"      checks: [{what: it, value: steps(kept), at_most: 1e30}]\n", "is no test of"},
      {"      figures: {f: {title: it, runs: [lost], columns: [x]}}\n", "run 'lost' ended at t ="},
      {"      figures: {f: {title: it, runs: [kept], columns: [x], window: [5, 6]}}\n", "no point in the window"},
  };
  for (const auto& [rows, reason] : broken) {
    const WithABook book(rows);
    const Result result = taut({"reproduce"});
    EXPECT_EQ(result.status, 1) << rows << result.err;
    EXPECT_THAT(result.out, HasSubstr("FAILED")) << rows;
    EXPECT_THAT(result.out, HasSubstr(reason)) << rows;
  }
}

TEST(Reproduce, WritesEveryFigureAsSvg) {
  const WithABook book(
      "      figures:\n        one: {title: it, runs: [kept], columns: [x]}\n        two: {title: both, runs: [kept], "
      "panels: [{columns: [x]}, {columns: [y]}]}\n");
  const Folder out;
  const Result result = taut({"reproduce", "--figures", out / "new"});
  ASSERT_EQ(result.status, 0) << result.out << result.err;
  for (const char* name : {"new/p-e-one.svg", "new/p-e-two.svg"})
    EXPECT_THAT(content(out / name), HasSubstr("<polyline")) << name;
}

TEST(Reproduce, NamesThePapersThereAre) {
  const Result result = taut({"reproduce", "005"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("004"));
}

TEST(Reproduce, FindsBeforeTheWorkThatAReportCannotBeWritten) {
  const Folder folder;
  for (const auto& [option, file] :
       {std::pair{"--report", folder / "none/r.html"}, std::pair{"--report", folder / "r.pdf"},
        std::pair{"--docs", folder / "none/r.md"}}) {
    const Result result = taut({"reproduce", "000", "--quick", option, file});
    EXPECT_EQ(result.status, 2) << file;
    EXPECT_THAT(result.err, HasSubstr("cannot write '" + file + "'"));
    EXPECT_EQ(result.out, "") << "the table is printed after the work";
  }
}

}  // namespace
}  // namespace taut::test
