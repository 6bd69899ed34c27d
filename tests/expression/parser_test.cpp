#include "expression/parser.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "expression/program.hpp"
#include "random_formula.hpp"

namespace taut {
namespace {

/// Reads formulas of x, y, z, w, the rate x' and crank.omega_z.
struct ParserTest : ::testing::Test, FourSymbols {
  const Expression x = expressions[0];
  const Expression y = expressions[1];
  const Expression z = expressions[2];
  const Expression rate = declare("x'", SymbolKind::rate);
  const Expression omega = declare("crank.omega_z", SymbolKind::speed);
  Names names;

  ParserTest() {
    names.graph = &graph;
    names.known = [this] {
      std::vector<std::string> all;
      for (SymbolId id = 0; id < graph.symbols(); ++id) all.emplace_back(graph.info(id).name);
      return all;
    };
    names.name = [this](const std::string& name, const Place& place) -> Expression {
      for (SymbolId id = 0; id < graph.symbols(); ++id) {
        if (graph.info(id).name == name) return {graph, graph.symbol(id)};
      }
      throw InputError(place, "no such name '" + name + "'");
    };
  }

  Expression declare(const std::string& name, SymbolKind kind) {
    return {graph, graph.symbol(graph.declare(name, kind))};
  }

  Expression read(std::string_view text) const { return parse(text, names, {"m.yaml", 7, 11}); }
  Expression read_equation(std::string_view text) const { return parse_equation(text, names, {"m.yaml", 7, 11}); }

  /// Where the mistake is, counted from 1 within the text, and what the message says.
  struct Mistake {
    int column;
    std::string text;
  };
  template <class Read>
  Mistake mistake(const Read& read_it) const {
    try {
      read_it();
    } catch (const InputError& error) {
      EXPECT_EQ(error.place().file, "m.yaml");
      return {error.place().column - 10, error.message() + "; " + error.remedy()};
    }
    return {0, "no mistake was found"};
  }

  void expect_mistake(std::string_view text, int column, std::string_view part) const {
    const Mistake found = mistake([&] { read(text); });
    EXPECT_EQ(found.column, column) << text << ": " << found.text;
    EXPECT_NE(found.text.find(part), std::string::npos) << text << ": " << found.text;
  }
  void expect_mistaken_equation(std::string_view text, int column, std::string_view part) const {
    const Mistake found = mistake([&] { read_equation(text); });
    EXPECT_EQ(found.column, column) << text << ": " << found.text;
    EXPECT_NE(found.text.find(part), std::string::npos) << text << ": " << found.text;
  }
};

TEST_F(ParserTest, ReadsNumbersInEveryUsualForm) {
  EXPECT_EQ(read("1").value(), 1);
  EXPECT_EQ(read("1.5").value(), 1.5);
  EXPECT_EQ(read(".5").value(), 0.5);
  EXPECT_EQ(read("1.").value(), 1);
  EXPECT_EQ(read("1e-3").value(), 1e-3);
  EXPECT_EQ(read("2.5E+4").value(), 2.5e4);
  EXPECT_EQ(read("pi").value(), std::numbers::pi);
}

TEST_F(ParserTest, ReadsNamesWithDotsAndPrimes) {
  EXPECT_TRUE(read("x' + crank.omega_z") == rate + omega);
  EXPECT_TRUE(read("x'^2") == pow(rate, 2));
}

TEST_F(ParserTest, BindsOperatorsAsMathematiciansDo) {
  EXPECT_TRUE(read("x + y*z") == x + y * z);
  EXPECT_TRUE(read("x - y - z") == (x - y) - z);
  EXPECT_TRUE(read("x/y/z") == (x / y) / z);
  EXPECT_TRUE(read("-x^2") == -pow(x, 2));
  EXPECT_TRUE(read("(-x)^2") == pow(-x, 2));
  EXPECT_EQ(read("2^3^2").value(), 512);
  EXPECT_EQ(read("2^-1").value(), 0.5);
  EXPECT_TRUE(read("x^-y^z") == pow(x, -pow(y, z)));
  EXPECT_TRUE(read("x*-y") == -(x * y));
  EXPECT_TRUE(read("x - -y") == x + y);
  EXPECT_TRUE(read("+x") == x);
  EXPECT_TRUE(read("  ( x\t+\ny ) ") == x + y);
}

TEST_F(ParserTest, ReadsEveryFunction) {
  for (const Function& function : functions()) {
    const std::string name(function.name);
    const bool one = function.arguments == 1;
    const Expression expected = one ? apply(function.op, x) : apply(function.op, x, y);
    EXPECT_TRUE(read(name + (one ? "(x)" : " (x, y)")) == expected) << name;
  }
}

TEST_F(ParserTest, ReadsAnEquationAsADifference) {
  EXPECT_TRUE(read_equation("x^2 + y^2 = z^2") == pow(x, 2) + pow(y, 2) - pow(z, 2));
  EXPECT_TRUE(read_equation("x - y") == x - y);
  EXPECT_TRUE(read_equation("x = 0") == x);
}

TEST_F(ParserTest, LeavesADivisionByZeroToBeSeenWhenItIsComputed) { EXPECT_FALSE(read("1/0").is_constant()); }

TEST_F(ParserTest, ReadsBackWhatIsWritten) {
  int tested = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Nodes reader = nodes();
    const Expression formula = random_formula(reader, seed);
    const std::string text = to_string(formula);
    // `less` only comes from derivatives and cannot be written by hand.
    if (text.find("less") != std::string::npos) continue;
    EXPECT_EQ(to_string(read(text)), text) << "seed " << seed;
    ++tested;
  }
  EXPECT_GE(tested, 700);
}

TEST_F(ParserTest, OffersOtherCallsToTheModel) {
  std::string seen;
  names.call = [&](const Call& called, const Place& place) -> Expression {
    const auto& [function, argument, component] = called;
    seen = function + "|" + argument + "|" + std::to_string(place.column);
    return x;
  };
  EXPECT_TRUE(read("2*d( some (thing), [1, 2] )*y") == 2 * x * y);
  EXPECT_EQ(seen, "d|some (thing), [1, 2]|13");
  EXPECT_TRUE(read("lambda(rod)") == x);
  expect_mistake("1 + d(rod", 6, "never closed");
}

TEST_F(ParserTest, NamesAnEmptyFormula) {
  expect_mistake("", 1, "empty");
  expect_mistake("   ", 1, "empty");
  expect_mistake("()", 2, "nothing between the brackets");
}

TEST_F(ParserTest, NamesAnUnknownFunctionAndTheNearestOne) {
  expect_mistake("1 + sine(x)", 5, "unknown function 'sine'; did you mean 'sin'?");
  expect_mistake("x + y(3)", 5, "write y*(");
  EXPECT_EQ(unknown_function("aran2", names, {}).remedy(), "did you mean 'atan2'?");
}

TEST_F(ParserTest, NamesAnUnknownNameAndTheNearestOne) {
  expect_mistake("x + qq", 5, "no such name 'qq'");
  names.name = nullptr;
  expect_mistake("2*crank.omga_z", 3, "unknown name 'crank.omga_z'; did you mean 'crank.omega_z'?");
}

TEST_F(ParserTest, ShortensLongNamesInMessages) {
  names.name = nullptr;
  const Mistake found = mistake([&] { read(std::string(1'000'000, 'a')); });
  EXPECT_LT(found.text.size(), 200u);
}

TEST_F(ParserTest, CountsArguments) {
  expect_mistake("1 + sin(x, y)", 5, "'sin' takes 1 argument, not 2; write sin(x)");
  expect_mistake("atan2(x)", 1, "'atan2' takes 2 arguments, not 1; write atan2(y, x)");
  expect_mistake("min()", 1, "not 0");
  expect_mistake("sin x", 1, "write sin(x)");
}

TEST_F(ParserTest, PointsAtTheBracketThatIsNeverClosed) {
  expect_mistake("x*(y + (z)", 3, "never closed");
  expect_mistake("sin(x", 4, "never closed");
  expect_mistaken_equation("(x + y = 3", 1, "never closed");
  expect_mistake("x + y)", 6, "closes nothing");
  expect_mistake(")", 1, "closes nothing");
}

TEST_F(ParserTest, NamesAMissingOperator) {
  expect_mistake("2x", 2, "write 2*x");
  expect_mistake("2 + 3 y'", 7, "write 3*y'");
  expect_mistake("x y", 3, "write x*y");
  expect_mistake("(x)(y)", 4, "write (x)*(");
  expect_mistake("2(x + y)", 2, "write 2*(");
  expect_mistake("sin(x)y", 7, "write sin(x)*y");
  expect_mistake("2e", 2, "write 2*e");
}

TEST_F(ParserTest, NamesAMissingOperand) {
  expect_mistake("x +", 3, "missing after '+'");
  expect_mistake("x + * y", 5, "missing after '+'");
  expect_mistake("* y", 1, "missing at the beginning");
  expect_mistake("(x + )", 6, "missing after '+'");
  expect_mistake("max(x, )", 8, "missing after ','");
}

TEST_F(ParserTest, SaysHowAPowerIsWritten) { expect_mistake("x**2", 2, "write ^"); }

TEST_F(ParserTest, NamesStrayEqualsSigns) {
  expect_mistake("x = 3", 3, "does not belong in a formula");
  expect_mistaken_equation("x = y = 3", 7, "second '='");
  expect_mistaken_equation("x == 3", 3, "single =");
  expect_mistaken_equation("= 3", 1, "left");
  expect_mistaken_equation("x =", 3, "right");
  expect_mistaken_equation("", 1, "empty");
}

TEST_F(ParserTest, NamesCharactersThatDoNotBelong) {
  expect_mistake("x % y", 3, "'%' is not allowed");
  expect_mistake("x + φ", 5, "'φ' is not allowed");
  expect_mistake("2 · x", 3, "write *");
  expect_mistake("x²", 2, "write ^2");
  expect_mistake("x + [y]", 5, "write (");
  expect_mistake("1,5", 2, "decimal point");
  expect_mistake("1.2.3", 4, "one decimal point");
  expect_mistake("1e999", 1, "too large");
  expect_mistake("x + '", 5, "prime");
  expect_mistake("x + .", 5, "no number");
  expect_mistake(std::string_view("x\0y", 3), 2, "code 0");
  expect_mistake("x\xff", 2, "code 255");
}

TEST_F(ParserTest, CountsLinesAndCharactersNotBytes) {
  try {
    read("x +\n  y +\n  q");
    FAIL() << "an unknown name was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().line, 9);
    EXPECT_EQ(error.place().column, 3);
  }
  names.call = [this](const Call&, const Place&) { return x; };
  expect_mistake("d(äöü) + q", 10, "no such name");
}

TEST_F(ParserTest, RefusesNestingThatIsTooDeep) {
  const auto nested = [](int depth) {
    const auto n = static_cast<std::size_t>(depth);
    return std::string(n, '(') + "x" + std::string(n, ')');
  };
  EXPECT_TRUE(read(nested(deepest_nesting)) == x);
  expect_mistake(nested(deepest_nesting + 1), deepest_nesting + 1, "nested deeper");
  expect_mistake(std::string(1'000'000, '('), deepest_nesting + 1, "nested deeper");
}

TEST_F(ParserTest, ReadsLongChainsWithoutDeepening) {
  constexpr int length = 100'001;
  EXPECT_TRUE(read(std::string(length, '-') + "x") == -x);
  std::string powers = "x";
  std::string terms = "x";
  for (int k = 0; k < length; ++k) {
    powers += "^y";
    terms += "+y*x";
  }
  EXPECT_FALSE(read(powers).is_constant());
  EXPECT_FALSE(read(terms).is_constant());
}

TEST(Nearest, FindsTheNameThatWasMeant) {
  const std::vector<std::string> known = {"rod", "crank", "slider", "length"};
  EXPECT_EQ(nearest("rodd", known), "rod");
  EXPECT_EQ(nearest("carnk", known), "crank");
  EXPECT_EQ(nearest("slidr", known), "slider");
  EXPECT_EQ(nearest("wheel", known), "");
  EXPECT_EQ(nearest("", known), "");
  EXPECT_EQ(nearest("x", {}), "");
}

}  // namespace
}  // namespace taut
