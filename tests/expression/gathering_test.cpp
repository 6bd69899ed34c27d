#include "expression/gathering.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "expression/program.hpp"

namespace taut {
namespace {

class Gathering : public testing::Test {
 protected:
  Expression variable(const char* name) { return {graph_, graph_.symbol(graph_.declare(name, SymbolKind::parameter))}; }

  std::size_t operations(const Expression& formula) {
    std::vector<Program::Input> inputs;
    for (SymbolId s = 0; s < graph_.symbols(); ++s) inputs.push_back({s, 0});
    return Program(graph_, inputs, std::vector{formula}).instructions();
  }

  Expression gathered(const Expression& formula) { return gather_factors(graph_, {formula}).front(); }

  Graph graph_;
};

TEST_F(Gathering, AFactorOfAllTermsStandsOnce) {
  const Expression x = variable("x"), y = variable("y"), u = variable("u"), v = variable("v");
  EXPECT_EQ(operations(2 * (x * y) + 2 * (u * v)), 5U);
  EXPECT_EQ(gathered(2 * (x * y) + 2 * (u * v)), 2 * (x * y + u * v));
  EXPECT_EQ(operations(gathered(3 * x * y - 3 * u * v)), 4U);
  EXPECT_EQ(operations(gathered((x - y) * u + 0.5 * ((y - x) * u))), 3U);  // half of it
}

TEST_F(Gathering, MultiplesOfOneThingAreOneMultiple) {
  const Expression x = variable("x"), y = variable("y");
  EXPECT_EQ(gathered(3 * x - 0.25 * (x + 0.5 * x)), 2.625 * x);
  EXPECT_EQ(gathered(2 * x * (4 * y) - 8 * (y * x)), Expression(0));
  EXPECT_EQ(gathered(pow(2 * x, 3) + 4 * pow(x, 3)), 12 * pow(x, 3));
}

TEST_F(Gathering, WhatHasNoFactorsStaysAsItIs) {
  const Expression x = variable("x"), y = variable("y");
  for (const Expression& formula : {x * y + 1, sin(x) - y, x / y, pow(x, 2.5) + y, Expression(3), sqrt(2 * x)})
    EXPECT_EQ(gathered(formula), formula);
}

TEST_F(Gathering, FactorsBeyondAllNumbersAreLeftWhereTheyStand) {
  const Expression x = variable("x"), y = variable("y");
  const std::vector<double> values{1e-200, 1e-150};
  for (const Expression& formula : {(1e200 * x) * (1e200 * y), 1e-200 * x + 1e200 * y, x / (1e-300 * y) * 1e-200}) {
    const double expected = evaluate(formula, values);
    EXPECT_NEAR(evaluate(gathered(formula), values), expected, 1e-15 * std::abs(expected));
  }
}

// Whole numbers and factors of two: the formulas as given do not round. Gathered factors may be thirds: some hundred
// roundings, each by 1e-16 of at most 1e6.
TEST_F(Gathering, AnyFormulaKeepsItsValue) {
  std::mt19937 random(7);
  std::vector<Expression> pool;
  std::vector<double> values;
  for (const char* name : {"a", "b", "c", "d"}) {
    pool.push_back(variable(name));
    values.push_back(static_cast<double>(pool.size()) * (pool.size() % 2 == 0 ? -1 : 1));
  }
  const auto any = [&] { return pool[std::uniform_int_distribution<std::size_t>(0, pool.size() - 1)(random)]; };
  int compared = 0;
  for (int k = 0; k < 3000; ++k) {
    const Expression a = any(), b = any();
    const double factor = std::ldexp(k % 2 == 0 ? 1 : -1, k % 5 - 2);
    const Expression made = factor * (k % 11 == 0  ? pow(2 * a, 2)
                                      : k % 3 == 0 ? a * b
                                      : k % 3 == 1 ? a + b
                                                   : 4 * a - b);
    const double expected = evaluate(made, values);
    if (std::abs(expected) > 1e6 || std::abs(expected) < 1e-3) continue;
    ASSERT_NEAR(evaluate(gathered(made), values), expected, 1e-8) << k;
    pool.push_back(made);
    ++compared;
  }
  EXPECT_GT(compared, 500);
}

}  // namespace
}  // namespace taut
