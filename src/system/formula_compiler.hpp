#pragma once

#include <memory>
#include <span>
#include <vector>

#include "system/compiled_formulas.hpp"

namespace taut {

/// Makes programs of the formulas of one system, which share inputs and mostly registers. Of large systems it gives up
/// what has been compiled: formulas take much room.
class FormulaCompiler {
 public:
  /// Long programs that will not become machine code are made short at once. Both arguments outlive this.
  FormulaCompiler(Equations& eq, std::span<const double> parameter_values, bool may_be_native);

  /// Are there so many speeds that a solution of the equations is too long to be written out?
  bool is_large() const { return is_large_; }
  /// Formulas to be compiled, which nobody needs any longer.
  CompactFormulas take(std::vector<Expression>& formulas) const;

  /// A program that shares registers with others: each evaluation is finished before another begins.
  CompiledFormulas compile(CompactFormulas formulas) const { return compile(std::move(formulas), shared_); }
  CompiledFormulas compile(const Expression& formula) const { return compile(CompactFormulas(std::span(&formula, 1))); }
  /// … with registers of its own: others may be evaluated between its levels.
  CompiledFormulas compile_apart(CompactFormulas formulas) const { return compile(std::move(formulas), nullptr); }

 private:
  CompiledFormulas compile(CompactFormulas formulas, std::shared_ptr<SharedRegisters> registers) const {
    return {eq_, inputs_, std::move(formulas), values_, std::move(registers), longest_};
  }

  const Equations& eq_;
  std::span<const double> values_;
  std::vector<Program::Input> inputs_;
  std::shared_ptr<SharedRegisters> shared_ = std::make_shared<SharedRegisters>();
  std::size_t longest_;  ///< instructions of a program that is left as it is
  bool is_large_;
};

}  // namespace taut
