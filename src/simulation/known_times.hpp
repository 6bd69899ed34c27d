#pragma once

#include <span>
#include <string>
#include <vector>

#include "integration/step_limits.hpp"
#include "taut/model.hpp"

namespace taut {

/// What a model's formulas of time alone (drives, forces, motors) tell of a run before its first step.
struct KnownTimes {
  TimeSchedule schedule;
  /// Where a formula asks for the shortest steps, and how short: one entry for each that asks for any.
  struct Finest {
    std::string where;  ///< the model's part that it stands in
    double t, longest;
  };
  std::vector<Finest> finest;
};

/// Looks over [from, until], with these parameter values (indexed like model.parameters).
KnownTimes find_known_times(const Model& model, std::span<const double> parameters, double from, double until);

}  // namespace taut
