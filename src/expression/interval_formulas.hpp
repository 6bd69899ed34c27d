#pragma once

#include <span>
#include <vector>

#include "expression/interval.hpp"
#include "expression/operation_list.hpp"

namespace taut {

/// What an operation can give for operands anywhere in their intervals; b is not read where there is no second one.
Interval enclosed(Op op, const Interval& a, const Interval& b);

/// Formulas of many symbols, ready to be enclosed over a box of them.
class IntervalFormulas {
 public:
  IntervalFormulas(const Graph& graph, const std::vector<NodeId>& roots, const OperationList::Number& number);

  /// The symbols that formulas depend on, in the order in which a box gives their intervals.
  const std::vector<SymbolId>& symbols() const { return list_.symbols; }
  /// One interval for each formula. Lasts until the next call.
  std::span<const Interval> over(std::span<const Interval> box);

 private:
  OperationList list_;
  std::vector<Interval> values_, results_;
};

}  // namespace taut
