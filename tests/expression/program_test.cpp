#include "expression/program.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "expression/derivative.hpp"
#include "random_formula.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

struct ProgramTest : ::testing::Test, FourSymbols {
  const Expression x = expressions[0];
  const Expression y = expressions[1];
  const Expression z = expressions[2];

  std::vector<Program::Input> inputs(std::array<int, 4> levels = {}) const {
    std::vector<Program::Input> all;
    for (std::size_t k = 0; k < 4; ++k) all.push_back({ids[k], levels[k]});
    return all;
  }
  Program compile(const std::vector<Expression>& outputs, std::array<int, 4> levels = {}) const {
    return Program(graph, inputs(levels), outputs);
  }
};

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

std::array<double, 4> input_values(std::uint64_t seed) {
  std::array<double, 4> values;
  const Point point = random_point(seed);
  std::copy(point.begin(), point.end(), values.begin());
  return values;
}

void set_inputs(Program::Workspace& workspace, int lane, const std::array<double, 4>& values) {
  for (int k = 0; k < 4; ++k) workspace.input(k)[lane] = values[static_cast<std::size_t>(k)];
}

TEST_F(ProgramTest, GivesBitForBitTheSameOverOneLaneOverManyAndByEvaluation) {
  std::vector<Expression> formulas;
  Nodes reader = nodes();
  for (std::uint64_t seed = 0; seed < 1000; ++seed) formulas.push_back(random_formula(reader, seed));
  const Program program = compile(formulas);
  for (const int lanes : {37, 150}) {
    Program::Workspace many = program.workspace(lanes);
    for (int lane = 0; lane < lanes; ++lane) set_inputs(many, lane, input_values(static_cast<std::uint64_t>(lane)));
    program.run(0, many);
    for (int lane = 0; lane < lanes; ++lane) {
      const std::array<double, 4> values = input_values(static_cast<std::uint64_t>(lane));
      Program::Workspace one = program.workspace();
      set_inputs(one, 0, values);
      program.run(0, one);
      for (int k = 0; k < program.outputs(); ++k) {
        const double expected = program.output(k, one);
        if (std::isnan(expected)) {
          ASSERT_TRUE(std::isnan(program.output(k, many, lane)));
          continue;
        }
        ASSERT_EQ(bits(program.output(k, many, lane)), bits(expected))
            << to_string(formulas[static_cast<std::size_t>(k)]);
        if (lane < 3) {
          ASSERT_EQ(bits(evaluate(formulas[static_cast<std::size_t>(k)], values)), bits(expected));
        }
      }
    }
  }
}

/// Registers that are used again within a level must not take what another level left.
TEST_F(ProgramTest, RunsOneLevelAgainOverManyLanes) {
  std::vector<Expression> formulas;
  Nodes reader = nodes();
  for (std::uint64_t seed = 0; seed < 300; ++seed) formulas.push_back(random_formula(reader, seed));
  const Program program = compile(formulas, {0, 1, 2, 2});
  constexpr int lanes = 300;  // more than a block
  Program::Workspace many = program.workspace(lanes), one = program.workspace();
  const auto set = [&](Program::Workspace& workspace, int at, int lane, std::uint64_t seed, int first) {
    const std::array<double, 4> values = input_values(seed);
    for (int k = first; k < 4; ++k) workspace.input(k)[at] = values[static_cast<std::size_t>(k)] + lane;
  };
  const auto run_from = [&](int level, Program::Workspace& workspace) {
    for (int k = level; k < program.levels(); ++k) program.run(k, workspace);
  };
  for (int lane = 0; lane < lanes; ++lane) set(many, lane, lane, 1, 0);
  run_from(0, many);
  for (int lane = 0; lane < lanes; ++lane) set(many, lane, lane, 2, 2);
  run_from(2, many);
  for (int lane = 0; lane < lanes; lane += 23) {
    set(one, 0, lane, 1, 0);
    set(one, 0, lane, 2, 2);
    run_from(0, one);
    for (int k = 0; k < program.outputs(); ++k) {
      const double expected = program.output(k, one);
      if (!std::isnan(expected)) {
        ASSERT_EQ(bits(program.output(k, many, lane)), bits(expected)) << k;
      }
    }
  }
}

TEST_F(ProgramTest, ComputesSharedPartsOnceAndNothingThatIsNotAsked) {
  const Expression shared = sin(x);
  const Expression unused = cos(x) + y;
  EXPECT_EQ(compile({shared * y, shared * z}).instructions(), 3u);
  EXPECT_FALSE(unused.is_constant());
}

TEST_F(ProgramTest, RunsOneLevelAtATime) {
  const Program program = compile({sin(x), sin(x) * y, y + z, x}, {0, 1, 2, 2});
  EXPECT_EQ(program.levels(), 3);
  EXPECT_EQ(program.output_level(0), 0);
  EXPECT_EQ(program.output_level(1), 1);
  EXPECT_EQ(program.output_level(2), 2);
  EXPECT_EQ(program.output_level(3), 0);
  Program::Workspace workspace = program.workspace();
  set_inputs(workspace, 0, {1, 2, 3, 0});
  program.run(0, workspace);
  program.run(1, workspace);
  EXPECT_EQ(program.output(1, workspace), taut_sin(1.0) * 2);
  *workspace.input(1) = 5;
  program.run(1, workspace);
  program.run(2, workspace);
  std::array<double, 4> out;
  program.copy(0, 4, workspace, out.data());
  EXPECT_EQ(out, (std::array<double, 4>{taut_sin(1.0), taut_sin(1.0) * 5, 8, 1}));
}

TEST_F(ProgramTest, HasLevelsWithoutInstructions) {
  const Program program = compile({x + y}, {0, 0, 3, 1});
  EXPECT_EQ(program.levels(), 4);
  Program::Workspace workspace = program.workspace();
  set_inputs(workspace, 0, {1, 2, 0, 0});
  for (int level = 0; level < program.levels(); ++level) program.run(level, workspace);
  EXPECT_EQ(program.output(0, workspace), 3);
}

TEST_F(ProgramTest, KnowsConstantsWithoutRunning) {
  const Expression infinite = Expression(graph, graph.constant(1)) / 0;
  const Program program = compile({Expression(4), Expression(graph, graph.constant(5)), infinite});
  const Program::Workspace workspace = program.workspace(3);
  EXPECT_EQ(program.output_level(0), -1);
  EXPECT_EQ(program.output(0, workspace, 2), 4);
  EXPECT_EQ(program.output(1, workspace, 2), 5);
  EXPECT_EQ(program.output_level(2), -1);
  EXPECT_TRUE(std::isinf(program.output(2, workspace)));
  EXPECT_EQ(program.instructions(), 0u);
}

TEST_F(ProgramTest, RaisesToWholePowersByMultiplication) {
  const std::vector<double> exponents = {-64, -7, -2, -1, 2, 3, 5, 10, 64, 65, 0.5};
  std::vector<Expression> outputs;
  for (const double n : exponents) outputs.push_back(pow(x, n));
  const Program program = compile(outputs);
  Program::Workspace workspace = program.workspace(2);
  workspace.input(0)[0] = 1.1;
  workspace.input(0)[1] = 0.9;
  program.run(0, workspace);
  for (std::size_t k = 0; k < exponents.size(); ++k) {
    for (int lane = 0; lane < 2; ++lane) {
      const double expected = std::pow(workspace.input(0)[lane], exponents[k]);
      // Each of at most 64 factors brings a relative rounding error of 1.1e-16.
      EXPECT_NEAR(program.output(static_cast<int>(k), workspace, lane), expected, 66 * 1.2e-16 * expected);
    }
  }
}

TEST_F(ProgramTest, PassesNaNOnThroughComparisons) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Program program = compile({min(x, y), min(y, x), max(x, y), max(z, x), sign(x), abs(x)});
  Program::Workspace workspace = program.workspace();
  set_inputs(workspace, 0, {nan, 1, 1, 0});
  program.run(0, workspace);
  for (int k = 0; k < program.outputs(); ++k) EXPECT_TRUE(std::isnan(program.output(k, workspace))) << k;
}

TEST_F(ProgramTest, NamesTheSymbolThatIsNoInput) {
  const std::vector<Program::Input> only_x = {{ids[0], 0}};
  const std::vector<Expression> outputs = {x + y};
  try {
    const Program program(graph, only_x, outputs);
    FAIL() << "a program was made";
  } catch (const InputError& error) {
    EXPECT_NE(error.message().find("'y'"), std::string::npos);
  }
  EXPECT_THROW(evaluate(y, std::vector<double>{1}), InputError);
}

TEST_F(ProgramTest, RefusesAFormulaOfAnotherGraph) {
  FourSymbols other;
  const std::vector<Expression> outputs = {other.expressions[0]};
  EXPECT_THROW(Program(graph, inputs(), outputs), InputError);
}

TEST_F(ProgramTest, CompilesASumOfTwoHundredThousandTerms) {
  Expression sum = 0;
  for (int k = 1; k <= 200'000; ++k) sum += cos(k * x);
  std::vector<Expression> outputs = {sum};
  for (const Partial& entry : gradient(sum, SymbolKind::coordinate)) outputs.push_back(entry.value);
  const Program program = compile(outputs);
  Program::Workspace workspace = program.workspace();
  set_inputs(workspace, 0, {});
  program.run(0, workspace);
  EXPECT_EQ(program.output(0, workspace), 200'000);
  EXPECT_EQ(program.output(1, workspace), 0);
  EXPECT_EQ(evaluate(sum, std::vector<double>(4)), 200'000);
}

TEST(EmptyProgram, DoesNothing) {
  const Program program;
  Program::Workspace workspace = program.workspace(4);
  program.run(0, workspace);
  EXPECT_EQ(program.levels(), 0);
  EXPECT_EQ(program.outputs(), 0);
}

}  // namespace
}  // namespace taut
