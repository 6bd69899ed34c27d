#include "model/tree/transcript.hpp"

#include "expression/arithmetic.hpp"

namespace taut {

void Transcript::bind(const Expression& formula, const Expression& value) {
  if (formula.is_constant()) return;
  known_.set(formula.in(from_), value.in(to_));
}

void Transcript::bind(const Vector3& formula, const Vector3& value) {
  for (int k = 0; k < 3; ++k) bind(formula[k], value[k]);
}

void Transcript::bind(SymbolId symbol, const Expression& value) { known_.set(from_.symbol(symbol), value.in(to_)); }

Expression Transcript::operator()(const Expression& formula) {
  if (formula.is_constant()) return formula.value();
  const NodeId root = formula.in(*formula.graph());
  // Depth first, and not below what is known.
  std::vector<NodeId> open{root};
  while (!open.empty()) {
    const NodeId id = open.back();
    if (known_.contains(id)) {
      open.pop_back();
      continue;
    }
    const Graph::Node node = from_.node(id);
    if (node.op == Op::constant || node.op == Op::symbol) {
      known_.set(id, node.op == Op::constant ? to_.constant(node.value) : unbound_(node.a).in(to_));
      open.pop_back();
      continue;
    }
    const bool binary = is_binary(node.op);
    const bool has_a = known_.contains(node.a), has_b = !binary || known_.contains(node.b);
    if (has_a && has_b) {
      known_.set(id, to_.apply(node.op, known_.at(node.a), binary ? known_.at(node.b) : 0));
      open.pop_back();
      continue;
    }
    if (!has_b) open.push_back(node.b);
    if (!has_a) open.push_back(node.a);
  }
  return {to_, known_.at(root)};
}

}  // namespace taut
