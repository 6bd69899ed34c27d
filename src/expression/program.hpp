#pragma once

#include <span>
#include <vector>

#include "taut/expression.hpp"

/// A set of formulas compiled to straight-line code over lanes. Shared sub-formulas are computed
/// once. Every instruction has a level, the highest among the inputs it depends on, and a caller may
/// run one level at a time: parameters once, positions once a stage, velocities after correcting them.
///
/// Registers are a structure of arrays: register r of lane k stands at r * lanes + k. Inputs occupy
/// the first registers, in the order given, constants follow, then results.
namespace taut {

class Program {
 public:
  struct Input {
    SymbolId symbol;
    int level;
  };

  /// Registers of one evaluation: one per thread. The program itself is never written to.
  class Workspace {
   public:
    int lanes() const { return lanes_; }
    double* input(int k) { return registers_.data() + static_cast<std::size_t>(k) * lanes_; }
    const double* result(int slot) const { return registers_.data() + static_cast<std::size_t>(slot) * lanes_; }

   private:
    friend class Program;
    std::vector<double> registers_;
    int lanes_ = 1;
  };

  Program() = default;
  /// Throws InputError if a formula uses a symbol that is not among the inputs.
  Program(const Graph& graph, std::span<const Input> inputs, std::span<const Expression> outputs);

  Workspace workspace(int lanes = 1) const;

  /// Runs the instructions of one level, over all lanes. Constants need no run.
  void run(int level, Workspace& workspace) const;

  int levels() const { return static_cast<int>(level_end_.size()); }
  int inputs() const { return inputs_; }
  int outputs() const { return static_cast<int>(output_slots_.size()); }
  /// The level at which output k is known: -1 for a constant.
  int output_level(int k) const { return output_levels_[k]; }
  double output(int k, const Workspace& workspace, int lane = 0) const {
    return workspace.result(output_slots_[k])[lane];
  }
  /// Copies outputs [first, first + count) of one lane.
  void copy(int first, int count, const Workspace& workspace, double* out, int lane = 0) const {
    for (int k = 0; k < count; ++k) out[k] = output(first + k, workspace, lane);
  }
  std::size_t instructions() const { return code_.size(); }

 private:
  struct Instruction {
    Op op;
    int target, a, b;
    int exponent;  ///< of a power with a small whole exponent, else 0
  };
  class Compiler;

  void run_one(std::size_t first, std::size_t last, double* registers) const;
  void run_lanes(std::size_t first, std::size_t last, double* registers, std::size_t lanes) const;

  int inputs_ = 0;
  int registers_ = 0;
  std::vector<double> constants_;
  std::vector<Instruction> code_;  ///< sorted by level, operands before users within one
  std::vector<int> level_end_;
  std::vector<int> output_slots_;
  std::vector<int> output_levels_;
};

/// The value of a formula whose symbols have these values: for tests, parameters and initial values.
double evaluate(const Expression& a, std::span<const double> values_by_symbol);

}  // namespace taut
