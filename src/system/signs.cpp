#include "system/signs.hpp"

#include <algorithm>
#include <cmath>

#include "expression/arithmetic.hpp"
#include "expression/derivative.hpp"

namespace taut {

int Signs::of(NodeId id) {
  for (const NodeId part : reachable(graph_, {id}))
    if (!known_.contains(part)) known_[part] = from_operands(graph_.node(part));
  return known_.at(id);
}

NodeId Signs::simplest_of_same(NodeId id) {
  for (;;) {
    const Graph::Node node = graph_.node(id);
    if (node.op == Op::negate) return graph_.apply(Op::negate, simplest_of_same(node.a));
    if (rises_through_zero(node) || ((node.op == Op::multiply || node.op == Op::divide) && of(node.b) > 0)) {
      id = node.a;
    } else if (node.op == Op::multiply && of(node.a) > 0) {
      id = node.b;
    } else {
      return id;
    }
  }
}

int Signs::from_operands(const Graph::Node& node) const {
  const int a = is_leaf(node.op) ? 0 : known_.at(node.a), b = is_binary(node.op) ? known_.at(node.b) : 0;
  switch (node.op) {
    case Op::constant:
      return node.value > 0 ? 1 : node.value < 0 ? -1 : 0;
    case Op::exp:
    case Op::cosh:
      return 1;
    case Op::negate:
      return -a;
    case Op::sqrt:
    case Op::power:
      return std::max(a, 0);
    case Op::multiply:
    case Op::divide:
      return a * b;
    case Op::add:
      return a == b ? a : 0;
    case Op::subtract:
      return a == -b ? a : 0;
    default:
      return 0;
  }
}

/// Has it the sign of its first operand?
bool Signs::rises_through_zero(const Graph::Node& node) const {
  if (node.op == Op::power) {
    const Graph::Node exponent = graph_.node(node.b);
    return exponent.op == Op::constant && is_whole_exponent(exponent.value) && std::fmod(exponent.value, 2) == 1;
  }
  return node.op == Op::sign || node.op == Op::tanh || node.op == Op::atan || node.op == Op::sinh ||
         node.op == Op::asin;
}

}  // namespace taut
