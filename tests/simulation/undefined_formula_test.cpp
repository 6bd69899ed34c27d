#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "taut/simulation.hpp"

/// Where equations have no value, messages say which operation has none.
namespace taut {
namespace {

std::string refusal(const std::string& formula, bool checks) {
  const Model model = read_model(
      "parameters: {a: 0, b: -2}\ncoordinates: {x: 0, y: 1}\nkinetic_energy: x'^2 + y'^2\nforces: {y: " + formula +
          "}\n",
      "undefined.yaml");
  try {
    if (checks)
      check(model);
    else
      simulate(model, {.until = 1});
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(UndefinedFormulas, AreNamed) {
  for (const bool checks : {false, true}) {
    EXPECT_THAT(refusal("y + 3*(1/a)", checks), testing::HasSubstr("divides by zero"));
    EXPECT_THAT(refusal("y/x", checks), testing::HasSubstr("'y/x' divides by zero"));
    EXPECT_THAT(refusal("sqrt(y - 2)", checks), testing::HasSubstr("the root of a negative number"));
    EXPECT_THAT(refusal("log(x)", checks), testing::HasSubstr("not positive"));
    EXPECT_THAT(refusal("b^1.5 + y", checks), testing::HasSubstr("'b^1.5'"));
    EXPECT_THAT(refusal("acos(2*y)", checks), testing::HasSubstr("beyond 1"));
  }
}

}  // namespace
}  // namespace taut
