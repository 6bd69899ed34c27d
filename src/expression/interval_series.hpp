#pragma once

#include <array>
#include <span>
#include <vector>

#include "expression/interval.hpp"
#include "expression/operation_list.hpp"
#include "taut/expression.hpp"

/// Taylor series whose coefficients are intervals: what a formula of one symbol and its derivatives can be anywhere in
/// an interval of that symbol. The recurrences are those of Moore, Interval Analysis (1966), chapter 11, and of
/// Griewank & Walther, Evaluating Derivatives, 13.2.
namespace taut {

struct IntervalSeries {
  static constexpr int highest_order = 8;

  std::array<Interval, highest_order + 1> coefficients;  ///< y⁽ᵏ⁾/k!
  int degree = 0;                                        ///< those above it are nought

  const Interval& operator[](int k) const { return coefficients[static_cast<std::size_t>(k)]; }
  Interval& operator[](int k) { return coefficients[static_cast<std::size_t>(k)]; }
};

/// A formula of one symbol, ready to be enclosed.
class EnclosedFormula {
 public:
  /// All symbols but `variable` have the values given, by their numbers.
  EnclosedFormula(const Graph& graph, NodeId root, SymbolId variable, std::span<const double> values_by_symbol);

  /// Value and derivatives for all points of an interval, up to an order. Lasts until the next call.
  const IntervalSeries& over(const Interval& x, int order = IntervalSeries::highest_order);

 private:
  std::vector<ListedOperation> operations_;
  std::vector<IntervalSeries> series_;  ///< one for each operation
};

}  // namespace taut
