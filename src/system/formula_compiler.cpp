#include "system/formula_compiler.hpp"

#include "expression/native.hpp"

#ifdef __GLIBC__  // known by the headers above
#include <malloc.h>
#endif

namespace taut {
namespace {

/// Systems of more speeds than this have a solution that is too long to be written out.
constexpr int most_speeds_to_solve = 64;

/// Gives what has been freed back to the system, where the C library would keep it. What deriving large models leaves
/// behind lies in holes that the next, larger pieces do not fit into: without this a process would hold both.
void give_back_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

std::vector<Program::Input> inputs_of(const Equations& eq) {
  const Shape& shape = eq.shape;
  std::vector<Program::Input> inputs = state_inputs(eq);
  if (!shape.does_work && !shape.outputs_need_accelerations && eq.following.empty() && !shape.forces_need_multipliers &&
      eq.branches.empty())
    return inputs;
  add_inputs(inputs, eq.a, Level::acceleration);
  add_inputs(inputs, eq.multipliers, Level::acceleration);
  return inputs;
}

}  // namespace

FormulaCompiler::FormulaCompiler(Equations& eq, std::span<const double> parameter_values, bool may_be_native)
    : eq_(eq),
      values_(parameter_values),
      inputs_(inputs_of(eq)),
      longest_(may_be_native ? most_native_instructions : CompiledFormulas::many_instructions),
      is_large_(eq.shape.n_v() > most_speeds_to_solve) {
  if (!is_large_) return;
  eq.graph->shrink();
  give_back_memory();
}

CompactFormulas FormulaCompiler::take(std::vector<Expression>& formulas) const {
  CompactFormulas taken(formulas);
  if (is_large_) formulas = std::vector<Expression>();  // {} would keep the room
  return taken;
}

}  // namespace taut
