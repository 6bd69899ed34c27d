#include "base/printable.hpp"

#include <gtest/gtest.h>

namespace taut {
namespace {

TEST(Printable, LeavesTextOfAnyLanguageAsItIs) {
  for (const std::string text : {"", "x' = 3\n\ty", "Größe ∂Φ/∂q 力学 🙂"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(first_unprintable(text), std::string_view::npos);
  }
}

TEST(Printable, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b") << "a C1 control: CSI";
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae") << "turns the direction";
}

TEST(Printable, EscapesBrokenUtf8) {
  EXPECT_EQ(printable("a\x80z"), "a\\x80z");
  EXPECT_EQ(printable("\xc3"), "\\xc3") << "cut off";
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "longer than need be";
  EXPECT_EQ(printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf") << "longer than need be";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "above U+10FFFF";
  EXPECT_EQ(first_unprintable("ab\xff"), 2u);
}

}  // namespace
}  // namespace taut
