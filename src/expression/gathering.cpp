#include "expression/gathering.hpp"

#include <cmath>
#include <unordered_map>

#include "expression/arithmetic.hpp"
#include "expression/derivative.hpp"

namespace taut {
namespace {

class FactorGathering {
 public:
  FactorGathering(Graph& graph, const std::vector<NodeId>& roots);
  NodeId of(NodeId id) { return written(known_.at(id)); }

 private:
  /// factor * rest; the rest of a constant is the node one.
  struct Gathered {
    double factor = 1;
    NodeId rest = 0;
    bool shared = false;  ///< used more than once
  };

  static Gathered negated(const Gathered& a) { return {-a.factor, a.rest}; }
  Gathered gather(NodeId id);
  Gathered sum(const Gathered& first, const Gathered& second);
  Gathered product(const Gathered& a, const Gathered& b, Op op);
  Gathered power(const Graph::Node& node);
  bool is_constant(const Gathered& a) const { return graph_.node(a.rest).op == Op::constant; }
  NodeId written(const Gathered& a);

  Graph& graph_;
  std::unordered_map<NodeId, Gathered> known_;
};

FactorGathering::FactorGathering(Graph& graph, const std::vector<NodeId>& roots) : graph_(graph) {
  const std::vector<NodeId> order = reachable(graph, roots);
  std::unordered_map<NodeId, int> uses;
  for (const NodeId root : roots) ++uses[root];
  for (const NodeId id : order) {
    const Graph::Node node = graph.node(id);
    if (node.op == Op::constant || node.op == Op::symbol) continue;
    ++uses[node.a];
    if (is_binary(node.op)) ++uses[node.b];
  }
  for (const NodeId id : order) {
    known_[id] = gather(id);
    known_[id].shared = uses[id] > 1;
  }
}

FactorGathering::Gathered FactorGathering::gather(NodeId id) {
  const Graph::Node node = graph_.node(id);
  switch (node.op) {
    case Op::constant:
      return {node.value, graph_.constant(1)};
    case Op::symbol:
      return {1, id};
    case Op::negate:
      return negated(known_.at(node.a));
    case Op::add:
      return sum(known_.at(node.a), known_.at(node.b));
    case Op::subtract:
      return sum(known_.at(node.a), negated(known_.at(node.b)));
    case Op::multiply:
    case Op::divide:
      return product(known_.at(node.a), known_.at(node.b), node.op);
    case Op::power:
      return power(node);
    default:
      return {1,
              graph_.apply(node.op, written(known_.at(node.a)), is_binary(node.op) ? written(known_.at(node.b)) : 0)};
  }
}

NodeId FactorGathering::written(const Gathered& a) {
  if (a.factor == 1) return a.rest;
  return graph_.apply(Op::multiply, graph_.constant(a.factor), a.rest);
}

/// One factor is taken out of both, so that a - b and b - a are multiples of one thing: none if one has none, else that
/// of the first.
FactorGathering::Gathered FactorGathering::sum(const Gathered& first, const Gathered& second) {
  if (first.rest == second.rest && std::isfinite(first.factor + second.factor))
    return {first.factor + second.factor, first.rest};
  const Gathered &a = first.rest < second.rest ? first : second, &b = first.rest < second.rest ? second : first;
  const bool plain = !is_constant(a) && !is_constant(b) && std::abs(a.factor) != std::abs(b.factor) &&
                     (std::abs(a.factor) == 1 || std::abs(b.factor) == 1);
  double factor = plain ? std::copysign(1, a.factor) : is_constant(a) ? b.factor : a.factor;
  if (!std::isnormal(factor) || !std::isnormal(a.factor / factor) || !std::isnormal(b.factor / factor)) factor = 1;
  return {factor, graph_.apply(Op::add, written({a.factor / factor, a.rest}), written({b.factor / factor, b.rest}))};
}

/// What is shared has its factor once, not in every product.
FactorGathering::Gathered FactorGathering::product(const Gathered& a, const Gathered& b, Op op) {
  const bool scales = is_constant(a) || is_constant(b);
  const Gathered x = a.shared && !scales ? Gathered{1, written(a)} : a;
  const Gathered y = b.shared && !scales ? Gathered{1, written(b)} : b;
  const double factor = op == Op::multiply ? x.factor * y.factor : x.factor / y.factor;
  if (!std::isnormal(factor)) return {1, graph_.apply(op, written(a), written(b))};
  return {factor, graph_.apply(op, x.rest, y.rest)};
}

FactorGathering::Gathered FactorGathering::power(const Graph::Node& node) {
  const Gathered& base = known_.at(node.a);
  const Graph::Node exponent = graph_.node(node.b);
  if (!base.shared && exponent.op == Op::constant && is_whole_exponent(exponent.value)) {
    const double factor = whole_power(base.factor, static_cast<int>(exponent.value));
    if (std::isnormal(factor)) return {factor, graph_.apply(Op::power, base.rest, node.b)};
  }
  return {1, graph_.apply(Op::power, written(base), written(known_.at(node.b)))};
}

}  // namespace

std::vector<Expression> gather_factors(Graph& graph, const std::vector<Expression>& formulas) {
  std::vector<NodeId> roots;
  for (const Expression& formula : formulas) roots.push_back(formula.in(graph));
  FactorGathering gathering(graph, roots);
  std::vector<Expression> gathered;
  for (const NodeId root : roots) gathered.emplace_back(graph, gathering.of(root));
  return gathered;
}

}  // namespace taut
