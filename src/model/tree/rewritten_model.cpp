#include "model/tree/rewritten_model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace taut {

std::optional<SymbolId> symbol_of(const Expression& e) {
  if (e.graph() == nullptr) return std::nullopt;
  const Graph::Node node = e.graph()->node(e.in(*e.graph()));
  return node.op == Op::symbol ? std::optional(SymbolId{node.a}) : std::nullopt;
}

bool has_kind(const Expression& e, SymbolKind kind) {
  return std::ranges::any_of(symbols_of(e), [&](SymbolId s) { return e.graph()->info(s).kind == kind; });
}

RewrittenModel::RewrittenModel(const Model& given, const std::vector<double>& parameters)
    : model(given),
      numbers(parameters),
      tree(find_spanning_tree(given)),
      pose(given, tree),
      full(pose.graph(), *out.graph, [this](SymbolId s) { return unbound(s); }),
      bias(pose.graph(), *out.graph, [this](SymbolId s) { return unbound(s); }) {}

Expression RewrittenModel::unbound(SymbolId s) {
  const std::string name(pose.graph().info(s).name);
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    if (!tree.is_branch[k]) continue;
    for (const std::size_t row : model.joints[k].rows)
      if (model.constraints[row].multiplier == s)
        throw InputError(where_place_,
                         fmt::format("{} depends on {}: joint '{}' is a branch of the tree in joint coordinates, and "
                                     "is held by no constraint",
                                     where_, name, model.joints[k].name),
                         fmt::format("write 'cut: true' at the joint, or {}", remedy_bodies));
  }
  throw InputError(where_place_, fmt::format("{} uses '{}', which joint coordinates do not know", where_, name),
                   remedy_bodies);
}

void RewrittenModel::at(std::string where, const Place& place) {
  where_ = std::move(where);
  where_place_ = place;
}

void RewrittenModel::copy_plain() {
  out.name = model.name;
  out.file = model.file;
  out.text = model.text;
  out.parts = model.parts;
  out.simulate = model.simulate;
  out.conserve_energy = model.conserve_energy;
  out.notes = model.notes;
  out.names = model.names;
  for (Transcript* to : {&full, &bias}) to->bind(model.time, out.t());
  for (const Parameter& given : model.parameters) {
    Parameter& parameter = out.parameters.emplace_back(given);
    parameter.symbol = out.graph->declare(given.name, model.graph->info(given.symbol).kind);
    at(fmt::format("parameter '{}'", given.name), given.place);
    parameter.value = write(given.value);
    for (Transcript* to : {&full, &bias}) to->bind(given.symbol, symbol(parameter.symbol));
    by_symbol.resize(out.graph->symbols());
    const std::size_t k = out.parameters.size() - 1;
    if (numbers.size() <= k) numbers.push_back(evaluate(parameter.value, by_symbol));
    by_symbol[parameter.symbol] = numbers[k];
  }
  for (const Input& given : model.inputs) {
    at(fmt::format("input '{}'", given.name), given.place);
    out.inputs.emplace_back(given).value = write(given.value);
  }
}

void RewrittenModel::sort_symbols() {
  for (std::size_t b = 1; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const auto own = [&](const Expression& e) {
      if (const auto s = symbol_of(e)) body_of[*s] = b;
    };
    for (const Vector3* v : {&body.position, &body.velocity, &body.omega, &body.acceleration, &body.alpha})
      for (int k = 0; k < 3; ++k) own((*v)[k]);
    for (const Expression* e :
         {&body.orientation.w, &body.orientation.x, &body.orientation.y, &body.orientation.z, &body.angle})
      own(*e);
  }
  for (const SpanningTree::Branch& branch : tree.branches)
    if (branch.joint < 0) free.insert(static_cast<std::size_t>(branch.body));
  for (std::size_t k = 0; k < model.joints.size(); ++k)
    if (tree.is_branch[k] && model.joints[k].angle)
      if (const auto s = symbol_of(*model.joints[k].angle); s && !body_of.contains(*s)) angles_of_tree_.insert(*s);
}

bool RewrittenModel::stays(SymbolId s) const {
  const auto body = body_of.find(s);
  return body == body_of.end() ? !angles_of_tree_.contains(s) : free.contains(body->second);
}

std::optional<Expression> RewrittenModel::write(const std::optional<Expression>& e) {
  return e ? std::optional(write(*e)) : std::nullopt;
}

Transcript& RewrittenModel::parameters_only() {
  if (!parameters_) {
    parameters_.emplace(pose.graph(), *out.graph, [this](SymbolId s) { return unbound(s); });
    for (std::size_t k = 0; k < model.parameters.size(); ++k)
      parameters_->bind(model.parameters[k].symbol, symbol(out.parameters[k].symbol));
  }
  return *parameters_;
}

void RewrittenModel::bind_both(const Expression& formula, const Expression& value) {
  full.bind(formula, value);
  bias.bind(formula, value);
}

void RewrittenModel::bind_both(const Vector3& formula, const Vector3& value) {
  for (int k = 0; k < 3; ++k) bind_both(formula[k], value[k]);
}

}  // namespace taut
