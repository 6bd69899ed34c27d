#include "expression/formulas_of_time.hpp"

#include <algorithm>
#include <cstdint>

#include "expression/arithmetic.hpp"

namespace taut {
namespace {

/// Marks the nodes that roots consist of, and what each depends on: one pass down the numbers, one up.
class Dependence {
 public:
  Dependence(const Graph& graph, const std::vector<NodeId>& roots, SymbolId time) : graph_(graph) {
    if (roots.empty()) return;
    marks_.resize(std::size_t{*std::ranges::max_element(roots)} + 1);
    for (const NodeId root : roots) marks_[root] = used;
    for (std::size_t id = marks_.size(); id-- > 0;)
      if (marks_[id] & used) for_operands(id, [this](NodeId operand) { marks_[operand] |= used; });
    for (NodeId id = 0; id < marks_.size(); ++id)
      if (marks_[id] & used) marks_[id] |= depends(id, time);
  }

  NodeId size() const { return static_cast<NodeId>(marks_.size()); }
  bool is_used(NodeId id) const { return (marks_[id] & used) != 0; }
  bool on_time(NodeId id) const { return (marks_[id] & time_) != 0; }
  bool on_time_alone(NodeId id) const { return (marks_[id] & (time_ | others_)) == time_; }
  bool on_others(NodeId id) const { return (marks_[id] & others_) != 0; }

  template <class Visit>
  void for_operands(NodeId id, const Visit& visit) const {
    const Graph::Node node = graph_.node(id);
    if (!is_leaf(node.op)) visit(node.a);
    if (is_binary(node.op)) visit(node.b);
  }

 private:
  static constexpr std::uint8_t used = 1, time_ = 2, others_ = 4;

  std::uint8_t depends(NodeId id, SymbolId time) const {
    const Graph::Node node = graph_.node(id);
    if (node.op == Op::symbol && node.a == time) return time_;
    if (node.op == Op::symbol) return graph_.info(node.a).kind == SymbolKind::parameter ? 0 : others_;
    std::uint8_t found = 0;
    for_operands(id, [&](NodeId operand) { found |= marks_[operand] & (time_ | others_); });
    return found;
  }

  const Graph& graph_;
  std::vector<std::uint8_t> marks_;
};

/// The summands of a formula, each without factors that are numbers.
void add_summands(const Graph& graph, const Dependence& dependence, NodeId root, std::vector<NodeId>& terms) {
  std::vector<NodeId> left{root};
  while (!left.empty()) {
    const NodeId id = left.back();
    left.pop_back();
    if (!dependence.on_time(id)) continue;
    const Graph::Node node = graph.node(id);
    const bool scaled = (node.op == Op::multiply && !(dependence.on_time(node.a) && dependence.on_time(node.b))) ||
                        (node.op == Op::divide && !dependence.on_time(node.b));
    if (node.op == Op::add || node.op == Op::subtract || node.op == Op::negate || scaled) {
      dependence.for_operands(id, [&](NodeId operand) { left.push_back(operand); });
    } else {
      terms.push_back(id);
    }
  }
}

bool has_whole_exponent(const Graph& graph, const Graph::Node& node) {
  const Graph::Node exponent = graph.node(node.b);
  return exponent.op == Op::constant && is_whole_exponent(exponent.value);
}

/// The function at whose zeros an operation has a kink, a jump or a branch point; the operation itself where it has
/// none.
NodeId kink_function(Graph& graph, NodeId id) {
  const Graph::Node node = graph.node(id);
  switch (node.op) {
    case Op::abs:
    case Op::sign:
    case Op::sqrt:
    case Op::atan2:
      return node.a;
    case Op::power:
      return has_whole_exponent(graph, node) ? id : node.a;
    case Op::min:
    case Op::max:
    case Op::less:
      return graph.apply(Op::subtract, node.a, node.b);
    case Op::asin:
    case Op::acos:
      return graph.apply(Op::subtract, graph.constant(1), graph.apply(Op::power, node.a, graph.constant(2)));
    default:
      return id;
  }
}

void keep_each_once(std::vector<NodeId>& nodes) {
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

}  // namespace

FormulasOfTime formulas_of_time(const std::shared_ptr<const Graph>& graph, const std::vector<NodeId>& roots,
                                SymbolId time) {
  const Dependence dependence(*graph, roots, time);
  FormulasOfTime found{std::make_shared<Graph>(graph), {}, {}};
  std::vector<NodeId> whole;  // as large as can be
  for (const NodeId root : roots)
    if (dependence.on_time_alone(root)) whole.push_back(root);
  for (NodeId id = 0; id < dependence.size(); ++id) {
    if (!dependence.is_used(id) || !dependence.on_time(id)) continue;
    if (dependence.on_others(id)) {
      dependence.for_operands(id, [&](NodeId operand) {
        if (dependence.on_time_alone(operand)) whole.push_back(operand);
      });
    } else if (const NodeId zero_of = kink_function(*found.graph, id); zero_of != id) {
      found.kinks.push_back(zero_of);
    }
  }
  keep_each_once(whole);
  for (const NodeId root : whole) add_summands(*graph, dependence, root, found.terms);
  keep_each_once(found.terms);
  keep_each_once(found.kinks);
  return found;
}

}  // namespace taut
