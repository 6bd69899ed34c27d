#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "expression/instruction.hpp"

/// A long program in short: where the same formulas are written out for many parts of a model, as for the links of a
/// chain, instructions of one shape whose operands lie evenly spaced become one loop over all of them. A loop is a
/// few numbers however many instructions it stands for, and runs over them as over lanes. A sum over all parts, such as
/// the energy, is one loop as well, from one partial sum to the next.
namespace taut {

class StridedProgram {
 public:
  StridedProgram() = default;
  /// The registers of a program: inputs and constants before `first`; before `kept` what is asked for when a level has
  /// run; the rest is used within one level.
  struct Registers {
    int first, kept, all;
  };

  /// Takes the instructions of each level. Registers before registers.first stay what they are. Others get new numbers,
  /// so that there are fewer: renumbered[r] is that of register r, which means something for those that are kept.
  StridedProgram(std::span<const std::span<const Instruction>> levels, const Registers& registers,
                 std::vector<int>& renumbered);

  void run(int level, double* registers) const;

  /// How many registers there are now.
  int registers() const { return registers_; }
  /// What the first levels, this one among them, leave for later stands in registers before this one.
  int kept(int level) const { return kept_[static_cast<std::size_t>(level)]; }

  /// The same as single instructions, operands before users.
  std::vector<Instruction> instructions(int level) const;

  int levels() const { return static_cast<int>(level_end_.size()); }
  std::size_t loops() const { return loops_.size(); }
  /// How many operands stand in lists, since they are not evenly spaced.
  std::size_t listed() const { return listed_.size(); }

 private:
  class Maker;

  /// Where the operands of a loop stand: first, first + stride, …, or in listed_ from `first` on.
  struct Operands {
    static constexpr int listed = std::numeric_limits<int>::min();
    int first = 0, stride = 0;
    bool is_listed() const { return stride == listed; }
  };

  /// target, target + 1, … := what its operands give. For sine and cosine of one argument, computed together, b.first
  /// is where the cosines begin. For partial sums or differences, a.first is where they begin with, and each result is
  /// the first operand of the next.
  struct StridedLoop {
    std::int8_t kind = 0, exponent = 0;
    int target = 0, count = 0;
    Operands a, b;
  };

  int place(const Operands& operands, int k) const;
  void run_chain(const StridedLoop& loop, double* registers) const;
  double* gathered(const Operands& operands, int begin, int count, double* registers, double* room) const;

  int registers_ = 0;
  std::vector<StridedLoop> loops_;
  std::vector<int> level_end_, kept_;
  std::vector<int> listed_;
};

}  // namespace taut
