#pragma once

#include <functional>
#include <unordered_map>

#include "expression/derivative.hpp"
#include "taut/space.hpp"

namespace taut {

/// Writes formulas of one graph, or of one that it begins with, anew in another, with symbols, and whole formulas,
/// replaced by others.
class Transcript {
 public:
  /// `unbound` is asked for symbols that nothing has been said of.
  Transcript(Graph& from, Graph& to, std::function<Expression(SymbolId)> unbound)
      : from_(from), to_(to), unbound_(std::move(unbound)) {}

  /// From now on `formula` of the first graph is `value` of the second.
  void bind(const Expression& formula, const Expression& value);
  void bind(const Vector3& formula, const Vector3& value);
  void bind(SymbolId symbol, const Expression& value);

  Expression operator()(const Expression& formula);
  Vector3 operator()(const Vector3& v) { return {(*this)(v.x), (*this)(v.y), (*this)(v.z)}; }

 private:
  Graph& from_;
  Graph& to_;
  std::function<Expression(SymbolId)> unbound_;
  NodeMap known_;
};

}  // namespace taut
