#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "expression/arithmetic.hpp"
#include "expression/derivative.hpp"
#include "taut/expression.hpp"

/// Random formulas over four symbols, written once and read twice: as graph and as plain numbers of
/// higher precision, which know nothing of simplification.
namespace taut {

inline long double compute_precisely(Op op, long double a, long double b) {
  switch (op) {
    case Op::negate:
      return -a;
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return std::pow(a, b);
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::asin:
      return std::asin(a);
    case Op::acos:
      return std::acos(a);
    case Op::atan:
      return std::atan(a);
    case Op::atan2:
      return std::atan2(a, b);
    case Op::sinh:
      return std::sinh(a);
    case Op::cosh:
      return std::cosh(a);
    case Op::tanh:
      return std::tanh(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::abs:
      return std::abs(a);
    case Op::sign:
      return a > 0 ? 1 : a < 0 ? -1 : 0;
    case Op::min:
      return std::min(a, b);
    case Op::max:
      return std::max(a, b);
    case Op::less:
      return a < b ? 1 : 0;
    default:
      return a;
  }
}

using Point = std::array<long double, 4>;

/// Reads a formula as numbers, and remembers the largest number met, reciprocals of divisors included.
struct Numbers {
  using Value = long double;
  Point symbols;
  long double largest = 0;

  Value number(double value) const { return value; }
  Value symbol(std::size_t k) const { return symbols[k]; }
  Value apply(Op op, Value a, Value b) {
    const Value result = compute_precisely(op, a, b);
    largest = std::max({largest, std::abs(a), std::abs(result)});
    if (op == Op::divide) largest = std::max(largest, 1 / std::abs(b));
    return result;
  }
};

/// Reads a formula as nodes of a graph.
struct Nodes {
  using Value = Expression;
  Graph& graph;
  std::array<Expression, 4> symbols;

  Value number(double value) const { return {graph, graph.constant(value)}; }
  Value symbol(std::size_t k) const { return symbols[k]; }
  Value apply(Op op, const Value& a, const Value& b) {
    return is_binary(op) ? taut::apply(op, a, b) : taut::apply(op, a);
  }
};

/// Four coordinates and room for formulas of them.
struct FourSymbols {
  Graph graph;
  std::array<SymbolId, 4> ids;
  std::array<Expression, 4> expressions;

  FourSymbols() {
    const char* names[] = {"x", "y", "z", "w"};
    for (std::size_t k = 0; k < 4; ++k) {
      ids[k] = graph.declare(names[k], SymbolKind::coordinate);
      expressions[k] = Expression(graph, graph.symbol(ids[k]));
    }
  }
  Nodes nodes() { return {graph, expressions}; }
};

/// Writes the formula that belongs to a seed into whatever reads it.
template <class Reader>
class RandomFormula {
 public:
  using Value = typename Reader::Value;

  RandomFormula(Reader& reader, std::uint64_t seed) : reader_(reader), random_(seed) {}

  Value operator()(int depth) {
    if (depth == 0) return leaf();
    const Value a = (*this)(depth - 1);
    const Value b = (*this)(static_cast<int>(below(static_cast<std::uint64_t>(depth))));
    return operation(a, b);
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  Value leaf() {
    const std::uint64_t choice = below(6);
    return choice < 4 ? reader_.symbol(choice) : reader_.number((static_cast<double>(below(17)) - 8) / 4);
  }

  Value operation(const Value& a, const Value& b) {
    constexpr Op plain[] = {Op::add,    Op::subtract, Op::multiply, Op::add,  Op::subtract, Op::multiply,
                            Op::divide, Op::negate,   Op::sin,      Op::cos,  Op::atan,     Op::tanh,
                            Op::abs,    Op::min,      Op::max,      Op::sign, Op::less,     Op::atan2};
    constexpr Op tamed[] = {Op::tan, Op::asin, Op::acos, Op::sinh, Op::cosh, Op::exp};
    switch (below(8)) {
      case 0:
        return reader_.apply(tamed[below(std::size(tamed))], small(a), small(a));
      case 1:
        return reader_.apply(below(2) == 0 ? Op::sqrt : Op::log, positive(a), positive(a));
      case 2:
        return reader_.apply(Op::power, a, reader_.number(1 + static_cast<double>(below(3))));
      case 3:
        return reader_.apply(Op::power, positive(a), small(b));
      default:
        return reader_.apply(plain[below(std::size(plain))], a, b);
    }
  }

  /// Between -1/2 and 1/2, where every function is defined: a/(1 + a^2).
  Value small(const Value& a) { return reader_.apply(Op::divide, a, positive(a)); }
  Value positive(const Value& a) {
    return reader_.apply(Op::add, reader_.number(1), reader_.apply(Op::multiply, a, a));
  }

  Reader& reader_;
  std::mt19937_64 random_;
};

template <class Reader>
typename Reader::Value random_formula(Reader& reader, std::uint64_t seed) {
  return RandomFormula<Reader>(reader, seed)(5);
}

inline Point random_point(std::uint64_t seed) {
  std::mt19937_64 random(seed ^ 0x5eed);
  Point point;
  for (long double& value : point) value = static_cast<double>(random() % 4001) / 1000 - 2;
  return point;
}

/// The graph's own formula in higher precision.
inline long double evaluate_precisely(const Expression& a, std::span<const long double> values) {
  if (a.is_constant()) return a.value();
  const Graph& graph = *a.graph();
  const std::vector<NodeId> order = reachable(graph, {a.in(*a.graph())});
  const Positions position(order);
  std::vector<long double> known(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Graph::Node& node = graph.node(order[k]);
    if (is_leaf(node.op)) {
      known[k] = node.op == Op::constant ? node.value : values[node.a];
    } else {
      const long double b = is_binary(node.op) ? known[position(node.b)] : 0;
      known[k] = compute_precisely(node.op, known[position(node.a)], b);
    }
  }
  return known.back();
}

}  // namespace taut
