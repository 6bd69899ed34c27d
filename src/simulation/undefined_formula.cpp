#include "simulation/undefined_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "expression/arithmetic.hpp"
#include "expression/derivative.hpp"
#include "expression/formula_list.hpp"
#include "simulation/model_parts.hpp"

namespace taut {
namespace {

/// Where operations have more than this many characters, they are not shown.
constexpr std::size_t longest_shown = 60;

void set_state(FormulaList& list, const Model& model, const std::vector<double>& parameters, double t, const Vector& q,
               const Vector& v) {
  list[model.time] = t;
  for (std::size_t k = 0; k < model.parameters.size(); ++k) list[model.parameters[k].symbol] = parameters[k];
  Eigen::Index speed = 0;
  for (std::size_t k = 0; k < model.coordinates.size(); ++k) {
    const Coordinate& x = model.coordinates[k];
    list[x.symbol] = q[static_cast<Eigen::Index>(k)];
    if (!x.kinematics) list[x.rate] = v[speed++];
  }
  for (const Speed& u : model.speeds) list[u.symbol] = v[speed++];
}

std::string shown(const Expression& operation) {
  const std::string text = to_string(operation);
  return text.size() <= longest_shown ? "'" + text + "'" : "a part of it";
}

/// "'1/a' divides by zero".
std::string words_for(Op op, const Expression& operation) {
  switch (op) {
    case Op::divide:
      return fmt::format("{} divides by zero", shown(operation));
    case Op::sqrt:
      return fmt::format("{} is the root of a negative number", shown(operation));
    case Op::log:
      return fmt::format("{} is the logarithm of a number that is not positive", shown(operation));
    case Op::power:
      return fmt::format("{} is zero or negative to a power that it has not", shown(operation));
    case Op::asin:
    case Op::acos:
      return fmt::format("{} is of a number beyond 1", shown(operation));
    default:
      return fmt::format("{} is not finite", shown(operation));
  }
}

}  // namespace

InputError with_undefined_formula(const InputError& error, const Model& model, const std::vector<double>& parameters,
                                  double t, const Vector& q, const Vector& v) {
  const Graph& graph = *model.graph;
  for (const ModelPart& part : parts_of(model)) {
    if (!part.acts) continue;
    const std::vector<NodeId> nodes = reachable(graph, {part.formula.in(*model.graph)});
    std::vector<Expression> formulas;
    for (const NodeId id : nodes) formulas.emplace_back(*model.graph, id);
    FormulaList list(graph, formulas);
    set_state(list, model, parameters, t, q, v);
    std::vector<double> values;
    list.evaluate(values);
    const auto value_of_node = [&](NodeId id) {
      return values[static_cast<std::size_t>(std::ranges::lower_bound(nodes, id) - nodes.begin())];
    };
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const Graph::Node node = graph.node(nodes[k]);
      if (is_leaf(node.op) || std::isfinite(values[k]) || !std::isfinite(value_of_node(node.a))) continue;
      if (is_binary(node.op) && !std::isfinite(value_of_node(node.b))) continue;
      return {error.place(), fmt::format("{}: {}", error.message(), words_for(node.op, formulas[k])), error.remedy()};
    }
  }
  return error;
}

}  // namespace taut
