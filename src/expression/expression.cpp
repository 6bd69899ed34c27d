#include "taut/expression.hpp"

#include <cassert>
#include <charconv>
#include <utility>

#include "expression/arithmetic.hpp"
#include "expression/derivative.hpp"
#include "expression/parser.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

/// The graph in which a and b meet; null if both are plain numbers.
Graph* common_graph(const Expression& a, const Expression& b) {
  if (a.graph() != nullptr && b.graph() != nullptr && a.graph() != b.graph()) {
    throw InputError("formulas of two different models cannot be combined", "build both from the names of one model");
  }
  return a.graph() != nullptr ? a.graph() : b.graph();
}

/// How tightly an operation binds, from the loosest; a minus counts as a product, for -a*b is -(a*b).
enum Binding : int { as_sum = 1, as_product, as_power, as_operand };

Binding binding(const Graph::Node& node) {
  switch (node.op) {
    case Op::add:
    case Op::subtract:
      return as_sum;
    case Op::negate:
    case Op::multiply:
    case Op::divide:
      return as_product;
    case Op::power:
      return as_power;
    case Op::constant:
      return node.value < 0 ? as_product : as_operand;
    default:
      return as_operand;
  }
}

std::string_view function_name(Op op) {
  for (const Function& function : functions()) {
    if (function.op == op) return function.name;
  }
  return "less";
}

/// Writes a formula as text. What lies deeper than `deepest`, or would come after `longest`
/// characters, is written as an ellipsis: shared parts can make a small graph an endless text.
class Writer {
 public:
  explicit Writer(const Graph& graph) : graph_(graph) {}

  void write(NodeId id, Binding least = as_sum) {
    if (depth_ == deepest || text_.size() > longest) {
      text_ += "…";
      return;
    }
    ++depth_;
    const bool bracketed = binding(graph_.node(id)) < least;
    if (bracketed) text_ += '(';
    write_node(graph_.node(id));
    if (bracketed) text_ += ')';
    --depth_;
  }

  std::string take() { return std::move(text_); }

  void write_number(double value) {
    char digits[32];
    const auto [end, status] = std::to_chars(digits, digits + sizeof digits, value);
    assert(status == std::errc{});
    text_.append(digits, end);
  }

 private:
  static constexpr int deepest = 1000;
  static constexpr std::size_t longest = 100'000;

  void write_node(const Graph::Node& node) {
    switch (node.op) {
      case Op::constant:
        return write_number(node.value);
      case Op::symbol:
        text_ += graph_.info(node.a).name;
        return;
      case Op::negate:
        text_ += '-';
        return write(node.a, as_product);
      case Op::add:
        return write_sum(node);
      case Op::subtract:
        return write_pair(node.a, as_sum, " - ", node.b, as_product);
      case Op::multiply:
        return write_product(node);
      case Op::divide:
        return write_pair(node.a, as_product, "/", node.b, as_power);
      case Op::power:
        return write_pair(node.a, as_operand, "^", node.b, as_power);
      default:
        return write_call(node);
    }
  }

  void write_pair(NodeId a, Binding a_least, std::string_view sign, NodeId b, Binding b_least) {
    write(a, a_least);
    text_ += sign;
    write(b, b_least);
  }

  /// The operand that is itself a sum goes first: it needs no brackets there.
  void write_sum(const Graph::Node& node) {
    const bool swapped = binding(graph_.node(node.b)) == as_sum && binding(graph_.node(node.a)) != as_sum;
    write_pair(swapped ? node.b : node.a, as_sum, " + ", swapped ? node.a : node.b, as_product);
  }

  bool is_product(NodeId id) const { return graph_.node(id).op == Op::multiply; }
  bool is_scaled(const Graph::Node& product) const { return graph_.node(product.a).op == Op::constant; }

  /// The operand that is itself a product goes first, unless the other is a constant.
  bool is_exchanged(const Graph::Node& product) const {
    return !is_scaled(product) && is_product(product.b) && !is_product(product.a);
  }

  NodeId first_factor(NodeId id) const {
    while (is_product(id)) id = is_exchanged(graph_.node(id)) ? graph_.node(id).b : graph_.node(id).a;
    return id;
  }

  /// A constant before a product needs no brackets: 2*x*y is read as 2*(x*y). But 2*x/y is (2*x)/y.
  void write_product(const Graph::Node& node) {
    const bool exchanged = is_exchanged(node);
    const bool bare = is_scaled(node) && is_product(node.b) && graph_.node(first_factor(node.b)).op != Op::divide;
    write_pair(exchanged ? node.b : node.a, as_product, "*", exchanged ? node.a : node.b, bare ? as_product : as_power);
  }

  void write_call(const Graph::Node& node) {
    text_ += function_name(node.op);
    text_ += '(';
    write(node.a);
    if (is_binary(node.op)) {
      text_ += ", ";
      write(node.b);
    }
    text_ += ')';
  }

  const Graph& graph_;
  std::string text_;
  int depth_ = 0;
};

}  // namespace

Expression::Expression(Graph& graph, NodeId node) : graph_(&graph), node_(node) {}

bool Expression::is_constant() const { return graph_ == nullptr || graph_->node(node_).op == Op::constant; }

double Expression::value() const {
  assert(is_constant());
  return graph_ == nullptr ? value_ : graph_->node(node_).value;
}

NodeId Expression::in(Graph& graph) const {
  if (graph_ == nullptr) return graph.constant(value_);
  if (graph_ != &graph) {
    throw InputError("a formula of one model is used in another", "build it from the names of the model that uses it");
  }
  return node_;
}

bool operator==(const Expression& a, const Expression& b) {
  if (a.is_constant() && b.is_constant()) return a.value() == b.value();
  return a.graph_ == b.graph_ && a.node_ == b.node_;
}

Expression apply(Op op, const Expression& a) {
  assert(!is_binary(op) && !is_leaf(op));
  if (a.graph() == nullptr) return compute(op, a.value(), 0);
  return {*a.graph(), a.graph()->apply(op, a.in(*a.graph()))};
}

Expression apply(Op op, const Expression& a, const Expression& b) {
  assert(is_binary(op));
  Graph* graph = common_graph(a, b);
  if (graph != nullptr) return {*graph, graph->apply(op, a.in(*graph), b.in(*graph))};
  return op == Op::power ? constant_power(a.value(), b.value()) : compute(op, a.value(), b.value());
}

Expression operator-(const Expression& a) { return apply(Op::negate, a); }
Expression operator+(const Expression& a, const Expression& b) { return apply(Op::add, a, b); }
Expression operator-(const Expression& a, const Expression& b) { return apply(Op::subtract, a, b); }
Expression operator*(const Expression& a, const Expression& b) { return apply(Op::multiply, a, b); }
Expression operator/(const Expression& a, const Expression& b) { return apply(Op::divide, a, b); }
Expression pow(const Expression& a, const Expression& b) { return apply(Op::power, a, b); }
Expression sin(const Expression& a) { return apply(Op::sin, a); }
Expression cos(const Expression& a) { return apply(Op::cos, a); }
Expression tan(const Expression& a) { return apply(Op::tan, a); }
Expression asin(const Expression& a) { return apply(Op::asin, a); }
Expression acos(const Expression& a) { return apply(Op::acos, a); }
Expression atan(const Expression& a) { return apply(Op::atan, a); }
Expression atan2(const Expression& y, const Expression& x) { return apply(Op::atan2, y, x); }
Expression sinh(const Expression& a) { return apply(Op::sinh, a); }
Expression cosh(const Expression& a) { return apply(Op::cosh, a); }
Expression tanh(const Expression& a) { return apply(Op::tanh, a); }
Expression exp(const Expression& a) { return apply(Op::exp, a); }
Expression log(const Expression& a) { return apply(Op::log, a); }
Expression sqrt(const Expression& a) { return apply(Op::sqrt, a); }
Expression abs(const Expression& a) { return apply(Op::abs, a); }
Expression sign(const Expression& a) { return apply(Op::sign, a); }
Expression min(const Expression& a, const Expression& b) { return apply(Op::min, a, b); }
Expression max(const Expression& a, const Expression& b) { return apply(Op::max, a, b); }

Expression dot(const Expression& a) {
  if (a.graph() == nullptr) return 0;
  Graph& graph = *a.graph();
  const auto rate = [&graph](SymbolId id) -> Expression {
    const Symbol symbol = graph.info(id);
    if (symbol.kind == SymbolKind::time) return 1;
    if (symbol.kind == SymbolKind::parameter || symbol.kind == SymbolKind::input) return 0;
    if (graph.rate(id) != Graph::no_symbol) return {graph, graph.symbol(graph.rate(id))};
    throw InputError("the time derivative of '" + std::string(symbol.name) + "' is not known",
                     "only formulas of time, coordinates and their rates can be derived");
  };
  return DirectionalDerivative(graph, rate)(a);
}

std::string to_string(const Expression& a) {
  const Graph none;
  Writer writer(a.graph() != nullptr ? *a.graph() : none);
  if (a.graph() != nullptr) {
    writer.write(a.in(*a.graph()));
  } else {
    writer.write_number(a.value());
  }
  return writer.take();
}

}  // namespace taut
