#include "system/compiled_formulas.hpp"

#include <utility>

#include "system/driven_inputs.hpp"

namespace taut {

CompiledFormulas::CompiledFormulas(const Equations& eq, std::span<const Program::Input> inputs,
                                   CompactFormulas formulas, std::span<const double> parameter_values,
                                   std::shared_ptr<SharedRegisters> shared, std::size_t longest)
    : program_(*eq.graph, inputs, formulas, Program::Purpose::code), shared_(std::move(shared)) {
  formulas = CompactFormulas();
  parameters_ = static_cast<int>(parameter_values.size());
  first_ = parameters_ + static_cast<int>(eq.branches.size());
  n_q_ = static_cast<int>(eq.q.size());
  n_v_ = static_cast<int>(eq.v.size());
  outputs_ = program_.outputs();
  instructions_ = program_.instructions();
  if (instructions_ > longest) {
    use_strided_program(parameter_values);
    return;
  }
  program_.schedule();
  workspace_ = program_.workspace();
  for (int i = 0; i < parameters_; ++i) *workspace_.input(i) = parameter_values[static_cast<std::size_t>(i)];
  program_.run(Level::parameters, workspace_);
}

bool CompiledFormulas::set_parameters(std::span<const double> values) {
  if (is_strided_) return false;
  std::ranges::copy(values, workspace_.input(0));
  program_.run(Level::parameters, workspace_);
  has_velocity_ = false;
  return true;
}

void CompiledFormulas::drive() { driven_->write(input(0)); }

bool CompiledFormulas::is_constant() const {
  for (int k = 0; k < outputs_; ++k)
    if (is_strided_ || program_.output_level(k) >= 0) return false;
  return true;
}

void CompiledFormulas::change_parameters(std::span<const double> values) {
  if (outputs_ == 0) return;
  copy_registers();
  std::ranges::copy(values, input(0));
  run(Level::parameters);
  has_velocity_ = false;
  if (is_strided_ && shared_) keep_fixed();
}

void CompiledFormulas::shorten() {
  const bool is_long = std::max(instructions_, static_cast<std::size_t>(program_.registers())) > many_instructions;
  if (!is_long || is_strided_ || program_.is_native()) return;
  const std::vector<double> parameters(workspace_.input(0), workspace_.input(0) + parameters_);
  workspace_ = {};
  use_strided_program(parameters);
}

void CompiledFormulas::use_strided_program(std::span<const double> parameter_values) {
  std::vector<std::span<const Instruction>> levels;
  for (int level = 0; level < program_.levels(); ++level) levels.push_back(program_.code(level));
  inputs_ = program_.inputs();
  const int first = inputs_ + static_cast<int>(program_.constants().size());
  std::vector<int> renumbered;
  strided_ = StridedProgram(levels, {first, program_.kept(), program_.registers()}, renumbered);
  slots_.reserve(program_.output_slots().size());
  for (const int slot : program_.output_slots()) slots_.push_back(renumbered[slot]);
  renumbered = std::vector<int>();
  fixed_.assign(program_.constants().begin(), program_.constants().end());
  program_ = {};
  is_strided_ = true;
  const auto count = static_cast<std::size_t>(strided_.registers());
  if (registers().size() < count) registers().resize(count);
  std::ranges::copy(parameter_values, registers().begin());
  std::ranges::copy(fixed_, registers().begin() + inputs_);
  run(Level::parameters);
  if (!shared_) {
    fixed_ = std::vector<double>();
    return;
  }
  known_ = strided_.levels() > Level::parameters ? strided_.kept(Level::parameters) : first;
  keep_fixed();
  shared_->user = nullptr;
}

}  // namespace taut
