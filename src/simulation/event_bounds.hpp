#pragma once

#include <span>

#include "expression/interval_formulas.hpp"
#include "simulation/step_path.hpp"
#include "taut/model.hpp"

namespace taut {

/// What a model's event functions can be within a step, as far as the states at its ends tell.
class EventBounds {
 public:
  EventBounds(const Model& model, std::span<const double> parameters);

  /// The ends of the step, to be filled in.
  PathPoint& from() { return from_; }
  PathPoint& to() { return to_; }
  /// Can an event's function be zero between two times? False where it depends on more than the state.
  bool may_vanish(int event, double from, double to);

 private:
  IntervalFormulas formulas_;
  PathSymbols symbols_;
  PathPoint from_, to_;
};

}  // namespace taut
