#include "expression/operation_list.hpp"

#include "expression/arithmetic.hpp"
#include "expression/derivative.hpp"

namespace taut {

OperationList::OperationList(const Graph& graph, const std::vector<NodeId>& formulas, const Number& number) {
  const std::vector<NodeId> order = reachable(graph, formulas);
  const Positions position(order);
  operations.reserve(order.size());
  for (const NodeId id : order) {
    const Graph::Node node = graph.node(id);
    ListedOperation operation{node.op, 0, 0, node.value};
    if (!is_leaf(node.op)) operation.a = static_cast<int>(position(node.a));
    if (is_binary(node.op)) operation.b = static_cast<int>(position(node.b));
    if (node.op == Op::symbol) {
      if (const double* value = number(node.a)) {
        operation = {Op::constant, 0, 0, *value};
      } else {
        operation.a = static_cast<int>(symbols.size());
        symbols.push_back(node.a);
      }
    }
    operations.push_back(operation);
  }
  for (const NodeId formula : formulas) roots.push_back(static_cast<int>(position(formula)));
}

}  // namespace taut
