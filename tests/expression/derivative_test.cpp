#include "expression/derivative.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "random_formula.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

struct DerivativeTest : ::testing::Test, FourSymbols {
  const Expression x = expressions[0];
  const Expression y = expressions[1];

  Expression partial(const Expression& a, std::size_t k) const {
    for (const Partial& entry : gradient(a, SymbolKind::coordinate)) {
      if (entry.symbol == ids[k]) return entry.value;
    }
    return 0;
  }
};

TEST_F(DerivativeTest, FollowsTheTextbook) {
  EXPECT_TRUE(partial(pow(x, 2), 0) == 2 * x);
  EXPECT_TRUE(partial(x * x, 0) == 2 * x);
  EXPECT_TRUE(partial(pow(x, 3), 0) == 3 * pow(x, 2));
  EXPECT_TRUE(partial(x * y, 0) == y);
  EXPECT_TRUE(partial(sin(x), 0) == cos(x));
  EXPECT_TRUE(partial(cos(x), 0) == -sin(x));
  EXPECT_TRUE(partial(exp(2 * x), 0) == 2 * exp(2 * x));
  EXPECT_TRUE(partial(log(x), 0) == 1 / x);
  EXPECT_TRUE(partial(sqrt(pow(x, 2) + pow(y, 2)), 0) == x / sqrt(pow(x, 2) + pow(y, 2)));
  EXPECT_TRUE(partial(abs(x), 0) == sign(x));
  EXPECT_TRUE(partial(sign(x), 0).is_zero());
  EXPECT_TRUE(partial(min(x, y), 0) == apply(Op::less, x, y));
  EXPECT_TRUE(partial(min(x, y), 1) == 1 - apply(Op::less, x, y));
  EXPECT_TRUE(partial(max(x, y), 1) == apply(Op::less, x, y));
}

TEST_F(DerivativeTest, GivesOnlyEntriesThatAreNotZeroInTheOrderOfTheSymbols) {
  const Expression formula = expressions[3] * 2 + sin(x) + (y - y);
  const std::vector<Partial> entries = gradient(formula, SymbolKind::coordinate);
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].symbol, ids[0]);
  EXPECT_EQ(entries[1].symbol, ids[3]);
  EXPECT_TRUE(gradient(formula, SymbolKind::rate).empty());
  EXPECT_TRUE(gradient(Expression(3), SymbolKind::coordinate).empty());
}

TEST_F(DerivativeTest, OfAPowerWithAParameterAsExponentHoldsAtZero) {
  const SymbolId n = graph.declare("n", SymbolKind::parameter);
  const Expression slope = partial(pow(x, Expression(graph, graph.symbol(n))), 0);
  EXPECT_EQ(evaluate_precisely(slope, std::vector<long double>{0, 0, 0, 0, 2}), 0);
}

/// Central difference of order eight along symbol k.
long double difference(std::uint64_t seed, Point point, std::size_t k, long double h) {
  constexpr long double weights[] = {4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280};
  const long double centre = point[k];
  const auto value = [&](long double shift) {
    point[k] = centre + shift;
    Numbers numbers{point};
    return random_formula(numbers, seed);
  };
  long double sum = 0;
  for (int m = 1; m <= 4; ++m) sum += weights[m - 1] * (value(m * h) - value(-m * h));
  return sum / h;
}

TEST_F(DerivativeTest, AgreesWithDifferencesOfAThousandFormulas) {
  // The difference is off by about 1/255 of what doubling h changes (order eight), and by rounding:
  // 1e-19 times the largest number 1e3 over h = 1e-3, 1e-13. The formula itself is off by its folded
  // constants, 1e-16, which two operations in a row at the limit make 1e-10. Kinks and jumps within
  // reach of the stencil show as differences that disagree.
  constexpr long double h = 1e-3L;
  constexpr long double limit = 1e3L;
  constexpr long double tolerance = 1e-9L;
  int tested = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Point point = random_point(seed);
    Numbers numbers{point};
    if (!std::isfinite(random_formula(numbers, seed)) || numbers.largest > limit) continue;
    Nodes reader = nodes();
    const Expression formula = random_formula(reader, seed);
    bool smooth = true;
    for (std::size_t k = 0; k < 4; ++k) {
      const long double expected = difference(seed, point, k, h);
      const long double scale = 1 + std::abs(expected);
      if (!(std::abs(difference(seed, point, k, 2 * h) - expected) < tolerance * scale)) {
        smooth = false;
        continue;
      }
      ASSERT_LE(std::abs(evaluate_precisely(partial(formula, k), point) - expected), tolerance * scale)
          << "seed " << seed << " symbol " << k << ": " << to_string(formula);
    }
    tested += smooth ? 1 : 0;
  }
  EXPECT_GE(tested, 900);
}

TEST_F(DerivativeTest, AlongADirectionIsTheGradientTimesTheRates) {
  const Point rates = {0.3L, -1.2L, 0.7L, 2.1L};
  DirectionalDerivative along(graph, [&](SymbolId id) -> Expression { return static_cast<double>(rates[id]); });
  int tested = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Point point = random_point(seed);
    Nodes reader = nodes();
    const Expression formula = random_formula(reader, seed);
    const long double forward = evaluate_precisely(along(formula), point);
    long double backward = 0;
    long double size = 1;
    for (const Partial& entry : gradient(formula, SymbolKind::coordinate)) {
      const long double term = evaluate_precisely(entry.value, point) * static_cast<double>(rates[entry.symbol]);
      backward += term;
      size += std::abs(term);
    }
    Numbers numbers{point};
    random_formula(numbers, seed);
    if (!std::isfinite(forward) || !std::isfinite(backward) || numbers.largest > 1e3L) continue;
    // Both are exact but for folded constants: 1e-16, which the limit makes 1e-10 as above.
    ASSERT_LE(std::abs(forward - backward), 1e-10L * size) << "seed " << seed << ": " << to_string(formula);
    ++tested;
  }
  EXPECT_GE(tested, 900);
}

TEST_F(DerivativeTest, WithRespectToOneSymbolIsThatEntryOfTheGradient) {
  const Expression formula = sin(x * y) / (1 + pow(y, 2));
  const std::vector<long double> point = {0.4L, 1.3L, 0, 0};
  for (std::size_t k = 0; k < 2; ++k) {
    const long double one = evaluate_precisely(derivative(formula, ids[k]), point);
    EXPECT_NEAR(static_cast<double>(one), static_cast<double>(evaluate_precisely(partial(formula, k), point)), 1e-15);
  }
}

TEST(Dot, LeadsFromCoordinateToRateToAcceleration) {
  Graph graph;
  const SymbolId t = graph.declare("t", SymbolKind::time);
  const SymbolId m = graph.declare("m", SymbolKind::parameter);
  const SymbolId q = graph.declare("q", SymbolKind::coordinate);
  const SymbolId v = graph.declare("q'", SymbolKind::rate);
  const SymbolId a = graph.declare("q''", SymbolKind::acceleration);
  graph.set_rate(q, v);
  graph.set_rate(v, a);
  const auto symbol = [&](SymbolId id) { return Expression(graph, graph.symbol(id)); };
  EXPECT_TRUE(dot(symbol(t)) == Expression(1));
  EXPECT_TRUE(dot(symbol(m)).is_zero());
  EXPECT_TRUE(dot(symbol(m) * pow(symbol(q), 2)) == 2 * symbol(m) * (symbol(q) * symbol(v)));
  EXPECT_TRUE(dot(dot(symbol(q))) == symbol(a));
  EXPECT_THROW(dot(symbol(a)), InputError);
  EXPECT_TRUE(dot(Expression(3)).is_zero());
}

TEST_F(DerivativeTest, SubstitutionReplacesSymbolsAndSimplifies) {
  Substitution at_zero(graph,
                       [&](SymbolId id) -> Expression { return id == ids[0] ? Expression(0) : expressions[id]; });
  EXPECT_TRUE(at_zero(cos(x) * y + x) == y);
  Substitution exchange(graph, [&](SymbolId id) -> Expression { return id == ids[0] ? y : x; });
  EXPECT_TRUE(exchange(x - 2 * y) == y - 2 * x);
}

TEST_F(DerivativeTest, SymbolsAreListedOnceAndAscending) {
  EXPECT_EQ(symbols_of(expressions[2] * x + sin(x)), (std::vector<SymbolId>{ids[0], ids[2]}));
  EXPECT_TRUE(symbols_of(Expression(1)).empty());
}

TEST_F(DerivativeTest, OperationsThatAreNotSmoothAreNamedOnce) {
  EXPECT_EQ(not_smooth(abs(x) + abs(y) + max(x, sin(y))), (std::vector<Op>{Op::abs, Op::max}));
  EXPECT_TRUE(not_smooth(x * y).empty());
}

TEST_F(DerivativeTest, ReachesEachNodeOnceWithOperandsFirst) {
  const Expression shared = sin(x);
  const NodeId root = (shared * shared + shared).in(graph);
  const std::vector<NodeId> order = reachable(graph, {root, shared.in(graph)});
  EXPECT_EQ(order.size(), 4u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

/// Many nodes are collected in another way than few.
TEST_F(DerivativeTest, ReachesEachOfManyNodesOnceWithOperandsFirst) {
  Expression sum = 0, other = 0;
  for (int k = 1; k <= 3000; ++k) {
    sum += sin(k * x) * sin((k / 2) * x);  // half of the sines are used twice
    other += cos(k * y);
  }
  const NodeId root = sum.in(graph);
  const std::vector<NodeId> order = reachable(graph, {root, root});
  std::vector<bool> wanted(graph.size());
  wanted[root] = true;
  std::size_t count = 0;
  for (NodeId id = root + 1; id-- > 0;) {
    if (!wanted[id]) continue;
    ++count;
    const Graph::Node node = graph.node(id);
    if (node.op == Op::constant || node.op == Op::symbol) continue;
    wanted[node.a] = true;
    if (node.op == Op::add || node.op == Op::multiply || node.op == Op::subtract) wanted[node.b] = true;
  }
  EXPECT_EQ(order.size(), count);
  EXPECT_EQ(std::ranges::adjacent_find(order, std::greater_equal<>()), order.end()) << "ascending, and none twice";
  for (const NodeId id : order) ASSERT_TRUE(wanted[id]);
}

TEST_F(DerivativeTest, OfManyFormulasWithOneMemoryIsThatOfEachAlone) {
  const auto along = [&](SymbolId id) -> Expression { return id == graph.node(x.in(graph)).a ? y : Expression(0); };
  DirectionalDerivative together(graph, along);
  for (int k = 1; k <= 3000; ++k) {
    const Expression formula = sin(k * x) * y;
    EXPECT_TRUE(together(formula) == DirectionalDerivative(graph, along)(formula)) << k;
  }
}

TEST_F(DerivativeTest, OfASumOfTwoHundredThousandTermsNeedsNoStack) {
  Expression sum = 0;
  for (int k = 1; k <= 200'000; ++k) sum += sin(k * x);
  const Expression slope = partial(sum, 0);
  // At x = 0 each term's slope is k: n (n + 1) / 2 in all, whole numbers throughout.
  const std::vector<long double> zero(4);
  EXPECT_EQ(evaluate_precisely(slope, zero), 20'000'100'000.0L);
  EXPECT_EQ(evaluate_precisely(derivative(sum, ids[0]), zero), 20'000'100'000.0L);
  EXPECT_LT(to_string(sum).size(), 200'000u);
}

TEST_F(DerivativeTest, OfATowerOfTwoHundredThousandFunctionsNeedsNoStack) {
  Expression tower = x;
  for (int k = 0; k < 200'000; ++k) tower = sin(tower);
  EXPECT_EQ(evaluate_precisely(partial(tower, 0), std::vector<long double>(4)), 1.0L);
}

TEST_F(DerivativeTest, CostsInProportionToItsOwnFormulaOnly) {
  const Expression small = x * y;
  Expression large = 0;
  for (int k = 1; k <= 100'000; ++k) large += sin(k * x);
  const std::size_t before = graph.size();
  // A hundred thousand gradients in a large graph: quadratic cost would not end.
  for (int k = 0; k < 100'000; ++k) ASSERT_EQ(gradient(small, SymbolKind::coordinate).size(), 2u);
  EXPECT_EQ(graph.size(), before);
}

}  // namespace
}  // namespace taut
