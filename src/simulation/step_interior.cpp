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
  return y_;
}

bool StepInterior::go_to(double t) {
  return run_.parts.integrator->interpolate(t, y_) && run_.parts.motion->project_output(t, y_);
}

bool StepInterior::go_to_row(double t) {
  if (!run_.parts.integrator->interpolate(t, y_)) return false;
  return (rows_ && rows_->project(t, y_)) || run_.parts.motion->project_output(t, y_);
}

}  // namespace taut
