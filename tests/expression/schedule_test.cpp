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

  std::vector<std::vector<Instruction>> link_all() const {
    std::vector<std::vector<Instruction>> linked;
    for (const auto& level : code) linked.push_back(link(level, program.kept(), program.registers()));
    return linked;
  }

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
    const int count = together(batch.kind);
    ASSERT_EQ((batch.end - batch.begin) % count, 0);
    for (int k = batch.begin; k < batch.end; k += count) {
      const auto at = static_cast<std::size_t>(k);
      if (count == 2) {
        ASSERT_TRUE(is_pair(schedule.code[at], schedule.code[at + 1]));
      } else {
        ASSERT_EQ(kind_of(schedule.code[at]), batch.kind);
      }
    }
  }
  EXPECT_LT(schedule.batches.size(), schedule.code.size() / 4);
}

TEST_F(ScheduleTest, LinksResultsThatOnlyOneOtherUses) {
  const std::set<int> stay = kept();
  const std::vector<std::vector<Instruction>> linked = link_all();
  std::size_t links = 0;
  for (std::size_t level = 0; level < code.size(); ++level) {
    ASSERT_EQ(linked[level].size(), code[level].size());
    std::set<int> before, after;
    for (const Instruction& step : code[level]) before.insert(step.target);
    for (const Instruction& step : linked[level]) {
      after.insert(step.target);
      for (const int slot : {step.a, step.b}) ASSERT_TRUE(!before.contains(slot) || after.contains(slot));
      links += is_link(step);
    }
    // What is gone is what no longer needs a register.
    for (const int slot : before) EXPECT_TRUE(after.contains(slot) || !stay.contains(slot));
    EXPECT_EQ(before.size() - after.size(), std::ranges::count_if(linked[level], is_link));
    EXPECT_TRUE(std::ranges::includes(before, after));
  }
  EXPECT_GT(links, program.instructions() / 10);
}

TEST_F(ScheduleTest, KeepsLinksTogether) {
  const std::vector<std::vector<Instruction>> linked = link_all();
  for (const std::size_t window : {1u, 7u, 100'000u}) {
    const Schedule schedule = make_schedule(std::vector<std::span<const Instruction>>(linked.begin(), linked.end()),
                                            program.registers(), window);
    ASSERT_EQ(schedule.code.size(), program.instructions());
    for (const Batch& batch : schedule.batches) {
      for (int k = batch.begin; k < batch.end; k += together(batch.kind)) {
        const Instruction* step = &schedule.code[static_cast<std::size_t>(k)];
        ASSERT_EQ(is_link(step[0]), batch.kind >= first_link);
        if (!is_link(step[0])) continue;
        EXPECT_EQ(kind_of(step[0]), batch.kind);
        EXPECT_EQ(step[0].target, step[1].target);
        EXPECT_EQ(step[1].a, step[1].b);
        EXPECT_FALSE(is_link(step[1]));
      }
    }
  }
}

/// Follows what each register holds, by the name that the result had before registers were used again.
TEST_F(ScheduleTest, GivesNoRegisterAwayWhileItIsNeeded) {
  const std::set<int> stay = kept();
  const int end_of_kept = *stay.rbegin() + 1;
  const std::vector<std::vector<Instruction>> linked = link_all();
  const std::vector<std::span<const Instruction>> with_links(linked.begin(), linked.end());
  for (const auto& [levels, window] : {std::pair(code, 1u), {code, 16u}, {code, 100'000u}, {with_links, 16u}}) {
    const Schedule before = make_schedule(levels, program.registers(), window);
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
