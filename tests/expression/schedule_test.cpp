#include "expression/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "expression/program.hpp"
#include "random_formula.hpp"

/// The interpreter's order: every instruction once, none before its operands, and no register given away while
/// somebody needs it. That results stay the same is seen in program_test.
namespace taut {
namespace {

struct ScheduleTest : ::testing::Test, FourSymbols {
  static constexpr std::array<int, 4> levels = {0, 1, 1, 2};
  Program program;
  std::vector<std::span<const Instruction>> code;

  void SetUp() override {
    Nodes reader = nodes();
    std::vector<Expression> formulas;
    for (std::uint64_t seed = 0; seed < 300; ++seed) formulas.push_back(random_formula(reader, seed));
    std::vector<Program::Input> inputs;
    for (std::size_t k = 0; k < 4; ++k) inputs.push_back({ids[k], levels[k]});
    program = Program(graph, inputs, formulas);
    for (int level = 0; level < program.levels(); ++level) code.push_back(program.code(level));
  }
  int first_result() const { return program.inputs() + static_cast<int>(program.constants().size()); }

  /// Registers that are outputs, or that another level reads.
  std::set<int> kept() const {
    std::set<int> all(program.output_slots().begin(), program.output_slots().end());
    for (const auto& level : code) {
      std::set<int> made;
      for (const Instruction& step : level) made.insert(step.target);
      for (const Instruction& step : level)
        for (const int slot : {step.a, step.b})
          if (!made.contains(slot)) all.insert(slot);
    }
    return all;
  }
};

TEST_F(ScheduleTest, RunsEveryInstructionOnceAndAfterItsOperands) {
  for (const std::size_t window : {1u, 7u, 64u, 100'000u}) {
    const Schedule schedule = make_schedule(code, program.registers(), window);
    ASSERT_EQ(schedule.code.size(), program.instructions());
    ASSERT_EQ(schedule.level_end.size(), code.size());
    std::vector<bool> known(static_cast<std::size_t>(program.registers()));
    std::fill_n(known.begin(), first_result(), true);
    for (const Instruction& step : schedule.code) {
      ASSERT_TRUE(known[static_cast<std::size_t>(step.a)] && known[static_cast<std::size_t>(step.b)]);
      ASSERT_FALSE(known[static_cast<std::size_t>(step.target)]);
      known[static_cast<std::size_t>(step.target)] = true;
    }
  }
}

TEST_F(ScheduleTest, KeepsLevelsApart) {
  const Schedule schedule = make_schedule(code, program.registers(), 64);
  for (std::size_t level = 0; level < code.size(); ++level) {
    std::multiset<int> before, after;
    for (const Instruction& step : code[level]) before.insert(step.target);
    for (const Batch& batch : schedule.level(static_cast<int>(level)))
      for (int k = batch.begin; k < batch.end; ++k) after.insert(schedule.code[static_cast<std::size_t>(k)].target);
    EXPECT_EQ(before, after);
  }
}

TEST_F(ScheduleTest, HoldsOneKindInABatchAndFewBatches) {
  const Schedule schedule = make_schedule(code, program.registers(), 100'000);
  for (const Batch& batch : schedule.batches) {
    const int together = batch.kind == pair_kind ? 2 : 1;
    ASSERT_EQ((batch.end - batch.begin) % together, 0);
    for (int k = batch.begin; k < batch.end; k += together) {
      const auto at = static_cast<std::size_t>(k);
      if (together == 2) {
        ASSERT_TRUE(is_pair(schedule.code[at], schedule.code[at + 1]));
      } else {
        ASSERT_EQ(kind_of(schedule.code[at]), batch.kind);
      }
    }
  }
  EXPECT_LT(schedule.batches.size(), schedule.code.size() / 4);
}

/// Follows what each register holds, by the name that the result had before registers were used again.
TEST_F(ScheduleTest, GivesNoRegisterAwayWhileItIsNeeded) {
  const std::set<int> stay = kept();
  const int end_of_kept = *stay.rbegin() + 1;
  for (const std::size_t window : {1u, 16u, 100'000u}) {
    const Schedule before = make_schedule(code, program.registers(), window);
    Schedule after = before;
    const int registers = reuse_registers(after, end_of_kept, program.registers());
    EXPECT_LT(registers, program.registers());
    std::vector<int> holds(static_cast<std::size_t>(registers));
    for (int r = 0; r < std::min(registers, end_of_kept); ++r) holds[static_cast<std::size_t>(r)] = r;
    for (std::size_t k = 0; k < before.code.size(); ++k) {
      const Instruction &was = before.code[k], &is = after.code[k];
      ASSERT_EQ(holds[static_cast<std::size_t>(is.a)], was.a);
      ASSERT_EQ(holds[static_cast<std::size_t>(is.b)], was.b);
      ASSERT_TRUE(is.target != is.a && is.target != is.b);  // kernels rely on it
      if (was.target < end_of_kept) {
        ASSERT_EQ(is.target, was.target);
      }
      holds[static_cast<std::size_t>(is.target)] = was.target;
    }
    for (const int slot : stay) EXPECT_EQ(holds[static_cast<std::size_t>(slot)], slot);
  }
}

}  // namespace
}  // namespace taut
