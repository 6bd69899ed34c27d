#include "model/tree/other_parameters.hpp"

#include <algorithm>
#include <cmath>

#include "expression/program.hpp"
#include "model/tree/joint_form.hpp"

namespace taut {
namespace {

/// Values of the symbols: parameters have theirs, and all else is zero, as coordinates are where a mechanism is drawn.
std::vector<double> values_of_symbols(const Model& joints, const std::vector<double>& parameters) {
  std::vector<double> values(joints.graph->symbols(), 0.0);
  for (std::size_t k = 0; k < joints.parameters.size(); ++k) values[joints.parameters[k].symbol] = parameters[k];
  return values;
}

}  // namespace

bool has_same_formulas(const Model& joints, const std::vector<double>& parameters) {
  const JointForm::Decisions& made = joints.joint_form->decisions;
  const std::vector<double> values = values_of_symbols(joints, parameters);
  for (const auto& [formula, value] : made.numbers)
    if (evaluate(formula, values) != value) return false;
  return find_vanishing_rows(joints, parameters, made.rows) == made.vanishes;
}

double longest_arm(const Model& joints, const std::vector<double>& parameters) {
  const std::vector<double> values = values_of_symbols(joints, parameters);
  double longest = 0;
  for (const Expression& part : joints.joint_form->arms) longest = std::max(longest, std::abs(evaluate(part, values)));
  return longest;
}

}  // namespace taut
