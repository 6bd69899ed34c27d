#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "random_formula.hpp"
#include "taut/error.hpp"
#include "taut/expression.hpp"

namespace taut {
namespace {

struct GraphTest : ::testing::Test, FourSymbols {
  const Expression x = expressions[0];
  const Expression y = expressions[1];
  const Expression z = expressions[2];

  Expression number(double value) { return {graph, graph.constant(value)}; }
};

TEST_F(GraphTest, HoldsTheSameFormulaOnce) {
  const Expression first = sin(x * y) + z;
  const std::size_t size = graph.size();
  const Expression second = sin(x * y) + z;
  EXPECT_TRUE(first == second);
  EXPECT_EQ(graph.size(), size);
}

TEST_F(GraphTest, DoesNotMindTheOrderOfOperandsThatMayBeExchanged) {
  EXPECT_TRUE(x + y == y + x);
  EXPECT_TRUE(x * y == y * x);
  EXPECT_TRUE(min(x, y) == min(y, x));
  EXPECT_TRUE(max(x, y) == max(y, x));
  EXPECT_TRUE(-x + -y == -y + -x);
  EXPECT_FALSE(x - y == y - x);
  EXPECT_FALSE(x / y == y / x);
}

TEST_F(GraphTest, DropsWhatChangesNothing) {
  EXPECT_TRUE(x + 0 == x);
  EXPECT_TRUE(0 + x == x);
  EXPECT_TRUE(x - 0 == x);
  EXPECT_TRUE(0 - x == -x);
  EXPECT_TRUE(x * 1 == x);
  EXPECT_TRUE(1 * x == x);
  EXPECT_TRUE((x * 0).is_zero());
  EXPECT_TRUE(x / 1 == x);
  EXPECT_TRUE((0 / x).is_zero());
  EXPECT_TRUE((x - x).is_zero());
  EXPECT_TRUE((x + -x).is_zero());
  EXPECT_TRUE(-(-x) == x);
  EXPECT_TRUE(pow(x, 1) == x);
  EXPECT_TRUE(pow(x, 0) == Expression(1));
}

TEST_F(GraphTest, KeepsASquareAndAQuotientOfEquals) {
  EXPECT_EQ(to_string(pow(x, 2)), "x^2");
  EXPECT_EQ(to_string(x / x), "x/x");
}

TEST_F(GraphTest, GathersConstantFactorsAndSigns) {
  EXPECT_TRUE(2 * (3 * x) == 6 * x);
  EXPECT_TRUE((2 * x) * (3 * y) == 6 * (x * y));
  EXPECT_TRUE((-x) * y == -(x * y));
  EXPECT_TRUE((-x) * (-y) == x * y);
  EXPECT_TRUE(-(2 * x) == -2 * x);
  EXPECT_TRUE(x + (-y) == x - y);
  EXPECT_TRUE(x - (-y) == x + y);
  EXPECT_TRUE(x + (-2 * y) == x - 2 * y);
  EXPECT_TRUE(-(x - y) == y - x);
  EXPECT_TRUE(-1 * (x - y) == y - x);
  EXPECT_TRUE(x + x == 2 * x);
  EXPECT_TRUE(x / 2 == 0.5 * x);
  EXPECT_TRUE((2 * x) / (2 * y) == x / y);
  EXPECT_TRUE((-x) / y == -(x / y));
  EXPECT_TRUE(x / (-y) == -(x / y));
  EXPECT_TRUE(2 * x * (0.5 / y) == x / y);
  EXPECT_TRUE(3 * -(2 / y) == -(6 / y));
  EXPECT_TRUE((2 / x) * (3 / y) == (6 / x) / y || (2 / x) * (3 / y) == (6 / y) / x);
  EXPECT_EQ(to_string(x / 3), "x/3");
}

TEST_F(GraphTest, DoesNotGatherFactorsWhoseProductCannotBeRepresented) {
  const double tiny = 1e-200;
  const auto product = tiny * (tiny * x);
  EXPECT_FALSE(product.is_constant());
  // Three roundings of half a unit each.
  EXPECT_NEAR(static_cast<double>(evaluate_precisely(product, std::vector<long double>{1e300L})), 1e-100, 1e-115);
}

TEST_F(GraphTest, FoldsConstantsUnlessTheResultIsNotFinite) {
  EXPECT_TRUE(number(2) * number(3) == Expression(6));
  EXPECT_TRUE(sin(number(0)) == Expression(0));
  EXPECT_FALSE((number(1) / number(0)).is_constant());
  EXPECT_FALSE((number(0) / number(0)).is_constant());
  EXPECT_FALSE(log(number(-1)).is_constant());
  EXPECT_FALSE((number(1e300) * number(1e300)).is_constant());
  EXPECT_EQ(to_string(number(1) / number(0)), "1/0");
}

TEST_F(GraphTest, KnowsOnlyOneZero) { EXPECT_EQ(graph.constant(-0.0), graph.constant(0.0)); }

TEST_F(GraphTest, NumbersOperandsBeforeTheirUsers) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Nodes reader = nodes();
    random_formula(reader, seed);
  }
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Graph::Node& node = graph.node(id);
    if (is_leaf(node.op)) continue;
    ASSERT_LT(node.a, id);
    ASSERT_LT(node.b, id);
  }
}

TEST_F(GraphTest, CountsSymbolsOfEachKind) {
  const SymbolId parameter = graph.declare("m", SymbolKind::parameter);
  EXPECT_EQ(graph.count(SymbolKind::coordinate), 4);
  EXPECT_EQ(graph.count(SymbolKind::parameter), 1);
  EXPECT_EQ(graph.info(parameter).index, 0);
  EXPECT_EQ(graph.info(ids[3]).index, 3);
  EXPECT_EQ(graph.rate(parameter), Graph::no_symbol);
}

/// Formulas of many parts, of a thing that all of them use, and of numbers that none shares: whatever is asked for a
/// second time is there, in the graph itself and from one that grows on top of it.
TEST(Graph, FindsWhatItHoldsHoweverMuchThatIs) {
  const auto base = std::make_shared<Graph>();
  constexpr int parts = 20'000;
  std::vector<SymbolId> symbols;
  for (int k = 0; k < parts; ++k) symbols.push_back(base->declare("x" + std::to_string(k), SymbolKind::coordinate));
  const auto write = [&](Graph& graph, bool further) {
    const auto x = [&](int k) { return Expression(graph, graph.symbol(symbols[k])); };
    std::vector<NodeId> nodes;
    for (int k = 0; k < parts; ++k) nodes.push_back((pow(x(k), 2) + 0.5 * sin(x(k))).in(graph));
    const Expression common = x(0) / x(1);  // younger than all that it is multiplied with
    for (int k = 2; k < parts; ++k) nodes.push_back((common * x(k) - 1.25 * k).in(graph));
    for (int k = 2; further && k < parts; ++k) nodes.push_back((exp(common * x(k)) * x(k - 1)).in(graph));
    return nodes;
  };
  const auto nodes = write(*base, false);
  const std::size_t size = base->size();
  EXPECT_EQ(write(*base, false), nodes);
  EXPECT_EQ(base->size(), size);
  Graph grown(base);
  const auto more = write(grown, true);
  EXPECT_TRUE(std::equal(nodes.begin(), nodes.end(), more.begin()));
  EXPECT_EQ(grown.size(), size + 2 * (parts - 2));
  EXPECT_EQ(write(grown, true), more);
  EXPECT_EQ(grown.size(), size + 2 * (parts - 2));
}

TEST_F(GraphTest, GrowsOnTopOfAnotherWithoutCopyingIt) {
  const auto base = std::make_shared<Graph>();
  const auto in = [&](const std::shared_ptr<Graph>& g, NodeId node) { return Expression(*g, node); };
  const SymbolId s = base->declare("s", SymbolKind::coordinate);
  const Expression before = sin(in(base, base->symbol(s)) * 2);
  const std::size_t size = base->size();
  const auto grown = std::make_shared<Graph>(base);
  EXPECT_EQ(grown->size(), size);
  // What the base held is found there, under its number; what is new belongs to the one it was added to.
  EXPECT_EQ(sin(in(grown, grown->symbol(s)) * 2).in(*grown), before.in(*base));
  const SymbolId u = grown->declare("u", SymbolKind::coordinate);
  EXPECT_EQ(grown->info(u).index, 1);
  EXPECT_EQ(grown->info(s).name, "s");
  const Expression above = cos(in(grown, grown->symbol(u)) * in(grown, grown->symbol(s)));
  EXPECT_EQ(base->size(), size);
  // The base goes on growing: its new numbers mean nothing to the other.
  const Expression later = in(base, base->symbol(s)) * 3 + 7;
  EXPECT_GT(base->size(), size);
  const Expression same = in(grown, grown->symbol(s)) * 3 + 7;
  EXPECT_GE(same.in(*grown), size);
  EXPECT_EQ(to_string(same), to_string(later));
  EXPECT_EQ(to_string(above), "cos(s*u)");
}

TEST_F(GraphTest, FindsEveryNodeAgainHoweverManyThereAre) {
  std::vector<NodeId> sums;
  for (int k = 0; k < 5000; ++k) sums.push_back((sin(k * x) + y / (k + 0.5)).in(graph));
  const std::size_t size = graph.size();
  for (int k = 0; k < 5000; ++k) ASSERT_EQ((sin(k * x) + y / (k + 0.5)).in(graph), sums[static_cast<std::size_t>(k)]);
  EXPECT_EQ(graph.size(), size);
  EXPECT_EQ(graph.node(graph.constant(0.1)).value, 0.1);
  EXPECT_EQ(graph.node(graph.constant(-1e300)).value, -1e300);
}

TEST_F(GraphTest, SimplificationKeepsTheValuesOfAThousandFormulas) {
  // Folded constants are off by 1e-16; two operations in a row at the limit of 1e3 make that 1e-10.
  constexpr long double limit = 1e3L;
  constexpr long double tolerance = 1e-10L;
  int tested = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Point point = random_point(seed);
    Numbers numbers{point};
    const long double expected = random_formula(numbers, seed);
    if (!std::isfinite(expected) || numbers.largest > limit) continue;
    Nodes reader = nodes();
    const Expression formula = random_formula(reader, seed);
    ASSERT_LE(std::abs(evaluate_precisely(formula, point) - expected), tolerance * (1 + std::abs(expected)))
        << "seed " << seed << ": " << to_string(formula);
    ++tested;
  }
  EXPECT_GE(tested, 900);
}

TEST_F(GraphTest, WritesTheBracketsAFormulaNeedsAndNoOthers) {
  EXPECT_EQ(to_string(x + y + z), "x + y + z");
  EXPECT_EQ(to_string(x - (y + z)), "x - (y + z)");
  EXPECT_EQ(to_string((x + y) * z), "z*(x + y)");
  EXPECT_EQ(to_string(2 * x * y), "2*x*y");
  EXPECT_EQ(to_string(3 * (x / y * (x / y))), "3*(x/y*(x/y))");
  EXPECT_EQ(to_string(-(x * y)), "-x*y");
  EXPECT_EQ(to_string(-(x + y)), "-(x + y)");
  EXPECT_EQ(to_string(x / (y * z)), "x/(y*z)");
  EXPECT_EQ(to_string(pow(-x, 2)), "(-x)^2");
  EXPECT_EQ(to_string(pow(x, -2)), "x^(-2)");
  EXPECT_EQ(to_string(pow(x, pow(y, z))), "x^y^z");
  EXPECT_EQ(to_string(pow(pow(x, y), z)), "(x^y)^z");
  EXPECT_EQ(to_string(atan2(x, -y)), "atan2(x, -y)");
  EXPECT_EQ(to_string(x - 3), "x - 3");
  EXPECT_EQ(to_string(Expression(0.1)), "0.1");
}

TEST_F(GraphTest, WritesAFormulaOfEndlessTextWithAnEllipsis) {
  Expression doubling = x;
  for (int k = 0; k < 100; ++k) doubling = sin(doubling) * cos(doubling);
  const std::string text = to_string(doubling);
  EXPECT_LT(text.size(), 200'000u);
  EXPECT_NE(text.find("…"), std::string::npos);
}

TEST(Expression, IsAPlainNumberUntilItMeetsAGraph) {
  const Expression number = Expression(2) * 3 + 1;
  EXPECT_EQ(number.graph(), nullptr);
  EXPECT_EQ(number.value(), 7);
  FourSymbols here;
  EXPECT_TRUE(Expression(here.graph, number.in(here.graph)) == number);
}

TEST(Expression, RefusesToMixTwoGraphs) {
  FourSymbols here;
  FourSymbols there;
  EXPECT_THROW(here.expressions[0] + there.expressions[0], InputError);
}

TEST(InputErrorMessage, NamesPlaceAndRemedy) {
  EXPECT_STREQ(InputError(Place{"a.yaml", 17, 9}, "it is wrong", "mend it").what(),
               "a.yaml:17:9: it is wrong; mend it");
  EXPECT_STREQ(InputError(Place{"", 17, 9}, "it is wrong").what(), "17:9: it is wrong");
  EXPECT_STREQ(InputError(Place{"a.yaml", 0, 0}, "it is wrong").what(), "a.yaml: it is wrong");
  EXPECT_STREQ(InputError(Place{"", 0, 9}, "it is wrong").what(), "column 9: it is wrong");
  EXPECT_STREQ(InputError("it is wrong").what(), "it is wrong");
}

/// A graph that has given back its room finds everything again, by itself and from a graph on top of it, which must
/// leave it as it is: others may read it at the same time.
TEST(Graph, FindsTheSameFormulasAfterShrinking) {
  constexpr int parts = 2000;
  const auto base = std::make_shared<Graph>();
  std::vector<SymbolId> symbols;
  for (int k = 0; k < parts; ++k) symbols.push_back(base->declare("x" + std::to_string(k), SymbolKind::coordinate));
  const auto write = [&](Graph& graph) {
    std::vector<NodeId> nodes;
    for (const SymbolId s : symbols) {
      const Expression x(graph, graph.symbol(s));
      nodes.push_back((sin(x * 2.5) + static_cast<double>(s)).in(graph));
    }
    return nodes;
  };
  const auto nodes = write(*base);
  const std::size_t size = base->size();
  base->shrink();
  const auto grown = std::make_shared<Graph>(base);
  EXPECT_EQ(write(*grown), nodes);
  EXPECT_EQ(grown->size(), size);
  const auto own = [&](Graph& graph) { return (Expression(graph, nodes[0]) * Expression(graph, nodes[1])).in(graph); };
  const NodeId product = own(*grown);
  EXPECT_EQ(product, size);
  grown->shrink();
  Graph highest(grown);
  EXPECT_EQ(write(highest), nodes);
  EXPECT_EQ(own(highest), product);
  EXPECT_EQ(own(*grown), product);
  EXPECT_EQ(write(*grown), nodes);
  EXPECT_EQ(write(*base), nodes);
  EXPECT_EQ(base->size(), size);
}

}  // namespace
}  // namespace taut
