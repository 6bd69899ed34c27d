#include "expression/derivative.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

#include "expression/arithmetic.hpp"

namespace taut {
namespace {

/// One operation and its operands, as formulas to derive with.
struct Operation {
  Op op;
  Expression self, a, b;
};

Operation operation(Graph& graph, NodeId id) {
  const Graph::Node node = graph.node(id);
  return {node.op, {graph, id}, {graph, node.a}, {graph, is_binary(node.op) ? node.b : node.a}};
}

/// w ∂(a^b)/∂a = w b a^(b-1), which also holds at a = 0, where b a^b / a would not.
Expression along_base(const Operation& of, const Expression& w) { return w * (of.b * pow(of.a, of.b - 1)); }

/// w times the derivative of an operation with respect to its first operand.
Expression along_first(const Operation& of, const Expression& w) {
  const auto& [op, self, a, b] = of;
  switch (op) {
    case Op::negate:
      return -w;
    case Op::add:
    case Op::subtract:
      return w;
    case Op::multiply:
      return w * b;
    case Op::divide:
      return w / b;
    case Op::power:
      return along_base(of, w);
    case Op::sin:
      return w * cos(a);
    case Op::cos:
      return -(w * sin(a));
    case Op::tan:
      return w * (1 + pow(self, 2));
    case Op::asin:
      return w / sqrt(1 - pow(a, 2));
    case Op::acos:
      return -(w / sqrt(1 - pow(a, 2)));
    case Op::atan:
      return w / (1 + pow(a, 2));
    case Op::atan2:
      return w * (b / (pow(a, 2) + pow(b, 2)));
    case Op::sinh:
      return w * cosh(a);
    case Op::cosh:
      return w * sinh(a);
    case Op::tanh:
      return w * (1 - pow(self, 2));
    case Op::exp:
      return w * self;
    case Op::log:
      return w / a;
    case Op::sqrt:
      return w / (2 * self);
    case Op::abs:
      return w * sign(a);
    case Op::min:
      return w * apply(Op::less, a, b);
    case Op::max:
      return w * (1 - apply(Op::less, a, b));
    case Op::constant:
    case Op::symbol:
    case Op::sign:
    case Op::less:
      return 0;
  }
  return 0;
}

/// w times the derivative of an operation with respect to its second operand.
Expression along_second(const Operation& of, const Expression& w) {
  const auto& [op, self, a, b] = of;
  switch (op) {
    case Op::add:
      return w;
    case Op::subtract:
      return -w;
    case Op::multiply:
      return w * a;
    case Op::divide:
      return -(w * (self / b));
    case Op::power:
      return w * (self * log(a));
    case Op::atan2:
      return -(w * (a / (pow(a, 2) + pow(b, 2))));
    case Op::min:
      return w * (1 - apply(Op::less, a, b));
    case Op::max:
      return w * apply(Op::less, a, b);
    default:
      return 0;
  }
}

/// The nodes `roots` consist of, ascending, without those that `skip` names and what only they use.
/// The largest number comes out of the heap first, and its operands are smaller: each node comes out
/// after all its users, and equal numbers come out next to each other.
template <class Skip>
class Collector {
 public:
  Collector(const Graph& graph, std::vector<NodeId> roots, const Skip& skip)
      : graph_(graph), heap_(std::move(roots)), skip_(skip) {
    std::make_heap(heap_.begin(), heap_.end());
  }

  std::vector<NodeId> collect() {
    // A heap serves few nodes of a large graph; once they are many, looking at every number below is quicker.
    const std::size_t many = 1000 + graph_.size() / 64;
    while (!heap_.empty() && order_.size() < many) {
      std::pop_heap(heap_.begin(), heap_.end());
      const NodeId id = heap_.back();
      heap_.pop_back();
      if (!order_.empty() && order_.back() == id) continue;
      if (skip_(id)) continue;
      order_.push_back(id);
      for_operands(id, [this](NodeId operand) {
        heap_.push_back(operand);
        std::push_heap(heap_.begin(), heap_.end());
      });
    }
    if (!heap_.empty()) return sweep();
    std::reverse(order_.begin(), order_.end());
    return std::move(order_);
  }

 private:
  template <class Push>
  void for_operands(NodeId id, const Push& push) const {
    const Graph::Node node = graph_.node(id);
    if (!is_leaf(node.op)) push(node.a);
    if (is_binary(node.op) && node.b != node.a) push(node.b);
  }

  /// Marks what is left before taking it, so that the list has its full length at once: grown, it would take twice the
  /// room, of which there is not much in a large model.
  std::vector<NodeId> sweep() {
    std::vector<bool> wanted(order_.back());  // smaller than the last are all that are left, but for its own doubles
    for (const NodeId id : heap_)
      if (id < wanted.size()) wanted[id] = true;
    std::size_t count = order_.size();
    for (std::size_t id = wanted.size(); id-- > 0;) {
      if (!wanted[id]) continue;
      wanted[id] = !skip_(static_cast<NodeId>(id));
      if (!wanted[id]) continue;
      ++count;
      for_operands(static_cast<NodeId>(id), [&wanted](NodeId operand) { wanted[operand] = true; });
    }
    std::vector<NodeId> all;
    all.reserve(count);
    for (std::size_t id = 0; id < wanted.size(); ++id)
      if (wanted[id]) all.push_back(static_cast<NodeId>(id));
    all.insert(all.end(), order_.rbegin(), order_.rend());
    return all;
  }

  const Graph& graph_;
  std::vector<NodeId> heap_, order_;
  const Skip& skip_;
};

template <class Skip>
std::vector<NodeId> collect(const Graph& graph, std::vector<NodeId> roots, const Skip& skip) {
  return Collector<Skip>(graph, std::move(roots), skip).collect();
}

std::vector<NodeId> nodes_of(const Expression& a) {
  if (a.graph() == nullptr) return {};
  return reachable(*a.graph(), {a.in(*a.graph())});
}

/// Which nodes of `order` depend on symbols of this kind.
std::vector<bool> depends_on(const Graph& graph, const std::vector<NodeId>& order, const Positions& position,
                             SymbolKind kind) {
  std::vector<bool> depends(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Graph::Node node = graph.node(order[k]);
    if (node.op == Op::symbol) depends[k] = graph.info(node.a).kind == kind;
    if (!is_leaf(node.op)) depends[k] = depends[position(node.a)];
    if (is_binary(node.op) && depends[position(node.b)]) depends[k] = true;
  }
  return depends;
}

/// ∂a/∂(node) for each node of `order` that depends on symbols of this kind, from the root down; as nodes, since there
/// may be millions.
std::vector<NodeId> adjoints(Graph& graph, const std::vector<NodeId>& order, SymbolKind kind) {
  const Positions position(order);
  const std::vector<bool> active = depends_on(graph, order, position, kind);
  std::vector<NodeId> adjoint(order.size(), graph.constant(0));
  adjoint.back() = graph.constant(1);
  const auto add = [&](std::size_t at, const Expression& term) {
    adjoint[at] = (Expression(graph, adjoint[at]) + term).in(graph);
  };
  for (std::size_t k = order.size(); k-- > 0;) {
    const Expression w(graph, adjoint[k]);
    if (!active[k] || w.is_zero() || is_leaf(graph.node(order[k]).op)) continue;
    const Operation of = operation(graph, order[k]);
    const std::size_t a = position(of.a.in(graph));
    const std::size_t b = position(of.b.in(graph));
    if (active[a]) add(a, along_first(of, w));
    if (is_binary(of.op) && active[b]) add(b, along_second(of, w));
  }
  return adjoint;
}

}  // namespace

std::vector<NodeId> reachable(const Graph& graph, std::vector<NodeId> roots) {
  return collect(graph, std::move(roots), [](NodeId) { return false; });
}

Positions::Positions(const std::vector<NodeId>& order) : order_(order) {
  if (order.empty()) return;
  first_ = order.front();
  const std::size_t range = std::size_t{order.back()} - first_ + 1;
  if (range > 8 * order.size()) return;
  table_.resize(range);
  for (std::size_t k = 0; k < order.size(); ++k) table_[order[k] - first_] = static_cast<std::uint32_t>(k);
}

std::size_t Positions::search(NodeId id) const {
  const auto found = std::lower_bound(order_.begin(), order_.end(), id);
  assert(found != order_.end() && *found == id);
  return static_cast<std::size_t>(found - order_.begin());
}

std::vector<Partial> gradient(const Expression& a, SymbolKind kind) {
  std::vector<Partial> partials;
  if (a.is_constant()) return partials;
  Graph& graph = *a.graph();
  const std::vector<NodeId> order = nodes_of(a);
  const std::vector<NodeId> adjoint = adjoints(graph, order, kind);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Graph::Node node = graph.node(order[k]);
    const bool wanted = node.op == Op::symbol && graph.info(node.a).kind == kind;
    if (const Expression partial(graph, adjoint[k]); wanted && !partial.is_zero())
      partials.push_back({node.a, partial});
  }
  std::sort(partials.begin(), partials.end(), [&graph](const Partial& left, const Partial& right) {
    return graph.info(left.symbol).index < graph.info(right.symbol).index;
  });
  return partials;
}

Expression derivative(const Expression& a, SymbolId symbol) {
  if (a.is_constant()) return 0;
  const auto rate = [symbol](SymbolId id) -> Expression { return id == symbol ? 1 : 0; };
  return DirectionalDerivative(*a.graph(), rate)(a);
}

void NodeMap::set(NodeId id, NodeId value) {
  // Pages pay where as many nodes are known as there are pages.
  if (pages_.empty() && few_.size() < 100 + id / page) {
    few_[id] = value;
    return;
  }
  set_in_page(id, value);
  for (const auto& [known, its_value] : std::exchange(few_, {})) set_in_page(known, its_value);
}

void NodeMap::set_in_page(NodeId id, NodeId value) {
  if (id / page >= pages_.size()) pages_.resize(id / page + 1);
  std::unique_ptr<NodeId[]>& at = pages_[id / page];
  if (!at) {
    at = std::make_unique_for_overwrite<NodeId[]>(page);
    std::fill_n(at.get(), page, none);
  }
  at[id % page] = value;
}

DirectionalDerivative::DirectionalDerivative(Graph& graph, std::function<Expression(SymbolId)> rates)
    : graph_(graph), rates_(std::move(rates)) {}

Expression DirectionalDerivative::operator()(const Expression& a) {
  const NodeId root = a.in(graph_);
  const auto rate_of = [this](const Expression& operand) -> Expression {
    return {graph_, known_.at(operand.in(graph_))};
  };
  for (const NodeId id : collect(graph_, {root}, [this](NodeId node) { return known_.contains(node); })) {
    const Graph::Node node = graph_.node(id);
    Expression rate = 0;
    if (node.op == Op::symbol) rate = rates_(node.a);
    if (!is_leaf(node.op)) {
      const Operation of = operation(graph_, id);
      const Expression rate_a = rate_of(of.a);
      const Expression rate_b = is_binary(node.op) ? rate_of(of.b) : 0;
      if (!rate_a.is_zero()) rate += along_first(of, rate_a);
      if (!rate_b.is_zero()) rate += along_second(of, rate_b);
    }
    known_.set(id, rate.in(graph_));
  }
  return {graph_, known_.at(root)};
}

Substitution::Substitution(Graph& graph, std::function<Expression(SymbolId)> values)
    : graph_(graph), values_(std::move(values)) {}

Expression Substitution::operator()(const Expression& a) {
  const NodeId root = a.in(graph_);
  for (const NodeId id : collect(graph_, {root}, [this](NodeId node) { return known_.contains(node); })) {
    const Graph::Node node = graph_.node(id);
    NodeId value = id;
    if (node.op == Op::symbol) value = values_(node.a).in(graph_);
    if (!is_leaf(node.op)) {
      const NodeId value_b = is_binary(node.op) ? known_.at(node.b) : 0;
      value = graph_.apply(node.op, known_.at(node.a), value_b);
    }
    known_.set(id, value);
  }
  return {graph_, known_.at(root)};
}

std::vector<SymbolId> symbols_of(const Expression& a) {
  std::vector<SymbolId> symbols;
  for (const NodeId id : nodes_of(a)) {
    const Graph::Node node = a.graph()->node(id);
    if (node.op == Op::symbol) symbols.push_back(node.a);
  }
  std::sort(symbols.begin(), symbols.end());
  return symbols;
}

std::vector<Op> not_smooth(const Expression& a) {
  std::set<Op> found;
  for (const NodeId id : nodes_of(a)) {
    const Op op = a.graph()->node(id).op;
    if (op == Op::abs || op == Op::sign || op == Op::min || op == Op::max || op == Op::less) found.insert(op);
  }
  return {found.begin(), found.end()};
}

}  // namespace taut
