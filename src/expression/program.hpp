#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/cache_aligned.hpp"
#include "expression/schedule.hpp"
#include "taut/expression.hpp"

/// A set of formulas compiled to straight-line code over lanes. Shared sub-formulas are computed
/// once. Every instruction has a level, the highest among the inputs it depends on, and a caller may
/// run one level at a time: parameters once, positions once a stage, velocities after correcting them.
///
/// Registers are a structure of arrays: register r of lane k stands at r * stride + k. Inputs occupy
/// the first registers, in the order given, constants follow, then outputs and what other levels read,
/// then results that are used within one level. Every register is written by one instruction at most;
/// only over many lanes the last sort is used again and again.
namespace taut {

/// CompactFormulas of one graph that are to be compiled, as small as can be: large models have many.
class CompactFormulas {
 public:
  CompactFormulas() = default;
  explicit CompactFormulas(std::span<const Expression> formulas) { add(formulas); }
  /// Throws InputError if they are of another graph than those before.
  void add(std::span<const Expression> formulas);

  void reserve(std::size_t count) { nodes_.reserve(count); }
  std::size_t size() const { return nodes_.size(); }
  const Graph* graph() const { return graph_; }  ///< null if all are plain numbers
  /// Which node it is; `number` for a plain number, …
  NodeId operator[](std::size_t k) const { return nodes_[k]; }
  static constexpr NodeId number = ~NodeId{0};
  /// … all of which stand here in their order.
  std::span<const double> numbers() const { return numbers_; }

 private:
  const Graph* graph_ = nullptr;
  std::vector<NodeId> nodes_;
  std::vector<double> numbers_;
};

class Program {
 public:
  struct Input {
    SymbolId symbol;
    int level;
  };

  /// One level over one lane as machine code.
  using Native = void (*)(double* registers);

  /// Registers of one evaluation: one per thread. The program itself is never written to.
  class Workspace {
   public:
    int lanes() const { return lanes_; }
    double* input(int k) { return registers_.data() + static_cast<std::size_t>(k) * stride_; }
    const double* result(int slot) const { return registers_.data() + static_cast<std::size_t>(slot) * stride_; }
    std::size_t stride() const { return stride_; }

   private:
    friend class Program;
    std::vector<double, CacheAligned<double>> registers_;
    int lanes_ = 1;
    std::size_t stride_ = 1;
    std::shared_ptr<const Schedule> plan_;  ///< for many lanes: registers are used again, so that fewer are needed
  };

  /// Is the code alone to be written? Who makes something else of it can do without the interpreter's order, and must
  /// not run it.
  enum class Purpose { run, code };

  Program() = default;
  /// Throws InputError if a formula uses a symbol that is not among the inputs.
  Program(const Graph& graph, std::span<const Input> inputs, const CompactFormulas& outputs,
          Purpose purpose = Purpose::run);
  Program(const Graph& graph, std::span<const Input> inputs, std::span<const Expression> outputs,
          Purpose purpose = Purpose::run)
      : Program(graph, inputs, CompactFormulas(outputs), purpose) {}
  /// Makes a program that was written for its code ready to run.
  void schedule();

  Workspace workspace(int lanes = 1) const;

  /// Runs the instructions of one level, over all lanes. Constants need no run.
  void run(int level, Workspace& workspace) const {
    if (native_.empty() || workspace.plan_) return interpret(level, workspace);
    if (level < 0 || level >= levels()) return;
    if (const Native native = native_[static_cast<std::size_t>(level)]) native(workspace.registers_.data());
  }

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
    const int* slots = output_slots_.data() + first;
    const double* registers = workspace.registers_.data();
    if (workspace.stride_ == 1) {
      for (int k = 0; k < count; ++k) out[k] = registers[slots[k]];
    } else {
      for (int k = 0; k < count; ++k) out[k] = workspace.result(slots[k])[lane];
    }
  }
  std::size_t instructions() const { return level_end_.empty() ? 0 : static_cast<std::size_t>(level_end_.back()); }

  /// From now on one lane runs by these functions, one per level, null where a level has no instruction. They give
  /// what the interpreter gives; `owner` keeps them loaded.
  void use_native(std::vector<Native> levels, std::shared_ptr<const void> owner);
  bool is_native() const { return !native_.empty(); }

  // What a writer of code needs to know. Operands stand before users, and close to them.
  std::span<const Instruction> code(int level) const;
  std::span<const double> constants() const { return constants_; }  ///< they stand in registers inputs() and up
  std::span<const int> output_slots() const { return output_slots_; }
  int registers() const { return registers_; }
  /// Registers from this one on are used within one level.
  int kept() const { return kept_; }

 private:
  class Compiler;

  void interpret(int level, Workspace& workspace) const;
  std::vector<std::span<const Instruction>> code_by_level() const;

  int inputs_ = 0;
  int kept_ = 0;  ///< registers before this one are inputs, constants, outputs, or read at another level
  int registers_ = 0;
  std::vector<double> constants_;
  std::vector<Instruction> code_;  ///< sorted by level, operands before users within one; empty in very long programs
  std::vector<int> level_end_;
  Schedule schedule_;  ///< of one lane
  std::vector<int> output_slots_;
  std::vector<std::int8_t> output_levels_;
  std::vector<Native> native_;
  std::shared_ptr<const void> native_owner_;
};

/// The value of a formula whose symbols have these values: for tests, parameters and initial values.
double evaluate(const Expression& a, std::span<const double> values_by_symbol);

}  // namespace taut
