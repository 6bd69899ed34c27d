#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

/// Formulas. A formula is a node of an append-only graph in which the same sub-formula exists once
/// (hash-consing); an Expression is a handle to one node. Operands always have smaller numbers than
/// the node that uses them, so walking the numbers upwards is a topological order.
namespace taut {

using NodeId = std::uint32_t;
using SymbolId = std::uint32_t;

// clang-format off
enum class Op : std::uint8_t {
  constant, symbol,
  negate, add, subtract, multiply, divide, power,
  sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, exp, log, sqrt,
  abs, sign, min, max,
  less,  ///< 1 where a < b, else 0: what the derivatives of min and max are made of
};
// clang-format on

/// What a symbol stands for. A coordinate x has the rate x' and the acceleration x''; a speed u
/// (quasi-velocity) has the acceleration u'. A multiplier stands for lambda(NAME).
enum class SymbolKind : std::uint8_t { time, parameter, coordinate, rate, speed, acceleration, multiplier };

struct Symbol {
  std::string name;
  SymbolKind kind;
  int index;  ///< which one of its kind, counted from 0 in the order of declaration
};

class Graph {
 public:
  static constexpr SymbolId no_symbol = ~SymbolId{0};

  struct Node {
    Op op;
    NodeId a = 0;      ///< first operand; for a symbol its SymbolId
    NodeId b = 0;      ///< second operand of a binary operation
    double value = 0;  ///< of a constant
  };

  Graph();

  NodeId constant(double value);
  NodeId symbol(SymbolId id);
  /// The node for op(a) or op(a, b), simplified; simplification never changes what a formula means.
  NodeId apply(Op op, NodeId a, NodeId b = 0);

  const Node& node(NodeId id) const { return nodes_[id]; }
  std::size_t size() const { return nodes_.size(); }

  SymbolId declare(std::string name, SymbolKind kind);
  const Symbol& info(SymbolId id) const { return symbols_[id]; }
  std::size_t symbols() const { return symbols_.size(); }
  int count(SymbolKind kind) const { return counts_[static_cast<std::size_t>(kind)]; }

  /// States that `rate` is the time derivative of `id`: x' of x, x'' of x'.
  void set_rate(SymbolId id, SymbolId rate) { rates_[id] = rate; }
  /// The symbol that is the time derivative of `id`, or no_symbol.
  SymbolId rate(SymbolId id) const { return rates_[id]; }

 private:
  struct Key {
    Op op;
    NodeId a, b;
    std::uint64_t bits;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  NodeId intern(const Node& node);
  NodeId ordered(Op op, NodeId a, NodeId b);
  NodeId simplified(Op op, NodeId a, NodeId b);
  NodeId negation(NodeId a);
  NodeId sum(NodeId a, NodeId b);
  NodeId difference(NodeId a, NodeId b);
  NodeId scaled(double factor, NodeId a);
  NodeId product(NodeId a, NodeId b);
  NodeId quotient(NodeId a, NodeId b);
  NodeId raised(NodeId a, NodeId b);
  bool is_negative(NodeId id) const;

  std::vector<Node> nodes_;
  std::unordered_map<Key, NodeId, Hash> index_;
  std::vector<Symbol> symbols_;
  std::vector<SymbolId> rates_;
  std::array<int, 7> counts_{};  ///< symbols of each kind
};

/// A handle to one node of a graph, or a plain number that belongs to no graph yet.
/// It does not own the graph: whoever made it (a Model) keeps it alive.
class Expression {
 public:
  Expression(double value = 0) : value_(value) {}
  Expression(Graph& graph, NodeId node);

  bool is_constant() const;
  double value() const;  ///< of a constant
  bool is_zero() const { return is_constant() && value() == 0; }

  Graph* graph() const { return graph_; }
  /// The node, placed in `graph` first if this is a plain number.
  NodeId in(Graph& graph) const;

  friend bool operator==(const Expression& a, const Expression& b);

 private:
  Graph* graph_ = nullptr;
  NodeId node_ = 0;
  double value_ = 0;
};

Expression apply(Op op, const Expression& a);
Expression apply(Op op, const Expression& a, const Expression& b);

Expression operator-(const Expression& a);
Expression operator+(const Expression& a, const Expression& b);
Expression operator-(const Expression& a, const Expression& b);
Expression operator*(const Expression& a, const Expression& b);
Expression operator/(const Expression& a, const Expression& b);
inline Expression& operator+=(Expression& a, const Expression& b) { return a = a + b; }
inline Expression& operator-=(Expression& a, const Expression& b) { return a = a - b; }
inline Expression& operator*=(Expression& a, const Expression& b) { return a = a * b; }
Expression pow(const Expression& a, const Expression& b);
Expression sin(const Expression& a);
Expression cos(const Expression& a);
Expression tan(const Expression& a);
Expression asin(const Expression& a);
Expression acos(const Expression& a);
Expression atan(const Expression& a);
Expression atan2(const Expression& y, const Expression& x);
Expression sinh(const Expression& a);
Expression cosh(const Expression& a);
Expression tanh(const Expression& a);
Expression exp(const Expression& a);
Expression log(const Expression& a);
Expression sqrt(const Expression& a);
Expression abs(const Expression& a);
Expression sign(const Expression& a);
Expression min(const Expression& a, const Expression& b);
Expression max(const Expression& a, const Expression& b);

/// The exact time derivative: x -> x' -> x'', t -> 1, parameters -> 0.
Expression dot(const Expression& a);

/// The formula as text, with every bracket it needs: for messages, tests and `taut check`.
std::string to_string(const Expression& a);

}  // namespace taut
