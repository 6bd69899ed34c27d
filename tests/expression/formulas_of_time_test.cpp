#include "expression/formulas_of_time.hpp"

#include <gtest/gtest.h>

namespace taut {
namespace {

struct FormulasOfTimeTest : ::testing::Test {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  SymbolId time = graph->declare("t", SymbolKind::time);
  Expression t{*graph, graph->symbol(time)};
  Expression p{*graph, graph->symbol(graph->declare("p", SymbolKind::parameter))};
  Expression x{*graph, graph->symbol(graph->declare("x", SymbolKind::coordinate))};

  FormulasOfTime of(const Expression& formula) { return formulas_of_time(graph, {formula.in(*graph)}, time); }
  std::vector<std::string> terms(const Expression& formula) {
    const FormulasOfTime found = of(formula);
    std::vector<std::string> texts;
    for (const NodeId id : found.terms) texts.push_back(to_string({*found.graph, id}));
    return texts;
  }
  std::vector<std::string> kinks(const Expression& formula) {
    const FormulasOfTime found = of(formula);
    std::vector<std::string> texts;
    for (const NodeId id : found.kinks) texts.push_back(to_string({*found.graph, id}));
    return texts;
  }
  using Texts = std::vector<std::string>;
};

TEST_F(FormulasOfTimeTest, AreAsLargeAsCanBe) {
  EXPECT_EQ(terms(x * exp(-p * t) + x), Texts{to_string(exp(-p * t))});
  EXPECT_EQ(terms(sin(x + cos(t))), Texts{to_string(cos(t))});
  EXPECT_EQ(terms(x * p), Texts{});
}

TEST_F(FormulasOfTimeTest, AreTakenApartInSumsButNotInProducts) {
  EXPECT_EQ(terms(sin(t) + p * cos(2 * t) - x), (Texts{to_string(sin(t)), to_string(cos(2 * t))}));
  EXPECT_EQ(terms(exp(-t) * sin(t)), Texts{to_string(exp(-t) * sin(t))});
}

TEST_F(FormulasOfTimeTest, AreNothingWhereAllDependsOnTheState) {
  EXPECT_TRUE(of(exp(-pow((t - x) / 0.05, 2))).kinks.empty());
  EXPECT_EQ(terms(exp(-(t - x))), Texts{to_string(t)});
}

TEST_F(FormulasOfTimeTest, TellWhereKinksAre) {
  EXPECT_EQ(kinks(x * sign(sin(t))), Texts{to_string(sin(t))});
  EXPECT_EQ(kinks(pow(max(t - 5, 0), 2)), Texts{to_string(t - 5)});
  EXPECT_EQ(kinks(abs(x - t)), Texts{});
  EXPECT_EQ(kinks(pow(t, 1.5)), Texts{to_string(t)});
  EXPECT_EQ(kinks(pow(t, 3)), Texts{});
}

}  // namespace
}  // namespace taut
