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
  /// Nothing is known of events that depend on more than time and state.
  bool knows(int event) const { return known_[static_cast<std::size_t>(event)]; }
  /// Can an event's function be zero between two times?
  bool may_vanish(int event, double from, double to);
  /// Is an event's function at a state zero within rounding errors of that state, and of its own terms?
  bool is_rounding(int event, const PathPoint& at);
  /// Are they others where an input has another value?
  bool follow_inputs() const { return follow_inputs_; }

 private:
  IntervalFormulas formulas_;
  PathSymbols symbols_;
  std::vector<char> known_;
  PathPoint from_, to_;
  bool follow_inputs_;
};

}  // namespace taut
