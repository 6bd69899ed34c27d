#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "taut/expression.hpp"

/// Exact derivatives and substitution, as new formulas in the same graph. Nothing here recurses, so
/// that a sum of a million terms is no deeper than a sum of two.
namespace taut {

/// One non-zero entry of a gradient.
struct Partial {
  SymbolId symbol;
  Expression value;
};

/// All derivatives of `a` with respect to symbols of one kind that are not identically zero, ordered
/// by the symbols' index. Reverse mode: the cost is that of reading `a` once, however many symbols.
std::vector<Partial> gradient(const Expression& a, SymbolKind kind);

/// The derivative with respect to a single symbol.
Expression derivative(const Expression& a, SymbolId symbol);

/// What nodes of a growing graph have become, as nodes: a table of a few; once they are many, pages of those around
/// them.
class NodeMap {
 public:
  bool contains(NodeId id) const {
    if (pages_.empty()) return few_.contains(id);
    return id / page < pages_.size() && pages_[id / page] && pages_[id / page][id % page] != none;
  }
  NodeId at(NodeId id) const { return pages_.empty() ? few_.at(id) : pages_[id / page][id % page]; }
  void set(NodeId id, NodeId value);

 private:
  static constexpr NodeId none = ~NodeId{0};
  static constexpr std::size_t page = 4096;
  void set_in_page(NodeId id, NodeId value);

  std::unordered_map<NodeId, NodeId> few_;
  std::vector<std::unique_ptr<NodeId[]>> pages_;  ///< by number; empty while few_ serves
};

/// The derivative along a direction: each symbol s moves at the rate rates(s) (zero where it says so).
/// Keeps what it derived, so that many formulas that share parts are derived in one pass over them.
class DirectionalDerivative {
 public:
  DirectionalDerivative(Graph& graph, std::function<Expression(SymbolId)> rates);
  Expression operator()(const Expression& a);

 private:
  Graph& graph_;
  std::function<Expression(SymbolId)> rates_;
  NodeMap known_;
};

/// Replaces symbols by formulas: values(s), or symbol s itself where values returns it unchanged.
class Substitution {
 public:
  Substitution(Graph& graph, std::function<Expression(SymbolId)> values);
  Expression operator()(const Expression& a);

 private:
  Graph& graph_;
  std::function<Expression(SymbolId)> values_;
  NodeMap known_;
};

/// The symbols that `a` depends on, each once, in ascending order.
std::vector<SymbolId> symbols_of(const Expression& a);

/// The operations in `a` that are not smooth everywhere: abs, sign, min, max, less; each once.
std::vector<Op> not_smooth(const Expression& a);

/// The nodes `roots` consist of, each once, operands before users.
std::vector<NodeId> reachable(const Graph& graph, std::vector<NodeId> roots);

/// Where nodes stand in what reachable() returned: from a table where most numbers in between are there, else searched.
class Positions {
 public:
  explicit Positions(const std::vector<NodeId>& order);
  std::size_t operator()(NodeId id) const { return table_.empty() ? search(id) : table_[id - first_]; }

 private:
  std::size_t search(NodeId id) const;

  const std::vector<NodeId>& order_;
  NodeId first_ = 0;
  std::vector<std::uint32_t> table_;
};

}  // namespace taut
