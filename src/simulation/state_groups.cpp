#include "simulation/state_groups.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>

#include "expression/arithmetic.hpp"
#include "expression/derivative.hpp"
#include "model/tree/joint_form.hpp"

namespace taut {
namespace {

/// Symbols that stand in one formula act on each other. Energies are sums: their summands do not.
class Coupling {
 public:
  explicit Coupling(const Model& model) : model_(model), graph_(*model.graph), parent_(graph_.symbols()) {
    std::iota(parent_.begin(), parent_.end(), SymbolId{0});
    for (const auto& c : model.coordinates) {
      unite(c.symbol, c.rate);
      if (c.acceleration != Graph::no_symbol) unite(c.symbol, c.acceleration);
    }
    mark_roots();
    mark_operands();
    unite_operands();
    unite_parts();
  }

  SymbolId part_of(SymbolId symbol) {
    while (parent_[symbol] != symbol) symbol = parent_[symbol] = parent_[parent_[symbol]];
    return symbol;
  }

 private:
  enum Mark : std::uint8_t { unused, summand, coupled };

  void unite(SymbolId a, SymbolId b) { parent_[part_of(a)] = part_of(b); }

  void mark(const Expression& formula, Mark mark) {
    if (formula.is_constant()) return;
    const NodeId id = formula.in(*model_.graph);
    if (marks_.size() <= id) marks_.resize(std::size_t{id} + 1);
    marks_[id] = std::max(marks_[id], mark);
  }

  void mark_roots() {
    for (const auto* energy : {&model_.kinetic_energy, &model_.potential_energy, &model_.inertial_energy})
      if (*energy) mark(**energy, summand);
    for (const Rotor& rotor : model_.rotors) mark(rotor.energy, summand);
    for_parts([this](SymbolId, const Expression& formula) { mark(formula, coupled); });
  }

  /// Every formula that acts on a symbol, or on those in it alone.
  template <class Visit>
  void for_parts(const Visit& visit) {
    for (const auto& c : model_.coordinates) {
      visit(c.symbol, c.force);
      if (c.kinematics) visit(c.symbol, *c.kinematics);
    }
    for (const auto& u : model_.speeds) visit(u.symbol, u.force);
    for (const auto& c : model_.constraints) visit(Graph::no_symbol, c.residual);
    for (const auto& load : model_.loads)
      for (const auto* formulas : {&load.at, &load.force, &load.velocity})
        for (const auto& formula : *formulas) visit(Graph::no_symbol, formula);
    for (std::size_t i = 0; i < model_.mass_matrix.size(); ++i)
      for (const auto& entry : model_.mass_matrix[i]) visit(moved(i), entry);
  }

  SymbolId moved(std::size_t i) const {
    return i < model_.coordinates.size() ? model_.coordinates[i].symbol : Graph::no_symbol;
  }

  bool is_sum(const Graph::Node& node) const {
    const auto fixed = [&](NodeId id) {
      const Graph::Node operand = graph_.node(id);
      return operand.op == Op::constant ||
             (operand.op == Op::symbol && graph_.info(operand.a).kind == SymbolKind::parameter);
    };
    return node.op == Op::add || node.op == Op::subtract || node.op == Op::negate ||
           (node.op == Op::multiply && (fixed(node.a) || fixed(node.b))) || (node.op == Op::divide && fixed(node.b));
  }

  void mark_operands() {
    for (std::size_t id = marks_.size(); id-- > 0;) {
      if (marks_[id] == unused) continue;
      const Graph::Node node = graph_.node(static_cast<NodeId>(id));
      if (marks_[id] == summand && !is_sum(node)) marks_[id] = coupled;
      if (!is_leaf(node.op)) marks_[node.a] = std::max(marks_[node.a], marks_[id]);
      if (is_binary(node.op)) marks_[node.b] = std::max(marks_[node.b], marks_[id]);
    }
  }

  /// A symbol of each formula that has any; those of its operands are one.
  void unite_operands() {
    symbol_in_.assign(marks_.size(), Graph::no_symbol);
    for (NodeId id = 0; id < marks_.size(); ++id) {
      if (marks_[id] != coupled) continue;
      const Graph::Node node = graph_.node(id);
      if (node.op == Op::symbol) symbol_in_[id] = is_state(node.a) ? node.a : Graph::no_symbol;
      if (!is_leaf(node.op)) symbol_in_[id] = symbol_in_[node.a];
      if (is_binary(node.op)) symbol_in_[id] = united(symbol_in_[id], symbol_in_[node.b]);
    }
  }

  bool is_state(SymbolId symbol) const {
    const SymbolKind kind = graph_.info(symbol).kind;
    return kind != SymbolKind::time && kind != SymbolKind::parameter && kind != SymbolKind::multiplier;
  }

  SymbolId united(SymbolId a, SymbolId b) {
    if (a == Graph::no_symbol || b == Graph::no_symbol) return std::min(a, b);  // no_symbol is the largest
    unite(a, b);
    return a;
  }

  void unite_parts() {
    for_parts([this](SymbolId symbol, const Expression& formula) {
      if (!formula.is_constant()) united(symbol, symbol_in_[formula.in(*model_.graph)]);
    });
    for (const auto& load : model_.loads) unite_load(load);
    for (std::size_t i = 0; i < model_.mass_matrix.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (!model_.mass_matrix[i][j].is_zero()) united(moved(i), moved(j));
  }

  void unite_load(const Load& load) {
    SymbolId all = Graph::no_symbol;
    for (const auto* formulas : {&load.at, &load.force, &load.velocity})
      for (const auto& formula : *formulas)
        if (!formula.is_constant()) all = united(all, symbol_in_[formula.in(*model_.graph)]);
  }

  const Model& model_;
  const Graph& graph_;
  std::vector<SymbolId> parent_;
  std::vector<Mark> marks_;
  std::vector<SymbolId> symbol_in_;
};

/// Symbols that say how bodies turn.
std::vector<bool> turning_symbols(const Model& model) {
  std::vector<bool> turning(model.graph->symbols());
  const auto add = [&](const Expression& formula) {
    for (const SymbolId symbol : symbols_of(formula)) turning[symbol] = true;
  };
  for (const Body& body : model.bodies) {
    if (body.planar) add(body.angle);
    for (int k = 0; k < 3; ++k) add(body.omega[k]);
    if (!body.planar)
      for (const Expression& component :
           {body.orientation.w, body.orientation.x, body.orientation.y, body.orientation.z})
        add(component);
  }
  return turning;
}

}  // namespace

StateGroups state_groups(const Model& model) {
  Coupling coupling(model);
  const std::vector<bool> turning = turning_symbols(model);
  // Travels of joints start at zero: what they are compared to is the size of the mechanism.
  const double least_length = model.joint_form ? model.joint_form->length : 0;
  std::map<std::pair<SymbolId, bool>, int> numbers;
  StateGroups groups;
  const auto number = [&](SymbolId symbol) {
    const bool turns = turning[symbol];
    const auto [entry, is_new] =
        numbers.try_emplace({coupling.part_of(symbol), turns}, static_cast<int>(numbers.size()));
    if (is_new) groups.least_size.insert(groups.least_size.end(), {turns ? 1.0 : least_length, 0.0});
    return 2 * entry->second;
  };
  for (const auto& c : model.coordinates) groups.group.push_back(number(c.symbol));
  for (const auto& c : model.coordinates)
    if (!c.kinematics) groups.group.push_back(number(c.symbol) + 1);
  for (const auto& u : model.speeds) groups.group.push_back(number(u.symbol) + 1);
  groups.turning.assign(groups.least_size.size(), -1);
  for (const auto& [key, own] : numbers) {
    const auto turns = numbers.find({key.first, true});
    if (!key.second && turns != numbers.end())
      groups.turning[static_cast<std::size_t>(2 * own + 1)] = 2 * turns->second + 1;
  }
  return groups;
}

}  // namespace taut
