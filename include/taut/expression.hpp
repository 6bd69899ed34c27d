#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "taut/visibility.hpp"

/// Formulas. A formula is a node of an append-only graph in which the same sub-formula exists once
/// (hash-consing); an Expression is a handle to one node. Operands always have smaller numbers than
/// the node that uses them, so walking the numbers upwards is a topological order.
namespace taut TAUT_PUBLIC {

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
/// An input is a parameter whose value may change between steps.
enum class SymbolKind : std::uint8_t { time, parameter, coordinate, rate, speed, acceleration, multiplier, input };

struct Symbol {
  SymbolKind kind;
  int index;              ///< which one of its kind, counted from 0 in the order of declaration
  std::string_view name;  ///< good until the next symbol is declared
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
  /// A graph that begins with all that `base` holds now, and grows by itself. It reads the base where that stands:
  /// nothing is copied, and the base may go on growing.
  explicit Graph(std::shared_ptr<const Graph> base);

  NodeId constant(double value);
  NodeId symbol(SymbolId id);
  /// The node for op(a) or op(a, b), simplified; simplification never changes what a formula means.
  NodeId apply(Op op, NodeId a, NodeId b = 0);

  Node node(NodeId id) const;
  std::size_t size() const { return first_ + ops_.size(); }

  SymbolId declare(std::string_view name, SymbolKind kind);
  Symbol info(SymbolId id) const;
  std::size_t symbols() const { return first_symbol_ + symbols_.size(); }
  int count(SymbolKind kind) const { return counts_[static_cast<std::size_t>(kind)]; }

  /// States that `rate` is the time derivative of `id`: x' of x, x'' of x'.
  void set_rate(SymbolId id, SymbolId rate);
  /// The symbol that is the time derivative of `id`, or no_symbol.
  SymbolId rate(SymbolId id) const { return id < first_symbol_ ? base_->rate(id) : symbols_[id - first_symbol_].rate; }

  /// Gives back the room that was kept for more, and for finding formulas again: the next new formula takes it anew.
  void shrink();

 private:
  /// A sequence that grows without moving what it holds, and keeps little room ahead.
  template <class T>
  class Blocks {
   public:
    const T& operator[](std::size_t k) const { return blocks_[k / length][k % length]; }
    std::size_t size() const { return size_; }
    void push_back(const T& value) {
      if (size_ == length * blocks_.size()) blocks_.push_back(std::make_unique_for_overwrite<T[]>(length));
      blocks_.back()[size_++ % length] = value;
    }

   private:
    static constexpr std::size_t length = 1024;
    std::vector<std::unique_ptr<T[]>> blocks_;
    std::size_t size_ = 0;
  };

  /// The operands of an operation, or the two halves of a constant's bits.
  struct Operands {
    NodeId a, b;
    bool operator==(const Operands&) const = default;
  };

  /// The name of a symbol ends here among names_, and begins where that of the one before ends.
  struct Declared {
    SymbolKind kind;
    int index;
    SymbolId rate;
    std::uint32_t name_end;
  };

  static constexpr NodeId none = ~NodeId{0};
  class Probe;
  /// Where nodes from `first` to `end` stand, each at the first free place that a Probe comes to.
  struct Index {
    std::vector<NodeId> places;
    NodeId first = 0, end = 0;
  };
  static std::uint64_t hash(Op op, const Operands& operands);
  Operands operands(NodeId id) const { return id < first_ ? base_->operands(id) : operands_[id - first_]; }
  Op op(NodeId id) const { return id < first_ ? base_->op(id) : ops_[id - first_]; }
  NodeId find(Op op, const Operands& operands, std::uint64_t hash) const;
  NodeId find(const Index& index, Op op, const Operands& operands, std::uint64_t hash) const;
  NodeId intern(Op op, const Operands& operands);
  bool is_findable() const {
    return !own_.places.empty() && (!base_ || !below_.places.empty() || base_->is_findable());
  }
  void make_findable();
  void place(Index& index, NodeId id, Op op, const Operands& operands, std::uint64_t hash) const;
  void fill(Index& index, std::size_t places) const;
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

  std::shared_ptr<const Graph> base_;
  NodeId first_ = 0;  ///< nodes and symbols with smaller numbers are those of the base
  SymbolId first_symbol_ = 0;
  Blocks<Op> ops_;
  Blocks<Operands> operands_;  ///< like ops_
  Index own_;                  ///< own nodes; without places after shrink()
  Index below_;                ///< all nodes before them, where the base does not find them itself
  std::vector<Declared> symbols_;
  std::string names_;
  std::array<int, 8> counts_{};  ///< symbols of each kind
};

inline Graph::Node Graph::node(NodeId id) const {
  if (id < first_) return base_->node(id);
  const auto [a, b] = operands_[id - first_];
  const Op op = ops_[id - first_];
  if (op != Op::constant) return {op, a, b, 0};
  return {op, 0, 0, std::bit_cast<double>(std::uint64_t{a} << 32 | b)};
}

inline Symbol Graph::info(SymbolId id) const {
  if (id < first_symbol_) return base_->info(id);
  const std::size_t own = id - first_symbol_;
  const Declared& symbol = symbols_[own];
  const std::uint32_t begin = own == 0 ? 0 : symbols_[own - 1].name_end;
  return {symbol.kind, symbol.index, std::string_view(names_).substr(begin, symbol.name_end - begin)};
}

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
  union {
    double value_;  ///< of a plain number
    NodeId node_;   ///< in a graph
  };
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

}  // namespace TAUT_PUBLIC
