#include "simulation/output_slopes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.hpp"
#include "model/functions.hpp"

namespace taut {
namespace {

const Output& find_output(const Model& model, const std::string& name) {
  const auto found = std::ranges::find(model.outputs, name, &Output::name);
  if (found != model.outputs.end()) return *found;
  std::vector<std::string> known;
  for (const Output& output : model.outputs) known.push_back(output.name);
  throw InputError(fmt::format("there is no output '{}'", name),
                   known.empty() ? "the model has no outputs" : did_you_mean(name, known));
}

}  // namespace

OutputSlopes::OutputSlopes(const Model& model, const std::vector<std::string>& names)
    : model_(model), derivation_(model) {
  for (const std::string& name : names) add(find_output(model, name));
  if (names.empty())
    for (const Output& output : model.outputs) add(output);
  std::vector<Expression> formulas = values_;
  formulas.insert(formulas.end(), slopes_.begin(), slopes_.end());
  compiled_.emplace(derivation_.graph(), formulas);
}

void OutputSlopes::add(const Output& output) {
  const Expression value = derivation_.resolved(output.value);
  if (derivation_.depends_on(value, SymbolKind::acceleration) || derivation_.depends_on(value, SymbolKind::multiplier))
    throw InputError(
        output.place,
        fmt::format("output '{}' depends on accelerations or multipliers, which follow from forces", output.name),
        "name the outputs that do not; linearize() has the slopes of the others");
  if (depends_on_functions(model_, output.value))
    throw InputError(output.place,
                     fmt::format("output '{}' is made of what a function of the program computes", output.name),
                     "name the outputs that are formulas");
  const auto row = static_cast<Eigen::Index>(values_.size());
  for (const auto& [symbol, slope] : gradient(value, SymbolKind::coordinate)) {
    entries_.push_back({row, derivation_.index_of_q(symbol), false});
    slopes_.push_back(slope);
  }
  for (const auto& [symbol, slope] : gradient(value, derivation_.v_kind)) {
    entries_.push_back({row, derivation_.index_of_v(symbol), true});
    slopes_.push_back(slope);
  }
  values_.push_back(value);
}

OutputJacobian OutputSlopes::evaluate(double t, const Vector& q, const Vector& v,
                                      const std::vector<double>& parameters) {
  FormulaList& list = *compiled_;
  const Equations& eq = derivation_.eq;
  list[eq.time] = t;
  for (std::size_t k = 0; k < eq.parameters.size(); ++k) list[eq.parameters[k]] = parameters[k];
  for (std::size_t k = 0; k < eq.q.size(); ++k) list[eq.q[k]] = q[static_cast<Eigen::Index>(k)];
  for (std::size_t k = 0; k < eq.v.size(); ++k) list[eq.v[k]] = v[static_cast<Eigen::Index>(k)];
  list.evaluate(found_);
  const auto rows = static_cast<Eigen::Index>(values_.size());
  OutputJacobian jacobian{Eigen::Map<const Vector>(found_.data(), rows), Matrix::Zero(rows, q.size()),
                          Matrix::Zero(rows, v.size())};
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const auto& [row, column, by_speed] = entries_[k];
    (by_speed ? jacobian.by_v : jacobian.by_q)(row, column) = found_[values_.size() + k];
  }
  return jacobian;
}

}  // namespace taut
