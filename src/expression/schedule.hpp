#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "expression/instruction.hpp"

/// In which order the interpreter runs a program. A processor guesses what comes next, and each wrong guess costs as
/// much as ten instructions; so instructions of one kind stand side by side, and the interpreter asks once for all of
/// them what to do. The order changes no result: each operation has the same operands.
namespace taut {

struct Batch {
  int kind;
  int begin, end;  ///< in Schedule::code
};

struct Schedule {
  std::vector<Instruction> code;
  std::vector<Batch> batches;
  std::vector<int> level_end;  ///< in batches

  std::span<const Batch> level(int k) const;
};

/// Orders the instructions of each level. They move no further than within `window` of them: results that are used soon
/// stay close to their users.
Schedule make_schedule(std::span<const std::span<const Instruction>> levels, int registers, std::size_t window);

/// The instructions of one level, where those that only one other uses are linked to it (see Instruction). Registers
/// from `kept` on are used within the level alone, of `registers` that there are.
std::vector<Instruction> link(std::span<const Instruction> level, int kept, int registers);

/// Gives the registers from `kept` on, each of which is used within one level alone, to another result once nobody
/// needs the first. Returns how many registers are needed then.
int reuse_registers(Schedule& schedule, int kept, int registers);

}  // namespace taut
