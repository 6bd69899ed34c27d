#include <gtest/gtest.h>

#include "taut/model.hpp"
#include "values.hpp"

namespace taut {
namespace {

using testing_values::values;

/// N masses in a row, each tied to the next by a spring and to the first by nothing else.
const std::string chain = R"(
parameters: {N: 2, k: 3}
repeat:
  - index: i
    from: 1
    to: N
    coordinates:
      x{i}: [i^2, 2*i]
    kinetic_energy: i/2*x{i}'^2
    forces:
      x{i}: -x{i}'
    definitions:
      double{i}: 2*x{i}
    outputs:
      twice-{i}: double{i}
    events:
      zero{i}: x{i}
  - index: i
    from: 2
    to: N
    potential_energy: k/2*(x{i} - x{i-1})^2
    constraints:
      order{i}: x{i} = x{i-1} + {2*i}
    loads:
      push{i}: {at: ["x{i}"], force: ["{N} - i"]}
    draw:
      - line: [["x{i-1}", 0], ["x{i}", 0]]
        label: bar {i-1}
outputs:
  last: x{N}
)";

class Chain : public testing::TestWithParam<int> {};

TEST_P(Chain, HasAsManyPartsAsAsked) {
  const int n = GetParam();
  const std::size_t size = static_cast<std::size_t>(n);
  const Model model = read_model(chain, "chain.yaml", {{"N", std::to_string(n)}});
  ASSERT_EQ(model.coordinates.size(), size);
  EXPECT_EQ(model.coordinates.back().name, "x" + std::to_string(n));
  EXPECT_EQ(model.constraints.size(), size - 1);
  EXPECT_EQ(model.loads.size(), size - 1);
  EXPECT_EQ(model.drawing.size(), size - 1);
  EXPECT_EQ(model.events.size(), size);
  EXPECT_EQ(model.outputs.size(), size + 1);
  EXPECT_EQ(model.outputs[1].name, "twice-1");
  EXPECT_EQ(initial_values(model).parameters[0], n);

  const auto all = values(model);
  double kinetic = 0;
  double potential = 0;
  for (int i = 1; i <= n; ++i) kinetic += i / 2.0 * (2.0 * i) * (2.0 * i);
  for (int i = 2; i <= n; ++i) potential += 1.5 * (2 * i - 1) * (2 * i - 1);
  EXPECT_EQ(evaluate(*model.kinetic_energy, all), kinetic);
  EXPECT_EQ(model.potential_energy.has_value(), n > 1);
  if (n > 1) {
    EXPECT_EQ(evaluate(*model.potential_energy, all), potential);
  }
  for (int i = 2; i <= n; ++i) EXPECT_EQ(evaluate(model.constraints[i - 2].residual, all), 2 * i - 1 - 2 * i);
  EXPECT_EQ(evaluate(model.outputs[0].value, all), n * n);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Chain, testing::Values(1, 2, 5));

TEST(Repetition, FillsNamesLabelsAndFormulas) {
  const Model model = read_model(chain, "chain.yaml");
  EXPECT_EQ(model.constraints[0].name, "order2");
  EXPECT_EQ(model.loads[0].name, "push2");
  EXPECT_EQ(model.drawing[0].label, "bar 1");
  EXPECT_EQ(evaluate(model.loads[0].force[0], values(model)), 0);
}

TEST(Repetition, ItsParametersAreStructural) {
  const Model model = read_model(
      "parameters: {a: 1, M: a + 1, k: 3}\n"
      "repeat: {index: i, from: 1, to: M, coordinates: {'x{i}': 0}, kinetic_energy: \"x{i}'^2\"}\n",
      "test.yaml");
  EXPECT_TRUE(model.parameters[0].structural);
  EXPECT_TRUE(model.parameters[1].structural);
  EXPECT_FALSE(model.parameters[2].structural);
  EXPECT_NO_THROW(initial_values(model, {{"M", "2"}, {"k", "4"}}));
  EXPECT_THROW(initial_values(model, {{"M", "3"}}), InputError);
  EXPECT_THROW(initial_values(model, {{"a", "3"}}), InputError);
}

TEST(Repetition, MayStandInsideAnother) {
  const Model model = read_model(R"(
repeat:
  index: i
  from: 1
  to: 3
  repeat:
    index: j
    from: 1
    to: i
    coordinates:
      x{i}_{j}: 10*i + j
    kinetic_energy: x{i}_{j}'^2/2
)",
                                 "grid.yaml");
  ASSERT_EQ(model.coordinates.size(), 6U);
  EXPECT_EQ(model.coordinates[4].name, "x3_2");
  EXPECT_EQ(initial_values(model).coordinates[4], 32);
}

TEST(Repetition, ErrorsPointAtTheTextAsWritten) {
  try {
    read_model(
        "parameters: {l: 1}\nrepeat:\n  index: i\n  from: 9\n  to: 11\n  coordinates:\n    x{i}: 0\n"
        "  kinetic_energy: x{i}'^2 + x{i}*zz\n",
        "test.yaml");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().line, 8);
    EXPECT_EQ(error.place().column, 34);
    EXPECT_EQ(error.message(), "nothing is named 'zz' (with i = 9)");
  }
}

}  // namespace
}  // namespace taut
