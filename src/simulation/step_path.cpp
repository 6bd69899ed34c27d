#include "simulation/step_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "expression/derivative.hpp"

namespace taut {
namespace {

/// The values of a cubic between a and b: at the ends, and where it turns.
Interval values_between(const Cubic& cubic, double a, double b) {
  Interval values = hull(cubic(a), cubic(b));
  for (const double turn : cubic.turns())
    if (turn > a && turn < b) values = hull(values, cubic(turn));
  return values;
}

}  // namespace

Cubic StepPath::cubic(int i) const {
  const double h = to_.t - from_.t;
  return Cubic::hermite(from_.q[i], h * from_.qdot[i], to_.q[i], h * to_.qdot[i]);
}

Interval StepPath::coordinate(int i, double a, double b) const { return values_between(cubic(i), a, b); }

Interval StepPath::rate(int i, double a, double b) const {
  return values_between(cubic(i).derivative(), a, b) / Interval(to_.t - from_.t);
}

Interval StepPath::speed(int i, double a, double b) const {
  const double rise = to_.v[i] - from_.v[i];
  return hull(from_.v[i] + a * rise, from_.v[i] + b * rise);
}

OperationList::Number numbers_of(const Model& model, std::span<const double> parameters) {
  return [&model, parameters](SymbolId id) -> const double* {
    const auto found = std::ranges::find(model.parameters, id, &Parameter::symbol);
    if (found == model.parameters.end()) return nullptr;
    return &parameters[static_cast<std::size_t>(found - model.parameters.begin())];
  };
}

int own_speeds(const Model& model) {
  return static_cast<int>(std::ranges::count_if(model.coordinates, [](const auto& c) { return !c.kinematics; }));
}

bool depends_on_state(const Expression& formula) {
  return std::ranges::any_of(symbols_of(formula), [&](SymbolId id) {
    const SymbolKind kind = formula.graph()->info(id).kind;
    return kind == SymbolKind::coordinate || kind == SymbolKind::rate || kind == SymbolKind::speed ||
           kind == SymbolKind::input;
  });
}

bool depend_on_inputs(const Graph& graph, const std::vector<NodeId>& formulas) {
  return std::ranges::any_of(reachable(graph, formulas), [&](NodeId id) {
    const Graph::Node node = graph.node(id);
    return node.op == Op::symbol && graph.info(node.a).kind == SymbolKind::input;
  });
}

bool depends_on_more_than_state(const Expression& formula) {
  return std::ranges::any_of(symbols_of(formula), [&](SymbolId id) {
    const SymbolKind kind = formula.graph()->info(id).kind;
    return kind == SymbolKind::acceleration || kind == SymbolKind::multiplier;
  });
}

PathSymbols::PathSymbols(const Graph& graph, const std::vector<SymbolId>& symbols, int own_speeds) {
  for (const SymbolId id : symbols) {
    const Symbol info = graph.info(id);
    sources_.push_back({info.kind, info.kind == SymbolKind::speed ? own_speeds + info.index : info.index});
  }
  box_.resize(sources_.size());
}

Interval PathSymbols::Source::between(const StepPath& path, double a, double b) const {
  switch (kind) {
    case SymbolKind::time:
      return path.times(a, b);
    case SymbolKind::coordinate:
      return path.coordinate(index, a, b);
    case SymbolKind::rate:
      return path.rate(index, a, b);
    case SymbolKind::speed:
      return path.speed(index, a, b);
    default:
      return Interval::everything();
  }
}

/// Not a number where states do not tell.
double PathSymbols::Source::at(const PathPoint& point) const {
  switch (kind) {
    case SymbolKind::time:
      return point.t;
    case SymbolKind::coordinate:
      return point.q[index];
    case SymbolKind::rate:
      return point.qdot[index];
    case SymbolKind::speed:
      return point.v[index];
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

std::span<const Interval> PathSymbols::box(const StepPath& path, double a, double b) {
  for (std::size_t k = 0; k < sources_.size(); ++k) box_[k] = sources_[k].between(path, a, b);
  return box_;
}

/// What is not a number may be anything: see widened().
std::span<const Interval> PathSymbols::box_around(const PathPoint& at) {
  constexpr double ulps = 8;
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const double value = sources_[k].at(at);
    box_[k] = widened(value, value, ulps);
  }
  return box_;
}

}  // namespace taut
