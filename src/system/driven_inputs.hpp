#pragma once

#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "system/formula_compiler.hpp"

namespace taut {

/// Inputs that functions of the program compute, evaluated wherever programs of the equations ask for their velocities.
/// What was computed last is kept: several programs are evaluated at one state. What a function throws is kept, too,
/// for integrators are not to meet it: from then on its results are no numbers, and the run ends.
class DrivenInputs {
 public:
  DrivenInputs(Equations& eq, const FormulaCompiler& compiler);

  /// The inputs of a program, which has t, q and v already, get the functions' values.
  void write(double* inputs);
  /// Among the values of all parameters, those that functions compute get what they are in a state.
  void write(double t, const Vector& q, const Vector& v, std::vector<double>& parameters);
  /// What was computed with other values of the parameters is worthless.
  bool set_parameters(std::span<const double> values);
  void change_parameters(std::span<const double> values);
  /// Throws what a function has thrown, once.
  void rethrow() {
    known_ = known_ && !failure_;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  bool stands_at(double t, const double* q, const double* v) const;
  void find(double t, const double* q, const double* v);
  void put(double* parameters) const;
  void evaluate(double t);
  void call(const StateFunction& function, double t, std::size_t first_argument, std::size_t first_result);

  std::vector<StateFunction> functions_;
  CompiledFormulas arguments_;
  std::vector<double> arguments_now_, results_;
  int first_ = 0;  ///< where programs have the time
  bool known_ = false;
  double t_ = 0;
  Vector q_, v_;
  std::exception_ptr failure_;
};

/// Throws InputError where inputs that functions compute stand in what has to be derived in time: constraints, energies
/// and masses.
void check_driven(const Equations& eq, const Model& model);

}  // namespace taut
