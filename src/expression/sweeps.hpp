#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "expression/instruction.hpp"

/// A long program in short: where the same formulas are written out for many parts of a model, as for the links of a
/// chain, instructions of one shape whose operands lie evenly spaced become one sweep over all of them. A sweep is a
/// few numbers however many instructions it stands for, and runs over them as over lanes.
namespace taut {

class Sweeps {
 public:
  Sweeps() = default;
  /// Takes the instructions of each level. Registers before `first` stay what they are, those from there on get new
  /// numbers: renumbered[r] is that of register r.
  Sweeps(std::span<const std::span<const Instruction>> levels, int first, int registers, std::vector<int>& renumbered);

  void run(int level, double* registers) const;

  /// The same as single instructions, operands before users.
  std::vector<Instruction> instructions(int level) const;

  int levels() const { return static_cast<int>(level_end_.size()); }
  std::size_t sweeps() const { return sweeps_.size(); }
  /// How many operands stand in lists, since they are not evenly spaced.
  std::size_t listed() const { return listed_.size(); }

 private:
  class Maker;

  /// Where the operands of a sweep stand: first, first + stride, …, or in a list.
  struct Operands {
    int first = 0, stride = 0;
    std::int64_t list = -1;  ///< in listed_
  };

  /// target, target + 1, … := what its operands give. For sine and cosine of one argument, computed together, b.first
  /// is where the cosines begin.
  struct Sweep {
    std::int8_t kind = 0, exponent = 0;
    int target = 0, count = 0;
    Operands a, b;
  };

  int place(const Operands& operands, int k) const;
  double* gathered(const Operands& operands, int begin, int count, double* registers, double* room) const;

  std::vector<Sweep> sweeps_;
  std::vector<int> level_end_;
  std::vector<int> listed_;
};

}  // namespace taut
