#include "system/native_choice.hpp"

#include <string>

namespace taut {
namespace {

/// Fewer evaluations than this do not even pay for looking into the cache, which means writing the code out.
constexpr double few_evaluations = 200;

/// Does making machine code take less time than it saves? Measured, for want of something better to go by: a compiler
/// takes 0.05 s and 75 µs an instruction, and each time that an instruction runs, 0.6 ns are saved.
bool compiling_pays(double instructions, double instructions_per_evaluation, double evaluations) {
  return 0.05 + 75e-6 * instructions < 0.6e-9 * instructions_per_evaluation * evaluations;
}

}  // namespace

bool NativeChoice::is_possible() const {
  return wish_ == Native::on || (wish_ == Native::automatic && evaluations_ >= few_evaluations);
}

NativeUse NativeChoice::make(const std::vector<Program*>& programs, std::size_t instructions,
                             std::size_t per_evaluation) const {
  if (wish_ == Native::off) return {false, false, "switched off"};
  if (!is_possible()) return {false, false, "the run is too short"};
  const bool pays =
      compiling_pays(static_cast<double>(instructions), static_cast<double>(per_evaluation), evaluations_);
  const bool compile = wish_ == Native::on || pays;
  if (instructions > most_native_instructions)  // long programs are strided by now
    return {false, compile, std::to_string(instructions) + " instructions are too many to compile"};
  const NativeReport report = make_native(programs, compile ? Compiling::allowed : Compiling::not_worth_it);
  return {report.used, compile && !report.used, report.reason};
}

void NativeChoice::make_too(Program& program, NativeDriver& driver, NativeUse& use) const {
  if (!use.used) return;
  const double instructions = static_cast<double>(program.instructions());
  const bool compile = wish_ == Native::on || compiling_pays(instructions, instructions, evaluations_);
  const NativeReport report = make_native(program, driver, compile ? Compiling::allowed : Compiling::not_worth_it);
  if (report.used || !compile) return;
  use.refused = true;
  use.reason = report.reason;
}

}  // namespace taut
