#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "expression/program.hpp"
#include "expression/strided_program.hpp"
#include "system/equations.hpp"
#include "system/levels.hpp"

namespace taut {

class DrivenInputs;

/// Registers that several strided programs use in turn, each for one evaluation at a time.
struct SharedRegisters {
  std::vector<double> values;
  const void* user = nullptr;
};

/// Formulas of a system as a program, with its registers and the places of its inputs, which are the same for all
/// programs. Evaluated level by level: what depends on the position alone is computed once for all speeds tried there.
class CompiledFormulas {
 public:
  CompiledFormulas() = default;
  /// Formulas whose evaluation nobody interrupts may share registers; of others `shared` is null. They are made short
  /// at once if they are longer than `longest`.
  CompiledFormulas(const Equations& eq, std::span<const Program::Input> inputs, CompactFormulas formulas,
                   std::span<const double> parameter_values, std::shared_ptr<SharedRegisters> shared,
                   std::size_t longest);
  // Shared registers know their user by its address.
  CompiledFormulas(const CompiledFormulas&) = delete;
  CompiledFormulas& operator=(const CompiledFormulas&) = delete;
  CompiledFormulas(CompiledFormulas&&) = default;
  CompiledFormulas& operator=(CompiledFormulas&&) = default;

  /// False of long programs, which keep what depends on parameters in other places.
  bool set_parameters(std::span<const double> values);
  /// Is every output the same whatever the parameters are?
  bool is_constant() const;

  /// As set_parameters, while a run goes on.
  void change_parameters(std::span<const double> values);
  void set_branches(std::span<const double> values) {
    std::ranges::copy(values, input(parameters_));
    has_velocity_ = false;
  }
  void at_position(double t, const Vector& q) {
    copy_registers();
    *input(first_) = t;
    std::copy_n(q.data(), n_q_, input(first_ + 1));
    run(Level::position);
    has_velocity_ = false;
  }
  void at_velocity(const Vector& v) {
    std::copy_n(v.data(), n_v_, input(first_ + 1 + n_q_));
    if (driven_) drive();
    run(Level::velocity);
    has_velocity_ = true;
  }
  void at_acceleration(const Vector& a, const Vector& lambda) {
    const int first = first_ + 1 + n_q_ + n_v_;
    std::copy_n(a.data(), n_v_, input(first));
    std::copy_n(lambda.data(), lambda.size(), input(first + n_v_));
    run(Level::acceleration);
  }
  /// As at_acceleration, for formulas without accelerations.
  void at_multipliers(const Vector& lambda) {
    std::copy_n(lambda.data(), lambda.size(), input(first_ + 1 + n_q_ + 2 * n_v_));
    run(Level::acceleration);
  }
  void copy(int first, Vector& out) const {
    const int count = static_cast<int>(out.size());
    if (!is_strided_) return program_.copy(first, count, workspace_, out.data());
    const double* from = registers().data();
    for (int k = 0; k < count; ++k) out[k] = from[slots_[first + k]];
  }
  /// Has everything up to the velocities been computed here?
  bool stands_at(double t, const Vector& q, const Vector& v) {
    return has_velocity_ && *input(first_) == t && std::equal(q.begin(), q.end(), input(first_ + 1)) &&
           std::equal(v.begin(), v.end(), input(first_ + 1 + n_q_));
  }
  double value(int k) const {
    return is_strided_ ? registers()[static_cast<std::size_t>(slots_[k])] : program_.output(k, workspace_);
  }
  int outputs() const { return outputs_; }
  /// Wherever velocities are given, these compute some of the parameters.
  void set_driven(std::shared_ptr<DrivenInputs> driven) { driven_ = std::move(driven); }
  Program& program() { return program_; }
  std::size_t instructions() const { return instructions_; }

  /// Where a program is long and is not to become machine code, the same formulas of many parts of a model run
  /// together, as lanes do, and their code need not be kept. A short one with many inputs gains by sharing registers.
  void shorten();

  /// Above this, a program does not stay in the second cache.
  static constexpr std::size_t many_instructions = 20'000;

 private:
  std::vector<double>& registers() { return shared_ ? shared_->values : registers_; }
  const std::vector<double>& registers() const { return shared_ ? shared_->values : registers_; }
  double* input(int k) { return is_strided_ ? &registers()[static_cast<std::size_t>(k)] : workspace_.input(k); }
  void run(int level) {
    if (!is_strided_) return program_.run(level, workspace_);
    if (level < strided_.levels()) strided_.run(level, registers().data());
  }

  void drive();

  /// Puts what does not change back into registers that others have used.
  void copy_registers() {
    if (!is_strided_ || !shared_ || shared_->user == this) return;
    std::ranges::copy(fixed_, shared_->values.begin() + inputs_);
    shared_->user = this;
  }

  void use_strided_program(std::span<const double> parameter_values);
  void keep_fixed() { fixed_.assign(registers().begin() + inputs_, registers().begin() + known_); }

  Program program_;
  Program::Workspace workspace_;
  bool is_strided_ = false;  ///< they then serve instead of the program
  StridedProgram strided_;
  std::shared_ptr<SharedRegisters> shared_;
  std::shared_ptr<DrivenInputs> driven_;  ///< null as a rule
  std::vector<double> registers_;         ///< of the strided program, unless they share them
  std::vector<double> fixed_;             ///< in shared registers: constants, and what depends on parameters alone
  std::vector<int> slots_;                ///< where the strided program leaves the outputs
  int known_ = 0;                         ///< registers before this one hold what depends on parameters alone
  int outputs_ = 0, inputs_ = 0;
  std::size_t instructions_ = 0;
  int parameters_ = 0, first_ = 0, n_q_ = 0, n_v_ = 0;
  bool has_velocity_ = false;
};

}  // namespace taut
