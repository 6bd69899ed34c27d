#include "output/folding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// What is said fits into the terminal in which it is said.
namespace taut {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

TEST(Folding, LeavesWhatFits) {
  const std::string text = "pendulum: done\n  energy       kept to 1e-9\n";
  EXPECT_EQ(folded(text, 80), text);
  EXPECT_EQ(folded("", 80), "");
}

TEST(Folding, GoesOnBelowWhereTheTextBegan) {
  EXPECT_EQ(folded("  reactions    foot  force [1, 2, 3], torque [4, 5, 6]\n", 40),
            "  reactions    foot  force [1, 2, 3],\n"
            "               torque [4, 5, 6]\n");
  EXPECT_EQ(folded("swing: could not go on\nnext", 12), "swing: could\n  not go on\nnext");
}

TEST(Folding, KeepsANameAndItsValueTogether) {
  EXPECT_EQ(folded("  rates        x' = 1.25, y' = -2.5\n", 32),
            "  rates        x' = 1.25,\n"
            "               y' = -2.5\n");
}

TEST(Folding, CountsNeitherColoursNorTheBytesOfALetter) {
  const std::string coloured = "\x1b[1mpendulum\x1b[0m: \x1b[32mdone\x1b[0m";  // 14 columns
  EXPECT_EQ(folded(coloured, 14), coloured);
  EXPECT_NE(folded(coloured, 13), coloured);
  const std::string sparks = "drift ▁▂▃▄";  // 10 columns, 18 bytes
  EXPECT_EQ(folded(sparks, 10), sparks);
}

TEST(Folding, BreaksNoWordHoweverLong) {
  const std::string name(100, 'x');
  EXPECT_THAT(folded("  output       1 rows in " + name, 40), HasSubstr(name));
}

TEST(ProgressLine, HasABarWhereThereIsRoom) {
  // 3 of 10 simulated seconds in 6: a rate of 0.5, and 14 s for the rest.
  EXPECT_EQ(progress_line(3, 10, 2.5e-16, 6, 100),
            "t = 3 of 10 [======              ]  30 %  0.5 s/s  violation 2.5e-16  14 s left");
}

TEST(ProgressLine, FitsIntoAnyTerminal) {
  for (std::size_t columns = 1; columns < 120; ++columns) {
    const std::string line = progress_line(1234.5678, 98765.4321, 2.5e-16, 54321, columns);
    EXPECT_LE(line.size(), columns);
  }
  // The longest that figures of this size make still has its bar in 79 columns, if a shorter one.
  EXPECT_THAT(progress_line(0.02886, 3, 5.3e-33, 0.5, 79), MatchesRegex("t = .* \\[=* *\\].* left"));
}

TEST(ProgressLine, KeepsTheTimeLeftLongerThanTheRate) {
  const std::string narrow = progress_line(3, 10, 2.5e-16, 6, 45);
  EXPECT_THAT(narrow, StartsWith("t = 3 of 10  30 %"));
  EXPECT_THAT(narrow, HasSubstr("14 s left"));
  EXPECT_THAT(narrow, Not(HasSubstr("s/s")));
}

}  // namespace
}  // namespace taut
