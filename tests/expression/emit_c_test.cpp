#include "expression/emit_c.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random_formula.hpp"

namespace taut {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct EmitC : ::testing::Test, FourSymbols {
  const Expression x = expressions[0];
  const Expression y = expressions[1];

  Program compile(const std::vector<Expression>& outputs, std::array<int, 4> levels = {}) const {
    std::vector<Program::Input> inputs;
    for (std::size_t k = 0; k < 4; ++k) inputs.push_back({ids[k], levels[k]});
    return Program(graph, inputs, outputs);
  }
  std::string text(const std::vector<Expression>& outputs, const CStyle& style = {}) const {
    return emit_c(compile(outputs), "p", style);
  }
};

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST_F(EmitC, WritesWhatItReadsAndWhatItKeeps) {
  // Registers: x, y, z, w, then the sum, which is an output, then the product.
  EXPECT_EQ(text({x * y + x}),
            "void p_0(double *r) {\n"
            "  const double x0 = r[0];\n"
            "  const double x1 = r[1];\n"
            "  const double x5 = x0 * x1;\n"
            "  const double x4 = x0 + x5;\n"
            "  r[4] = x4;\n"
            "}\n\n");
}

TEST_F(EmitC, WritesConstantsWithAllTheirBits) {
  EXPECT_THAT(text({x * 0.1}), HasSubstr("0x1.999999999999ap-4"));
  EXPECT_THAT(text({x * -0.1}), HasSubstr("(-0x1.999999999999ap-4)"));
  const Expression infinite = Expression(graph, graph.constant(1)) / 0;
  EXPECT_THAT(text({min(x, infinite)}), HasSubstr("INFINITY"));
}

TEST_F(EmitC, TakesSineAndCosineOfOneArgumentTogether) {
  const std::string both = text({sin(x) * y, cos(x) + y, sin(y)});
  EXPECT_EQ(count(both, "taut_sincos("), 1);
  EXPECT_EQ(count(both, "taut_sin("), 1);  // of y, whose cosine nobody asks for
  EXPECT_EQ(count(both, "taut_cos("), 0);
}

TEST_F(EmitC, TakesAnglesThatAreThereFourAtATime) {
  std::vector<Expression> outputs;
  for (const Expression& angle : expressions) {
    outputs.push_back(sin(angle));
    outputs.push_back(cos(angle));
  }
  EXPECT_EQ(count(text(outputs), "taut_sincos_four("), 1);
  EXPECT_EQ(count(text(outputs), "taut_sincos("), 0);
  // What the level itself computes is not there when it begins.
  outputs.push_back(sin(x + y));
  outputs.push_back(cos(x + y));
  EXPECT_EQ(count(text(outputs), "taut_sincos_four("), 1);
  EXPECT_EQ(count(text(outputs), "taut_sincos("), 1);
  // In a long level they are a function of their own, for all others.
  const std::string cut = text(outputs, {.longest_function = 2});
  EXPECT_EQ(count(cut, "taut_sincos_four("), 1);
  EXPECT_LT(cut.find("taut_sincos_four("), cut.find("p_0_1("));
}

TEST_F(EmitC, DividesByMultiplyingOnlyWhereThatIsExact) {
  EXPECT_THAT(text({sin(x) / 4}), HasSubstr("0x1p-2"));
  EXPECT_THAT(text({sin(x) / 4}), Not(HasSubstr(" / ")));
  EXPECT_THAT(text({sin(x) / 3}), HasSubstr(" / "));
}

TEST_F(EmitC, RaisesToWholePowersByMultiplication) {
  const std::string powers = text({pow(x, 7), pow(y, -2), pow(x, 64)});
  EXPECT_THAT(powers, Not(HasSubstr("pow(")));
  EXPECT_THAT(text({pow(x, 0.5), pow(x, y)}), HasSubstr("pow("));
}

TEST_F(EmitC, WritesOneFunctionForEachLevelThatHasInstructions) {
  const std::string all = emit_c(compile({sin(x), sin(x) * y}, {0, 2, 2, 2}), "p");
  EXPECT_THAT(all, HasSubstr("void p_0("));
  EXPECT_THAT(all, Not(HasSubstr("void p_1(")));
  EXPECT_THAT(all, HasSubstr("void p_2("));
}

TEST_F(EmitC, CutsLongLevelsIntoFunctionsThatStayApart) {
  Expression sum = x;
  for (int k = 0; k < 25; ++k) sum = sin(sum) + y;
  const std::string whole = text({sum});
  EXPECT_EQ(count(whole, "void "), 1);
  const std::string cut = text({sum}, {.longest_function = 10});
  EXPECT_EQ(count(cut, "TAUT_APART static void "), 5);  // 50 instructions
  EXPECT_EQ(count(cut, "void "), 6);
}

TEST_F(EmitC, HoldsLanesApartByAStride) {
  const std::string strided = text({x + y}, {.qualifier = "__device__", .strided = true});
  EXPECT_THAT(strided, HasSubstr("__device__ void p_0(double *r, size_t stride) {"));
  EXPECT_THAT(strided, HasSubstr("r[4*stride] = x4;"));
}

TEST_F(EmitC, WritesNothingForAProgramOfConstants) { EXPECT_EQ(text({Expression(4)}), ""); }

TEST_F(EmitC, WritesTheSameTextEveryTime) {
  Nodes reader = nodes();
  std::vector<Expression> formulas;
  for (std::uint64_t seed = 0; seed < 50; ++seed) formulas.push_back(random_formula(reader, seed));
  EXPECT_EQ(text(formulas), text(formulas));
}

}  // namespace
}  // namespace taut
