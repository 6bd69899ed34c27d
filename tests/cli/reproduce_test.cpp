#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
