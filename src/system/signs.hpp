#pragma once

#include <unordered_map>

#include "taut/expression.hpp"

namespace taut {

/// Signs that formulas have for all values of their symbols.
class Signs {
 public:
  explicit Signs(Graph& graph) : graph_(graph) {}

  /// 1 above zero, −1 below, 0 where it may be either or zero. A formula that others share is looked at once.
  int of(NodeId id);
  /// A simpler formula that has the same sign everywhere, and zero where the other is zero: of (x − 5)³ it is x − 5,
  /// whose zero has a slope to find it by.
  NodeId simplest_of_same(NodeId id);

 private:
  int from_operands(const Graph::Node& node) const;
  bool rises_through_zero(const Graph::Node& node) const;

  Graph& graph_;
  std::unordered_map<NodeId, int> known_;
};

}  // namespace taut
