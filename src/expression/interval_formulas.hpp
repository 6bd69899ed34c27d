#pragma once

#include <functional>
#include <span>
#include <vector>

#include "expression/interval.hpp"
#include "taut/expression.hpp"

namespace taut {

/// What an operation can give for operands anywhere in their intervals; b is not read where there is no second one.
Interval enclosed(Op op, const Interval& a, const Interval& b);

/// Formulas of many symbols, ready to be enclosed over a box of them.
class IntervalFormulas {
 public:
  /// Numbers that symbols have throughout, or none.
  using Number = std::function<const double*(SymbolId)>;
  IntervalFormulas(const Graph& graph, const std::vector<NodeId>& roots, const Number& number);

  /// The symbols that formulas depend on, in the order in which a box gives their intervals.
  const std::vector<SymbolId>& symbols() const { return symbols_; }
  /// One interval for each formula. Lasts until the next call.
  std::span<const Interval> over(std::span<const Interval> box);

 private:
  struct Operation {
    Op op;
    int a = 0, b = 0;  ///< places of the operands; of a symbol, its place in the box
    double value = 0;  ///< of a constant
  };

  std::vector<SymbolId> symbols_;
  std::vector<Operation> operations_;
  std::vector<int> roots_;
  std::vector<Interval> values_, results_;
};

}  // namespace taut
