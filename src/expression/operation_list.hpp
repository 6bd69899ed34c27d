#pragma once

#include <functional>
#include <vector>

#include "taut/expression.hpp"

namespace taut {

/// One operation of some formulas, ready to be carried out in order.
struct ListedOperation {
  Op op;
  int a = 0, b = 0;  ///< places of the operands in the list; of a symbol, its place among the symbols
  double value = 0;  ///< of a constant
};

/// Formulas as a list: operands before users, each once.
struct OperationList {
  /// Numbers that symbols have throughout, or none.
  using Number = std::function<const double*(SymbolId)>;
  OperationList(const Graph& graph, const std::vector<NodeId>& formulas, const Number& number);

  std::vector<ListedOperation> operations;
  std::vector<SymbolId> symbols;  ///< without a number
  std::vector<int> roots;         ///< places of the formulas
};

}  // namespace taut
