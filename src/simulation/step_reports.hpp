#pragma once

#include <optional>

#include "simulation/attention.hpp"
#include "simulation/run_state.hpp"
#include "simulation/state_formulas.hpp"
#include "simulation/state_values.hpp"
#include "simulation/step_figures.hpp"

namespace taut {

/// What an observer is told of steps: figures of each, if it wishes, and now and then how far the run is.
class StepReports {
 public:
  StepReports(RunState& run, StateValues& values, Observer* observer)
      : run_(run), values_(values), observer_(observer) {}

  /// States the columns, and tells of where the run begins. The model is null of a system that is not made of one; its
  /// parameters may change meanwhile.
  void start(double t, const Vector& y, const Model* model, const std::vector<double>& parameters);
  /// Of the step just accepted.
  void report(const Step& step);

 private:
  void report_figures(double t, double h, const Vector& y);
  void report_progress();
  void find_tree_multipliers(const Model& model);
  void add_tree_multipliers(double t, std::vector<double>& row);

  RunState& run_;
  StateValues& values_;
  Observer* observer_;
  Attention attention_;
  std::optional<StepFigures> figures_;
  /// Multipliers of the constraints that joints of a tree would have: what the forces of these joints follow from.
  std::optional<StateFormulas> tree_multipliers_;
  std::vector<std::string> columns_;
  std::vector<double> row_;
  const std::vector<double>* parameters_ = nullptr;
};

}  // namespace taut
