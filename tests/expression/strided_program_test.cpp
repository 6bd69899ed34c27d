#include "expression/strided_program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "expression/program.hpp"
#include "random_formula.hpp"

namespace taut {
namespace {

std::vector<std::span<const Instruction>> code_of(const Program& program) {
  std::vector<std::span<const Instruction>> levels;
  for (int level = 0; level < program.levels(); ++level) levels.push_back(program.code(level));
  return levels;
}

/// A program and its strided form, run on the same inputs: they must agree to the last bit.
struct Both {
  explicit Both(const Program& given)
      : program(given),
        strided(code_of(program),
                {program.inputs() + static_cast<int>(program.constants().size()), program.kept(), program.registers()},
                renumbered) {}

  void compare(unsigned seed) {
    std::mt19937 random(seed);
    Program::Workspace workspace = program.workspace();
    std::vector<double> registers(static_cast<std::size_t>(strided.registers()));
    for (int k = 0; k < program.inputs(); ++k)
      registers[static_cast<std::size_t>(k)] = *workspace.input(k) = 0.2 + static_cast<double>(random()) / 4294967296.0;
    for (std::size_t k = 0; k < program.constants().size(); ++k)
      registers[static_cast<std::size_t>(program.inputs()) + k] = program.constants()[k];
    for (int level = 0; level < program.levels(); ++level) {
      program.run(level, workspace);
      strided.run(level, registers.data());
    }
    for (int k = 0; k < program.outputs(); ++k) {
      const double expected = program.output(k, workspace);
      const int slot = renumbered[static_cast<std::size_t>(program.output_slots()[static_cast<std::size_t>(k)])];
      const double found = registers[static_cast<std::size_t>(slot)];
      if (std::isnan(expected) && std::isnan(found)) continue;
      ASSERT_EQ(found, expected) << "output " << k;
    }
  }

  Program program;
  std::vector<int> renumbered;
  StridedProgram strided;
};

/// The same formulas in every link of a chain, of its own coordinates and those of the next one.
struct ChainOfFormulas {
  explicit ChainOfFormulas(int links) {
    for (int k = 0; k < 2 * (links + 1); ++k) {
      const SymbolId id = graph.declare("q" + std::to_string(k), SymbolKind::coordinate);
      inputs.push_back({id, k % 2});  // on two levels
      q.emplace_back(graph, graph.symbol(id));
    }
    for (int k = 0; k < links; ++k) {
      const Expression x = q[2 * k], y = q[2 * k + 1], u = q[2 * k + 2], w = q[2 * k + 3];
      const Expression c = cos(x), s = sin(x);
      outputs.push_back(c * u - s * w + pow(u - x, 2) + pow(y, 3));
      outputs.push_back((s * u + c * w) / (1 + pow(w - y, 2)));
      outputs.push_back(sin(y) * sqrt(x) + 0.25 * k);
    }
  }
  Program program() const { return Program(graph, inputs, outputs); }

  Graph graph;
  std::vector<Program::Input> inputs;
  std::vector<Expression> q, outputs;
};

TEST(StridedProgram, StandForTheSameFormulasOfManyParts) {
  ChainOfFormulas chain(2000);
  Both both(chain.program());
  both.compare(3);
  ASSERT_GT(both.program.instructions(), 30'000U);
  EXPECT_LT(both.strided.registers(), both.program.registers());
  // Some twenty operations each, cut where a window of instructions ends.
  EXPECT_LT(both.strided.loops(), 200U);
  EXPECT_LT(both.strided.listed(), 1000U);
}

/// A sum over all links is one loop, or one in every window; so is what is taken away.
TEST(StridedProgram, AddUpManyParts) {
  ChainOfFormulas chain(3000);
  Expression sum = 0, difference = 1;
  for (std::size_t k = 0; k + 1 < chain.q.size(); k += 2) {
    sum += pow(chain.q[k], 2) * chain.q[k + 1];
    difference -= sin(chain.q[k]);
  }
  chain.outputs = {sum, difference, exp(sum) - difference};
  Both both(chain.program());
  both.compare(5);
  ASSERT_GT(both.program.instructions(), 14'000U);
  EXPECT_LT(both.strided.loops(), 20U);
  EXPECT_LT(both.strided.listed(), 20U);
}

/// Terms that need a partial sum, of their own or of another chain, come after it.
TEST(StridedProgram, AddUpTermsThatNeedASum) {
  for (const int every : {1, 7, 70, 500}) {
    ChainOfFormulas chain(700);
    Expression one = chain.q[0], other = chain.q[1];
    for (int k = 0; k < 700; ++k) {
      one += k % every == every - 1 ? chain.q[2 * k] * one : chain.q[2 * k];
      other = k % every == 0 ? other - one : other + cos(chain.q[2 * k + 1]);
      if (k % 100 == 50) chain.outputs.push_back(one * other);
    }
    chain.outputs.push_back(one);
    chain.outputs.push_back(other);
    Both(chain.program()).compare(11);
  }
}

TEST(StridedProgram, ComputeWhatTheProgramDoesWhateverItsFormulas) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    FourSymbols symbols;
    Nodes nodes = symbols.nodes();
    RandomFormula<Nodes> random(nodes, seed);
    std::vector<Expression> outputs;
    for (int k = 0; k < 30; ++k) outputs.push_back(random(4));
    std::vector<Program::Input> inputs;
    for (std::size_t k = 0; k < symbols.ids.size(); ++k) inputs.push_back({symbols.ids[k], static_cast<int>(k) / 2});
    Both(Program(symbols.graph, inputs, outputs)).compare(seed);
  }
}

TEST(StridedProgram, WriteThemselvesOutAsInstructionsWithOperandsFirst) {
  ChainOfFormulas chain(200);
  Expression sum = 0;
  for (const Expression& q : chain.q) sum += q * q;
  chain.outputs.push_back(sum);
  const Both both(chain.program());
  std::vector<bool> known(static_cast<std::size_t>(both.strided.registers()));
  const int kept = both.strided.kept(both.strided.levels() - 1);  // registers after that are used again
  std::fill_n(known.begin(), both.program.inputs() + static_cast<int>(both.program.constants().size()), true);
  std::size_t count = 0;
  for (int level = 0; level < both.strided.levels(); ++level) {
    for (const Instruction& step : both.strided.instructions(level)) {
      ASSERT_TRUE(known[static_cast<std::size_t>(step.a)] && known[static_cast<std::size_t>(step.b)]);
      ASSERT_TRUE(step.target >= kept || !known[static_cast<std::size_t>(step.target)]);
      known[static_cast<std::size_t>(step.target)] = true;
      ++count;
    }
  }
  EXPECT_EQ(count, both.program.instructions());
}

}  // namespace
}  // namespace taut
