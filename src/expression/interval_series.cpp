#include "expression/interval_series.hpp"

#include "expression/arithmetic.hpp"
#include "expression/derivative.hpp"
#include "expression/interval_formulas.hpp"

namespace taut {
namespace {

using Series = IntervalSeries;

Series constant(const Interval& value) {
  Series y;
  y[0] = value;
  return y;
}

/// Coefficient k of a·b.
Interval product_term(const Series& a, const Series& b, int k) {
  Interval sum = 0;
  for (int j = std::max(0, k - b.degree); j <= std::min(k, a.degree); ++j) sum = sum + a[j] * b[k - j];
  return sum;
}

/// Coefficient k of ∫ w du: what y' = w u' gives.
Interval chain_term(const Series& u, const Series& w, int k) {
  Interval sum = 0;
  for (int j = std::max(1, k - w.degree); j <= std::min(k, u.degree); ++j) sum = sum + Interval(j) * u[j] * w[k - j];
  return sum / Interval(k);
}

template <class Term>
Series termwise(int degree, const Term& term) {
  Series y;
  y.degree = degree;
  for (int k = 0; k <= degree; ++k) y[k] = term(k);
  return y;
}

Series negated(const Series& a) {
  return termwise(a.degree, [&](int k) { return -a[k]; });
}

Series sum(const Series& a, const Series& b) {
  return termwise(std::max(a.degree, b.degree), [&](int k) { return a[k] + b[k]; });
}

Series hull(const Series& a, const Series& b) {
  return termwise(std::max(a.degree, b.degree), [&](int k) { return hull(a[k], b[k]); });
}

Series product(const Series& a, const Series& b, int order) {
  return termwise(std::min(order, a.degree + b.degree), [&](int k) { return product_term(a, b, k); });
}

/// Squares of intervals are not negative, which their products do not know.
Series squared(const Series& a, int order) {
  return termwise(std::min(order, 2 * a.degree), [&](int k) {
    Interval twice = 0;
    for (int j = std::max(0, k - a.degree); 2 * j < k; ++j) twice = twice + a[j] * a[k - j];
    return k % 2 == 0 ? Interval(2) * twice + square(a[k / 2]) : Interval(2) * twice;
  });
}

Series quotient(const Series& a, const Series& b, int order) {
  if (b.degree == 0) return termwise(a.degree, [&](int k) { return a[k] / b[0]; });
  Series y;
  y.degree = order;
  for (int k = 0; k <= order; ++k) {
    Interval rest = a[k];
    for (int j = 1; j <= std::min(k, b.degree); ++j) rest = rest - b[j] * y[k - j];
    y[k] = rest / b[0];
  }
  return y;
}

/// y' = y u'
Series exponential(const Series& u, int order) {
  Series y = constant(exp(u[0]));
  for (y.degree = 1; y.degree <= order; ++y.degree) y[y.degree] = chain_term(u, y, y.degree);
  y.degree = order;
  return y;
}

/// Two functions with y' = w u' and w' = sign·y u': sine and cosine, sinh and cosh.
Series first_of_pair(const Series& u, const Interval& y0, const Interval& w0, double sign, int order) {
  Series y = constant(y0), w = constant(w0);
  for (int k = 1; k <= order; ++k) {
    const Interval next = chain_term(u, w, k), other = Interval(sign) * chain_term(u, y, k);
    y[k] = next;
    w[k] = other;
    y.degree = w.degree = k;
  }
  return y;
}

/// y' = w u' with w = 1 + sign·y², for tan and tanh: w' = 2·sign·y w u', so that w stays small where it is.
Series tangent(const Series& u, const Interval& y0, const Interval& w0, double sign, int order) {
  Series y = constant(y0), w = constant(w0), yw = constant(y0 * w0);
  for (int k = 1; k <= order; ++k) {
    const Interval next = chain_term(u, w, k), other = Interval(2 * sign) * chain_term(u, yw, k);
    y[k] = next;
    w[k] = other;
    y.degree = w.degree = yw.degree = k;
    yw[k] = product_term(y, w, k);
  }
  return y;
}

/// y' = w u'
Series integral(const Series& u, const Interval& y0, const Series& w, int order) {
  Series y = constant(y0);
  for (int k = 1; k <= order; ++k) y[k] = chain_term(u, w, k);
  y.degree = order;
  return y;
}

/// u y' = r y u'
Series fixed_power(const Series& u, double r, const Interval& y0, int order) {
  Series y = constant(y0);
  for (int k = 1; k <= order; ++k) {
    Interval rest = 0;
    for (int j = 1; j <= std::min(k, u.degree); ++j) rest = rest + Interval(r * j - (k - j)) * u[j] * y[k - j];
    y[k] = rest / (Interval(k) * u[0]);
  }
  y.degree = order;
  return y;
}

/// By squaring, so that bases may pass through nought.
Series whole_power(Series x, int n, int order) {
  Series y = constant(1);
  bool first = true;
  for (int left = std::abs(n); left != 0; left /= 2) {
    if (left % 2 != 0) y = first ? x : product(y, x, order);
    if (left % 2 != 0) first = false;
    if (left > 1) x = squared(x, order);
  }
  return n < 0 ? quotient(constant(1), y, order) : y;
}

Series logarithm(const Series& u, int order) { return integral(u, log(u[0]), quotient(constant(1), u, order), order); }

Series power(const Series& a, const Series& b, int order) {
  const bool fixed = b.degree == 0 && b[0].lo == b[0].hi;
  if (!fixed) return exponential(product(b, logarithm(a, order), order), order);
  const double r = b[0].lo;
  Series y = is_whole_exponent(r) ? whole_power(a, static_cast<int>(r), order) : fixed_power(a, r, pow(a[0], r), order);
  y[0] = pow(a[0], r);
  return y;
}

/// (a' b − a b')/(a² + b²), integrated.
Series angle(const Series& a, const Series& b, int order) {
  const Series length = sum(squared(a, order), squared(b, order));
  const Series by_a = quotient(b, length, order), by_b = quotient(a, length, order);
  Series y = constant(atan2(a[0], b[0]));
  for (int k = 1; k <= order; ++k) y[k] = chain_term(a, by_a, k) - chain_term(b, by_b, k);
  y.degree = order;
  return y;
}

Series inverse_root(const Series& u, int order) {
  const Series below = sum(constant(1), negated(squared(u, order)));
  return fixed_power(below, -0.5, pow(below[0], -0.5), order);
}

// Beyond a kink a function goes on as another one: where the argument does not tell on which side it is, the hull of
// both. What a jump itself does is looked at by those who look for zeros of the argument.

Series size(const Series& u) {
  if (u[0].lo >= 0) return u;
  if (u[0].hi <= 0) return negated(u);
  Series y = hull(u, negated(u));
  y[0] = abs(u[0]);
  return y;
}

Series smaller(const Series& a, const Series& b) {
  if (a[0].hi <= b[0].lo) return a;
  if (b[0].hi <= a[0].lo) return b;
  Series y = hull(a, b);
  y[0] = {std::min(a[0].lo, b[0].lo), std::min(a[0].hi, b[0].hi)};
  return y;
}

Series larger(const Series& a, const Series& b) { return negated(smaller(negated(a), negated(b))); }

/// Of a function with an argument that changes.
Series function(Op op, const Series& u, int order) {
  const Interval& x = u[0];
  switch (op) {
    case Op::sin:
      return first_of_pair(u, sin(x), cos(x), -1, order);
    case Op::cos:
      return first_of_pair(u, cos(x), -sin(x), -1, order);
    case Op::sinh:
      return first_of_pair(u, sinh(x), cosh(x), 1, order);
    case Op::cosh:
      return first_of_pair(u, cosh(x), sinh(x), 1, order);
    case Op::tan:
      return tangent(u, tan(x), Interval(1) + square(tan(x)), 1, order);
    case Op::tanh:
      return tangent(u, tanh(x), squared_secant_of_tanh(x), -1, order);
    case Op::asin:
      return integral(u, asin(x), inverse_root(u, order), order);
    case Op::acos:
      return integral(u, acos(x), negated(inverse_root(u, order)), order);
    case Op::atan:
      return integral(u, atan(x), quotient(constant(1), sum(constant(1), squared(u, order)), order), order);
    case Op::exp:
      return exponential(u, order);
    case Op::log:
      return logarithm(u, order);
    case Op::sqrt:
      return fixed_power(u, 0.5, sqrt(x), order);
    case Op::abs:
      return size(u);
    default:
      return constant(enclosed(op, x, x));
  }
}

Series combined(Op op, const Series& a, const Series& b, int order) {
  switch (op) {
    case Op::add:
      return sum(a, b);
    case Op::subtract:
      return sum(a, negated(b));
    case Op::multiply:
      return &a == &b ? squared(a, order) : product(a, b, order);
    case Op::divide:
      return quotient(a, b, order);
    case Op::power:
      return power(a, b, order);
    case Op::atan2:
      return angle(a, b, order);
    case Op::min:
      return smaller(a, b);
    case Op::max:
      return larger(a, b);
    default:
      return constant(enclosed(op, a[0], b[0]));
  }
}

Series function_or_constant(Op op, const Series& u, int order) {
  if (op == Op::negate) return negated(u);
  return u.degree == 0 ? constant(enclosed(op, u[0], u[0])) : function(op, u, order);
}

Series combined_or_constant(Op op, const Series& a, const Series& b, int order) {
  const bool fixed = a.degree == 0 && b.degree == 0;
  return fixed ? constant(enclosed(op, a[0], b[0])) : combined(op, a, b, order);
}

}  // namespace

EnclosedFormula::EnclosedFormula(const Graph& graph, NodeId root, SymbolId variable,
                                 std::span<const double> values_by_symbol)
    : operations_(
          OperationList(graph, {root}, [&](SymbolId id) { return id == variable ? nullptr : &values_by_symbol[id]; })
              .operations),
      series_(operations_.size()) {}

const IntervalSeries& EnclosedFormula::over(const Interval& x, int order) {
  for (std::size_t k = 0; k < operations_.size(); ++k) {
    const ListedOperation& operation = operations_[k];
    const Series &a = series_[static_cast<std::size_t>(operation.a)],
                 &b = series_[static_cast<std::size_t>(operation.b)];
    if (operation.op == Op::constant) {
      series_[k] = constant(operation.value);
    } else if (operation.op == Op::symbol) {
      series_[k] = constant(x);
      series_[k][1] = 1;
      series_[k].degree = 1;
    } else if (is_binary(operation.op)) {
      series_[k] = combined_or_constant(operation.op, a, b, order);
    } else {
      series_[k] = function_or_constant(operation.op, a, order);
    }
  }
  return series_.back();
}

}  // namespace taut
