#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/fmu/instance.hpp"

namespace taut::fmu {

/// How a unit is tried.
struct TrialPlan {
  std::vector<double> times;         ///< where values are exchanged, ascending; the first is the start
  std::vector<std::string> columns;  ///< variables that are recorded
  std::map<std::string, std::string> starts;
  double tolerance = 1e-8;  ///< of Model Exchange
  /// Values of inputs, at each of the times.
  std::map<std::string, std::vector<double>> inputs;
};

/// What came of it: a row of the columns at each time that was reached.
struct Trial {
  bool done = false;
  std::string reason;  ///< why it was not
  std::vector<std::vector<double>> rows;
};

/// Runs a unit by itself. Nothing is thrown: what goes wrong is in the trial.
Trial try_unit(const std::shared_ptr<Library>& library, Interface interface, const TrialPlan& plan);

/// The same in a process of its own: a unit that crashes takes nothing with it.
Trial try_unit_apart(const std::shared_ptr<Library>& library, Interface interface, const TrialPlan& plan);

}  // namespace taut::fmu
