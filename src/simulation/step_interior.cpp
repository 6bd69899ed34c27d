#include "simulation/step_interior.hpp"

namespace taut {
namespace {

/// Corrections of rows are predicted where so many or more of them fall into a step.
constexpr double many_rows = 8;

}  // namespace

void StepInterior::start(const Vector& y) {
  y_ = y;
  const RunParts& parts = run_.parts;
  if (parts.options.every && parts.method->corrects() && DenseProjection::serves(run_.parts.manifold))
    rows_.emplace(run_.parts.manifold);
}

void StepInterior::begin_step(const Step& step) {
  if (rows_) rows_->begin_step(run_.parts.integrator->t(), step.h > many_rows * *run_.parts.options.every);
}

const Vector& StepInterior::near(double t) {
  run_.parts.integrator->interpolate(t, y_);
  return_to_surfaces(t);
  return y_;
}

bool StepInterior::project_at(double t) {
  const bool reached = run_.parts.integrator->interpolate(t, y_) && run_.parts.motion->project_output(t, y_);
  return_to_surfaces(t);
  return reached;
}

bool StepInterior::project_row_at(double t) {
  if (!run_.parts.integrator->interpolate(t, y_)) return false;
  const bool reached = (rows_ && rows_->project(t, y_)) || run_.parts.motion->project_output(t, y_);
  return_to_surfaces(t);
  return reached;
}

/// What sticks does so between the ends of a step, too.
void StepInterior::return_to_surfaces(double t) {
  if (run_.parts.switched) run_.parts.switched->return_to_surfaces(t, y_);
}

}  // namespace taut
