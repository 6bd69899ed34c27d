#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "taut/model.hpp"
#include "taut/simulation.hpp"

namespace taut {
namespace {

using testing::HasSubstr;

const std::string mass = "coordinates: {x: 0}\nkinetic_energy: x'^2/2\nforces: {x: u}\n";

std::string refusal(const std::string& text, const std::vector<Assignment>& set = {}) {
  try {
    read_model(text, "m.yaml", set);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(InputReading, TakesAValueAloneOrWithWhatIsToldOfIt) {
  const Model plain = read_model("inputs: {u: 2}\n" + mass, "m.yaml");
  ASSERT_EQ(plain.inputs.size(), 1U);
  EXPECT_TRUE(plain.inputs[0].is_held());
  const Model full = read_model(
      "parameters: {a: 3}\ninputs: {u: {default: 2*a, unit: N, description: the push, min: 0, max: 8}}\n" + mass,
      "m.yaml");
  EXPECT_EQ(full.inputs[0].role.unit, "N");
  EXPECT_EQ(full.inputs[0].role.description, "the push");
  EXPECT_EQ(initial_values(full).parameters[1], 6);
  EXPECT_EQ(initial_values(full, {{"u", 1.5}}).parameters[1], 1.5);
  EXPECT_EQ(initial_values(full, {{"a", 4.0}}).parameters[1], 8);
}

TEST(InputReading, AFormulaOfTimeOrATableIsGivenForGood) {
  // x'' = cos 2t from rest: x' = sin(2t)/2.
  const Model formula = read_model("inputs: {u: cos(2*t)}\n" + mass, "m.yaml");
  EXPECT_FALSE(formula.inputs[0].is_held());
  EXPECT_NEAR(simulate(formula, {.until = 1}).summary.final_rates[0].value, 0.5 * std::sin(2.0), 1e-7);
  // A ramp from 0 to 2 within a second.
  const Model table = read_model("inputs: {u: {rows: [[0, 0], [1, 2]], of: t}}\n" + mass, "m.yaml");
  EXPECT_NEAR(simulate(table, {.until = 1}).summary.final_rates[0].value, 1, 1e-7);
  const auto run = simulate(table, {.until = 1, .step = 0.25});
  EXPECT_EQ(run.trajectory.column("u"), (std::vector<double>{0, 0.5, 1, 1.5, 2}));
}

TEST(InputReading, WhatIsSetStandsForWhatTheModelGives) {
  const std::vector<Assignment> set{{"u", std::string("sin(t)")}};
  const Model model = read_model("inputs: {u: 2}\n" + mass, "m.yaml", set);
  EXPECT_FALSE(model.inputs[0].is_held());
  Options options{.until = 1};
  options.set = set;
  EXPECT_NEAR(simulate(model, options).summary.final_rates[0].value, 1 - std::cos(1.0), 1e-7);
  options.set = {{"u", 3.0}};
  EXPECT_THROW(simulate(model, options), InputError);
}

TEST(InputReading, RefusesWhatWouldHaveToChangeWithIt) {
  const std::string inputs = "inputs: {u: 2}\n";
  EXPECT_THAT(refusal(inputs + "parameters: {a: u}\n" + mass),
              HasSubstr("an input, and a parameter may not depend on one"));
  EXPECT_THAT(refusal(inputs + "coordinates: {x: u}\nkinetic_energy: x'^2/2\n"),
              HasSubstr("an input, and an initial value"));
  EXPECT_THAT(refusal("inputs: {u: 2, w: u}\n" + mass), HasSubstr("m.yaml:1:"));
  EXPECT_THAT(refusal("inputs: {u: x}\n" + mass), HasSubstr("an input may not depend on"));
  EXPECT_THAT(refusal("inputs: {u: 2, u: 3}\n" + mass), HasSubstr("'u'"));
  EXPECT_THAT(refusal(inputs + mass + "outputs: {u: x}\n"), HasSubstr("recorded anyway"));
  EXPECT_THAT(refusal("inputs: {u: {value: 9, max: 8}}\n" + mass), HasSubstr("not above 8"));
  EXPECT_THAT(refusal("inputs: {u: {value: 9, default: 8}}\n" + mass), HasSubstr("mean the same"));
  EXPECT_THAT(refusal("inputs: {u: {valeu: 9}}\n" + mass), HasSubstr("'value'"));
  EXPECT_THAT(refusal("inputs: {u: {value: 9, min: x}}\n" + mass), HasSubstr("m.yaml:1:29"));
}

}  // namespace
}  // namespace taut
