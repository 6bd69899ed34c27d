#include "simulation/step_path.hpp"

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

/// The values of c₀ + c₁x + c₂x² + c₃x³ between a and b: at the ends, and where it turns.
Interval values_of_cubic(const double (&c)[4], double a, double b) {
  const auto value = [&](double x) { return c[0] + x * (c[1] + x * (c[2] + x * c[3])); };
  Interval values(value(a));
  const auto include = [&](double x) { values = hull(values, value(x)); };
  include(b);
  const double discriminant = c[2] * c[2] - 3 * c[3] * c[1];
  if (!(discriminant >= 0)) return values;
  const double q = -(c[2] + std::copysign(std::sqrt(discriminant), c[2]));
  for (const double turn : {q / (3 * c[3]), c[1] / q})
    if (turn > a && turn < b) include(turn);
  return values;
}

}  // namespace

Interval StepPath::coordinate(int i, double a, double b) const {
  const double h = to_.t - from_.t, rise = to_.q[i] - from_.q[i], r0 = h * from_.qdot[i], r1 = h * to_.qdot[i];
  return values_of_cubic({from_.q[i], r0, 3 * rise - 2 * r0 - r1, r0 + r1 - 2 * rise}, a, b);
}

Interval StepPath::rate(int i, double a, double b) const {
  const double h = to_.t - from_.t, r0 = from_.qdot[i], r1 = to_.qdot[i];
  const double mean = (to_.q[i] - from_.q[i]) / h;
  return values_of_cubic({r0, 6 * mean - 4 * r0 - 2 * r1, 3 * (r0 + r1 - 2 * mean), 0}, a, b);
}

Interval StepPath::speed(int i, double a, double b) const {
  const double rise = to_.v[i] - from_.v[i];
  return hull(from_.v[i] + a * rise, from_.v[i] + b * rise);
}

IntervalFormulas::Number numbers_of(const Model& model, std::span<const double> parameters) {
  return [&model, parameters](SymbolId id) -> const double* {
    const Symbol info = model.graph->info(id);
    return info.kind == SymbolKind::parameter ? &parameters[static_cast<std::size_t>(info.index)] : nullptr;
  };
}

int own_speeds(const Model& model) {
  return static_cast<int>(std::ranges::count_if(model.coordinates, [](const auto& c) { return !c.kinematics; }));
}

PathSymbols::PathSymbols(const Graph& graph, const std::vector<SymbolId>& symbols, int own_speeds) {
  for (const SymbolId id : symbols) {
    const Symbol info = graph.info(id);
    sources_.push_back({info.kind, info.kind == SymbolKind::speed ? own_speeds + info.index : info.index});
  }
  box_.resize(sources_.size());
}

std::span<const Interval> PathSymbols::box(const StepPath& path, double a, double b) {
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const auto [kind, index] = sources_[k];
    switch (kind) {
      case SymbolKind::time:
        box_[k] = path.times(a, b);
        break;
      case SymbolKind::coordinate:
        box_[k] = path.coordinate(index, a, b);
        break;
      case SymbolKind::rate:
        box_[k] = path.rate(index, a, b);
        break;
      case SymbolKind::speed:
        box_[k] = path.speed(index, a, b);
        break;
      default:
        box_[k] = Interval::everything();
    }
  }
  return box_;
}

std::span<const Interval> PathSymbols::box_around(const PathPoint& at) {
  constexpr double ulps = 8;
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const auto [kind, index] = sources_[k];
    const bool known = kind == SymbolKind::time || kind == SymbolKind::coordinate || kind == SymbolKind::rate ||
                       kind == SymbolKind::speed;
    const double value = kind == SymbolKind::time         ? at.t
                         : kind == SymbolKind::coordinate ? at.q[index]
                         : kind == SymbolKind::rate       ? at.qdot[index]
                         : kind == SymbolKind::speed      ? at.v[index]
                                                          : 0;
    box_[k] = known ? widened(value, value, ulps) : Interval::everything();
  }
  return box_;
}

}  // namespace taut
