#include "expression/interval_formulas.hpp"

#include <algorithm>

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

IntervalFormulas::IntervalFormulas(const Graph& graph, const std::vector<NodeId>& roots,
                                   const OperationList::Number& number)
    : list_(graph, roots, number), values_(list_.operations.size()), results_(list_.roots.size()) {}

std::span<const Interval> IntervalFormulas::over(std::span<const Interval> box) {
  for (std::size_t k = 0; k < list_.operations.size(); ++k) {
    const auto& [op, a, b, value] = list_.operations[k];
    if (op == Op::constant) {
      values_[k] = value;
    } else if (op == Op::symbol) {
      values_[k] = box[static_cast<std::size_t>(a)];
    } else {
      values_[k] = enclosed(op, values_[static_cast<std::size_t>(a)], values_[static_cast<std::size_t>(b)]);
    }
  }
  for (std::size_t k = 0; k < results_.size(); ++k) results_[k] = values_[static_cast<std::size_t>(list_.roots[k])];
  return results_;
}

}  // namespace taut
