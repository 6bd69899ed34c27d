#pragma once

#include <span>
#include <vector>

#include "expression/interval_formulas.hpp"
#include "integration/cubic.hpp"
#include "taut/model.hpp"
#include "taut/vector.hpp"

namespace taut {

/// A state of a motion: coordinates, their rates, and speeds.
struct PathPoint {
  double t = 0;
  Vector q, qdot, v;
};

/// How a motion goes within a step, as far as both ends tell: coordinates along the cubics of Hermite, speeds along
/// straight lines. That is not the integrator's own accuracy, but shows what lies on the way.
class StepPath {
 public:
  StepPath(const PathPoint& from, const PathPoint& to) : from_(from), to_(to) {}

  double time(double share) const { return from_.t + share * (to_.t - from_.t); }
  /// All values between two shares of the step.
  Interval times(double a, double b) const { return {time(a), time(b)}; }
  Interval coordinate(int i, double a, double b) const;
  Interval rate(int i, double a, double b) const;
  Interval speed(int i, double a, double b) const;

 private:
  Cubic cubic(int i) const;

  const PathPoint &from_, &to_;
};

/// Parameters are numbers, other symbols are not. The values must last.
OperationList::Number numbers_of(const Model& model, std::span<const double> parameters);

/// How many speeds are rates of coordinates: they come first in the state.
int own_speeds(const Model& model);

/// Does a formula depend on coordinates, rates or speeds?
/// … or on an input, which is no more known before the run.
bool depends_on_state(const Expression& formula);
/// Does one of these formulas depend on an input?
bool depend_on_inputs(const Graph& graph, const std::vector<NodeId>& formulas);
/// Does it depend on accelerations or multipliers, which states alone do not tell?
bool depends_on_more_than_state(const Expression& formula);

/// The symbols that some formulas depend on, and where a path gives their values.
class PathSymbols {
 public:
  /// Symbols for speeds stand in the state after this many that are rates of coordinates.
  PathSymbols(const Graph& graph, const std::vector<SymbolId>& symbols, int own_speeds);

  /// Intervals of all symbols between two shares of a step; a symbol that states do not tell may be anything.
  std::span<const Interval> box(const StepPath& path, double a, double b);
  /// The same at a state, with room for some rounding errors of it.
  std::span<const Interval> box_around(const PathPoint& at);

 private:
  struct Source {
    SymbolKind kind;
    int index;

    Interval between(const StepPath& path, double a, double b) const;
    double at(const PathPoint& point) const;
  };
  std::vector<Source> sources_;
  std::vector<Interval> box_;
};

}  // namespace taut
