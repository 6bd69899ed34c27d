#include "system/driven_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "expression/derivative.hpp"
#include "model/functions.hpp"

namespace taut {
namespace {

std::vector<Expression> arguments_of(const std::vector<StateFunction>& functions) {
  std::vector<Expression> all;
  for (const StateFunction& function : functions)
    all.insert(all.end(), function.arguments.begin(), function.arguments.end());
  return all;
}

std::size_t count_results(const std::vector<StateFunction>& functions) {
  std::size_t count = 0;
  for (const StateFunction& function : functions) count += function.parameters.size();
  return count;
}

}  // namespace

DrivenInputs::DrivenInputs(Equations& eq, const FormulaCompiler& compiler)
    : functions_(eq.functions),
      arguments_(compiler.compile_apart(CompactFormulas(arguments_of(eq.functions)))),
      arguments_now_(static_cast<std::size_t>(arguments_.outputs())),
      results_(count_results(eq.functions)),
      first_(static_cast<int>(eq.parameters.size() + eq.branches.size())),
      q_(Vector::Zero(static_cast<Eigen::Index>(eq.q.size()))),
      v_(Vector::Zero(static_cast<Eigen::Index>(eq.v.size()))) {}

bool DrivenInputs::stands_at(double t, const double* q, const double* v) const {
  return known_ && t == t_ && std::equal(q_.begin(), q_.end(), q) && std::equal(v_.begin(), v_.end(), v);
}

void DrivenInputs::find(double t, const double* q, const double* v) {
  if (stands_at(t, q, v)) return;
  t_ = t;
  std::copy_n(q, q_.size(), q_.begin());
  std::copy_n(v, v_.size(), v_.begin());
  evaluate(t_);
  known_ = true;
}

void DrivenInputs::write(double* inputs) {
  const double* state = inputs + first_;
  find(state[0], state + 1, state + 1 + q_.size());
  put(inputs);
}

void DrivenInputs::write(double t, const Vector& q, const Vector& v, std::vector<double>& parameters) {
  find(t, q.data(), v.data());
  put(parameters.data());
}

/// Parameters come first in programs, too.
void DrivenInputs::put(double* parameters) const {
  const double* result = results_.data();
  for (const StateFunction& function : functions_)
    for (const int k : function.parameters) parameters[k] = *result++;
}

void DrivenInputs::evaluate(double t) {
  if (!arguments_now_.empty()) {
    arguments_.at_position(t, q_);
    arguments_.at_velocity(v_);
    for (std::size_t k = 0; k < arguments_now_.size(); ++k) arguments_now_[k] = arguments_.value(static_cast<int>(k));
  }
  std::size_t argument = 0, result = 0;
  for (const StateFunction& function : functions_) {
    call(function, t, argument, result);
    argument += function.arguments.size();
    result += function.parameters.size();
  }
}

void DrivenInputs::call(const StateFunction& function, double t, std::size_t first_argument, std::size_t first_result) {
  const std::span results = std::span(results_).subspan(first_result, function.parameters.size());
  std::ranges::fill(results, std::numeric_limits<double>::quiet_NaN());
  if (failure_) return;
  try {
    const std::span arguments = std::span(arguments_now_).subspan(first_argument, function.arguments.size());
    function.law({t,
                  {q_.data(), static_cast<std::size_t>(q_.size())},
                  {v_.data(), static_cast<std::size_t>(v_.size())},
                  arguments},
                 results);
  } catch (...) {
    failure_ = std::current_exception();
    std::ranges::fill(results, std::numeric_limits<double>::quiet_NaN());
  }
}

bool DrivenInputs::set_parameters(std::span<const double> values) {
  known_ = false;
  failure_ = nullptr;
  return arguments_.outputs() == 0 || arguments_.set_parameters(values);
}

void DrivenInputs::change_parameters(std::span<const double> values) {
  known_ = false;
  arguments_.change_parameters(values);
}

void check_driven(const Equations& eq, const Model& model) {
  if (eq.functions.empty()) return;
  const auto refuse = [&](const std::string& where, const Expression& formula) {
    if (formula.graph() == nullptr) return;
    for (const SymbolId s : symbols_of(formula))
      for (const StateFunction& function : eq.functions)
        for (const int k : function.parameters)
          if (eq.parameters[static_cast<std::size_t>(k)] == s)
            throw InputError(function.place,
                             fmt::format("input '{}' is {}, and stands in {}: its rate would be needed there",
                                         model.parameters[static_cast<std::size_t>(k)].name, words_of(function), where),
                             "use it in forces, rates of states, outputs and events");
  };
  const auto refuse_all = [&](const std::string& where, const std::vector<Expression>& formulas) {
    for (const Expression& formula : formulas) refuse(where, formula);
  };
  for (std::size_t i = 0; i < eq.chi.size(); ++i)
    refuse(fmt::format("constraint '{}'", eq.shape.constraints[i]), eq.chi[i]);
  refuse_all("a constraint", eq.Phi);
  refuse_all("a constraint", eq.H.entries);
  refuse_all("the mass matrix", eq.M.entries);
  refuse_all("the rate of a coordinate", eq.N.entries);
  refuse_all("a rotation", eq.retractions);
  refuse_all("a softness", eq.softness);
  if (eq.energy) refuse("an energy", *eq.energy);
  for (std::size_t i = 0; i < eq.rates.size(); ++i)
    if (!model.coordinates[i].is_state) refuse(fmt::format("the rate of '{}'", model.coordinates[i].name), eq.rates[i]);
}

}  // namespace taut
