#include "expression/identity.hpp"

#include <complex>
#include <cstdint>
#include <numbers>
#include <unordered_map>

#include "expression/arithmetic.hpp"
#include "expression/derivative.hpp"

namespace taut {
namespace {

/// Complex, so that roots of what may be negative do not stop it.
using Number = std::complex<double>;

/// A value, and the size of what was added up to it: rounding is told from values by it.
struct Sized {
  Number value;
  double size;
};

constexpr int trials = 4;
/// What rounding may leave of zero, relative to what was added up.
constexpr double rounding = 1e-11;

/// Between 0 and 1, different for each key and trial.
double share(std::uint64_t key, int trial) {
  std::uint64_t x = key * 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(trial) * 0xD1B54A32D192ED03ull;
  x ^= x >> 31;
  x *= 0xBF58476D1CE4E5B9ull;
  x ^= x >> 29;
  return static_cast<double>(x >> 11) * 0x1p-53;
}

/// On both sides of one: high powers neither vanish in all trials nor outgrow everything else.
double value_of_symbol(std::uint64_t symbol, int trial) { return 0.6 + 1.1 * share(symbol, trial); }

Number power(const Number& a, const Number& b) {
  const double n = b.real();
  if (b.imag() != 0 || !is_whole_exponent(n)) return std::pow(a, b);
  Number result = 1, x = a;
  for (int left = static_cast<int>(std::abs(n)); left != 0; left /= 2, x *= x)
    if (left % 2 != 0) result *= x;
  return n < 0 ? 1.0 / result : result;
}

/// What stands for a function of an argument, known by its node.
double unknown(Op op, std::uint64_t argument, std::uint64_t second, int trial) {
  const double angle = 0.2 + 1.1 * share(3 * argument + 1, trial), growth = 0.3 + share(3 * argument + 2, trial);
  switch (op) {
    case Op::sin:
      return std::sin(angle);
    case Op::cos:
      return std::cos(angle);
    case Op::tan:
      return std::tan(angle);
    case Op::sinh:
      return std::sinh(growth);
    case Op::cosh:
      return std::cosh(growth);
    case Op::tanh:
      return std::tanh(growth);
    case Op::asin:
      return angle;
    case Op::acos:
      return std::numbers::pi / 2 - angle;
    default:
      return value_of_symbol((3 * argument + 1) * 64 + static_cast<std::uint64_t>(op) + second * 0x10001ull, trial);
  }
}

bool is_transcendental(Op op) {
  switch (op) {
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::asin:
    case Op::acos:
    case Op::atan:
    case Op::atan2:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
    case Op::exp:
    case Op::log:
      return true;
    default:
      return false;
  }
}

/// A formula with unknowns for its functions.
class Algebraic {
 public:
  explicit Algebraic(int trial) : trial_(trial) {}

  Sized operator()(const Graph::Node& node) {
    switch (node.op) {
      case Op::constant:
        return {node.value, std::abs(node.value)};
      case Op::symbol:
        return alone(value_of_symbol(node.a, trial_));
      case Op::negate:
        return {-at(node.a).value, at(node.a).size};
      case Op::add:
        return {at(node.a).value + at(node.b).value, at(node.a).size + at(node.b).size};
      case Op::subtract:
        return {at(node.a).value - at(node.b).value, at(node.a).size + at(node.b).size};
      case Op::multiply:
        return {at(node.a).value * at(node.b).value, at(node.a).size * at(node.b).size};
      case Op::divide:
        return {at(node.a).value / at(node.b).value, at(node.a).size / std::abs(at(node.b).value)};
      case Op::power:
        return alone(power(at(node.a).value, at(node.b).value));
      case Op::sqrt:
        return alone(std::sqrt(at(node.a).value));
      default:
        return alone(unknown(node.op, node.a, is_binary(node.op) ? node.b : 0, trial_));
    }
  }
  void keep(NodeId id, const Sized& value) { known_[id] = value; }

 private:
  const Sized& at(NodeId id) const { return known_.at(id); }
  static Sized alone(const Number& value) { return {value, std::abs(value)}; }

  int trial_;
  std::unordered_map<NodeId, Sized> known_;
};

/// The same with functions evaluated, at values where all of them have one.
class Evaluated {
 public:
  explicit Evaluated(int trial) : algebraic_(trial), trial_(trial) {}

  Sized operator()(const Graph::Node& node) {
    if (node.op == Op::symbol) {
      const double value = 0.3 + 0.37 * share(node.a, trial_);
      return {value, value};
    }
    if (!is_transcendental(node.op)) return algebraic_(node);
    const double value = compute(node.op, real_.at(node.a), is_binary(node.op) ? real_.at(node.b) : 0);
    return {value, std::abs(value)};
  }
  void keep(NodeId id, const Sized& value) {
    algebraic_.keep(id, value);
    real_[id] = value.value.real();
  }

 private:
  Algebraic algebraic_;
  int trial_;
  std::unordered_map<NodeId, double> real_;
};

template <class Rules>
bool vanishes(const Expression& formula) {
  if (formula.is_zero()) return true;
  if (formula.is_constant()) return false;
  if (!not_smooth(formula).empty()) return false;  // zero on one side of a kink says nothing of the other
  Graph& graph = *formula.graph();
  const auto nodes = reachable(graph, {formula.in(graph)});
  for (int trial = 0; trial < trials; ++trial) {
    Rules rules(trial);
    Sized last{};
    for (const NodeId id : nodes) rules.keep(id, last = rules(graph.node(id)));
    if (!(std::abs(last.value) <= rounding * last.size)) return false;
  }
  return true;
}

}  // namespace

bool vanishes_identically(const Expression& formula) { return vanishes<Algebraic>(formula); }

bool vanishes_at_samples(const Expression& formula) { return vanishes<Evaluated>(formula); }

}  // namespace taut
