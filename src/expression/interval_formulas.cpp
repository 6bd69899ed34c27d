#include "expression/interval_formulas.hpp"

#include <algorithm>

#include "expression/arithmetic.hpp"
#include "expression/derivative.hpp"

namespace taut {
namespace {

Interval sign(const Interval& u) {
  const auto of = [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; };
  return {of(u.lo), of(u.hi)};
}

Interval is_less(const Interval& a, const Interval& b) { return {a.hi < b.lo ? 1.0 : 0.0, a.lo < b.hi ? 1.0 : 0.0}; }

Interval power(const Interval& a, const Interval& b) { return b.lo == b.hi ? pow(a, b.lo) : exp(b * log(a)); }

}  // namespace

Interval enclosed(Op op, const Interval& a, const Interval& b) {
  switch (op) {
    case Op::negate:
      return -a;
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return &a == &b ? square(a) : a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return power(a, b);
    case Op::sin:
      return sin(a);
    case Op::cos:
      return cos(a);
    case Op::tan:
      return tan(a);
    case Op::asin:
      return asin(a);
    case Op::acos:
      return acos(a);
    case Op::atan:
      return atan(a);
    case Op::atan2:
      return atan2(a, b);
    case Op::sinh:
      return sinh(a);
    case Op::cosh:
      return cosh(a);
    case Op::tanh:
      return tanh(a);
    case Op::exp:
      return exp(a);
    case Op::log:
      return log(a);
    case Op::sqrt:
      return sqrt(a);
    case Op::abs:
      return abs(a);
    case Op::sign:
      return sign(a);
    case Op::min:
      return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    case Op::max:
      return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
    case Op::less:
      return is_less(a, b);
    case Op::constant:
    case Op::symbol:
      break;
  }
  return Interval::everything();
}

IntervalFormulas::IntervalFormulas(const Graph& graph, const std::vector<NodeId>& roots, const Number& number) {
  const std::vector<NodeId> order = reachable(graph, roots);
  const Positions position(order);
  operations_.reserve(order.size());
  for (const NodeId id : order) {
    const Graph::Node node = graph.node(id);
    Operation operation{node.op, 0, 0, node.value};
    if (!is_leaf(node.op)) operation.a = static_cast<int>(position(node.a));
    if (is_binary(node.op)) operation.b = static_cast<int>(position(node.b));
    if (node.op == Op::symbol) {
      if (const double* value = number(node.a)) {
        operation = {Op::constant, 0, 0, *value};
      } else {
        operation.a = static_cast<int>(symbols_.size());
        symbols_.push_back(node.a);
      }
    }
    operations_.push_back(operation);
  }
  for (const NodeId root : roots) roots_.push_back(static_cast<int>(position(root)));
  values_.resize(operations_.size());
  results_.resize(roots_.size());
}

std::span<const Interval> IntervalFormulas::over(std::span<const Interval> box) {
  for (std::size_t k = 0; k < operations_.size(); ++k) {
    const auto& [op, a, b, value] = operations_[k];
    if (op == Op::constant) {
      values_[k] = value;
    } else if (op == Op::symbol) {
      values_[k] = box[static_cast<std::size_t>(a)];
    } else {
      values_[k] = enclosed(op, values_[static_cast<std::size_t>(a)], values_[static_cast<std::size_t>(b)]);
    }
  }
  for (std::size_t k = 0; k < roots_.size(); ++k) results_[k] = values_[static_cast<std::size_t>(roots_[k])];
  return results_;
}

}  // namespace taut
