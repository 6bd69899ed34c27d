#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "taut/error.hpp"

namespace taut {
namespace {

TEST(Word, IsTheTextItWasMadeOf) {
  const std::string text = "a name that is too long to be kept inside of a string";
  const Word word = text;
  EXPECT_EQ(word, text);
  EXPECT_EQ(word, text.c_str());
  EXPECT_EQ(word.text(), text);
  EXPECT_FALSE(word == "a name");
  EXPECT_FALSE(word.empty());
  std::ostringstream out;
  out << word;
  EXPECT_EQ(out.str(), text);
}

TEST(Word, HoldsEveryTextOnce) {
  const Word one = "four_bar.yaml", other = std::string("four_bar.yaml"), third = "other.yaml";
  EXPECT_EQ(&one.text(), &other.text());
  EXPECT_EQ(one, other);
  EXPECT_FALSE(one == third);
  EXPECT_TRUE(Word().empty());
  EXPECT_EQ(Word(), Word(""));
  EXPECT_EQ(sizeof(Word), sizeof(void*));
}

}  // namespace
}  // namespace taut
