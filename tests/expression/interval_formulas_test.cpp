#include "expression/interval_formulas.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "enclosure.hpp"
#include "random_formula.hpp"

namespace taut {
namespace {

struct IntervalFormulasTest : ::testing::Test, FourSymbols {};

TEST_F(IntervalFormulasTest, EncloseEveryValueOfRandomFormulasInABox) {
  Nodes reader = nodes();
  int looked_at = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const Expression formula = random_formula(reader, seed);
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-2, 2), share(0, 1);
    const double fixed = uniform(random);
    IntervalFormulas formulas(graph, {formula.in(graph)}, [&](SymbolId id) { return id == ids[3] ? &fixed : nullptr; });
    std::array<Interval, 4> by_symbol;
    for (Interval& side : by_symbol) {
      const double from = uniform(random);
      side = {from, from + std::pow(10, -2 - uniform(random))};
    }
    by_symbol[3] = fixed;
    std::vector<Interval> box;
    for (const SymbolId id : formulas.symbols())
      box.push_back(by_symbol[static_cast<std::size_t>(std::ranges::find(ids, id) - ids.begin())]);
    const Interval enclosed = formulas.over(box)[0];
    for (int k = 0; k <= 10; ++k) {
      std::array<long double, 4> point{};
      for (std::size_t i = 0; i < 4; ++i) point[i] = by_symbol[i].lo + share(random) * by_symbol[i].width();
      const long double exact = evaluate_precisely(formula, point);
      if (!std::isfinite(exact) || std::abs(exact) > 1e6) continue;
      ++looked_at;
      EXPECT_TRUE(holds(enclosed, exact))
          << to_string(formula) << ": " << enclosed.lo << " " << static_cast<double>(exact) << " " << enclosed.hi;
    }
  }
  EXPECT_GT(looked_at, 10'000);
}

TEST_F(IntervalFormulasTest, KnowThatSquaresAreNotNegative) {
  const Expression& x = expressions[0];
  IntervalFormulas formulas(graph, {(x * x).in(graph), pow(x, 2).in(graph)}, [](SymbolId) { return nullptr; });
  const std::array box{Interval(-1, 2)};
  for (const Interval& square : formulas.over(box)) {
    EXPECT_GE(square.lo, 0);
    EXPECT_NEAR(square.hi, 4, 1e-12);
  }
}

}  // namespace
}  // namespace taut
