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

}  // namespace
}  // namespace taut::test
