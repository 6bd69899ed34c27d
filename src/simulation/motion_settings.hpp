#pragma once

#include <optional>

#include "simulation/control.hpp"
#include "taut/vector.hpp"

namespace taut {

/// What a motion is told of the run that it is part of.
struct MotionSettings {
  Control control = Control::euler;
  bool fixed_steps = false;
  double rtol = 0;             ///< of steps that are chosen, …
  std::optional<double> atol;  ///< … as for StepControl

  /// What steps may err in entries of size 1 that happen to be nought, and in one of this size.
  double absolute() const { return atol.value_or(0.01 * rtol); }
  double allowed(double size) const { return absolute() + rtol * size; }
  /// Are there errors to compare with? Steps that are given have none.
  bool has_tolerance() const { return !fixed_steps && rtol != 0; }
};

/// What a motion tells of itself: the parts of a motion write it, the loop reads it after each step and at the end.
struct MotionReport {
  // Of the last accepted step.
  std::optional<double> passed;  ///< when it passed a singular position
  bool rank_changed = false;

  // Of the last step tried.
  double correction = 0;     ///< largest change of a coordinate that correcting its result made
  double term = 0;           ///< … and that terms in its rate made
  Vector moved;              ///< what correcting its result changed of each coordinate
  bool left_branch = false;  ///< it was refused because a chart led to another branch of the constraints

  // Counted from the start.
  long correcting_factorisations = 0;  ///< made to correct results, and for nothing else
  long unprojected = 0;                ///< stages evaluated off the constraints, since these could not be reached
  long charts = 0;                     ///< changes of the chart's base

  /// Correcting a result has moved the coordinates of y to q.
  void note_moved(const Vector& y, const Vector& q) {
    for (Eigen::Index i = 0; i < moved.size(); ++i) moved[i] = q[i] - y[i];
  }
};

}  // namespace taut
