#include "simulation/step_interior.hpp"

namespace taut {
namespace {

/// Corrections of rows are interpolated where so many or more of them fall into a step: about twice as many as states
/// are projected for that.
constexpr double many_rows = 24;
/// So many states in a row must be where the polynomial has them before they are projected.
constexpr int foreseen = 3;

}  // namespace

void StepInterior::start(const Vector& y) {
  const RunParts& parts = run_.parts;
  if (parts.options.every || !parts.shape.watches.empty()) y_ = y;
  if (!parts.options.every || !parts.method->corrects() || !DenseProjection::serves(run_.parts.manifold)) return;
  rows_.emplace(run_.parts.manifold);
  corrections_.emplace(y.size());
  projected_ = foreseen_ = y;
}

void StepInterior::begin_step(const Step& step) {
  if (!rows_) return;
  rows_->begin_step(run_.parts.integrator->t());
  t0_ = step.t0;
  h_ = step.h;
  corrected_by_ = step.h > many_rows * *run_.parts.options.every ? By::polynomial_to_be_found : By::projection;
}

/// Makes room where it is not known from the start that states will be asked for: the first passage, the end of a
/// contradiction.
void StepInterior::make_room() {
  if (y_.size() == 0) y_ = run_.parts.integrator->y();
}

const Vector& StepInterior::near(double t) {
  make_room();
  run_.parts.integrator->interpolate(t, y_);
  return_to_surfaces(t);
  return y_;
}

bool StepInterior::project_at(double t) {
  make_room();
  const bool reached = run_.parts.integrator->interpolate(t, y_) && run_.parts.motion->observe().project(t, y_);
  return_to_surfaces(t);
  return reached;
}

bool StepInterior::project_row_at(double t) {
  make_room();
  if (corrected_by_ == By::polynomial_to_be_found) corrected_by_ = find_corrections() ? By::polynomial : By::projection;
  if (!run_.parts.integrator->interpolate(t, y_)) return false;
  const bool reached = put_onto_constraints(t);
  return_to_surfaces(t);
  return reached;
}

bool StepInterior::put_onto_constraints(double t) {
  if (corrected_by_ == By::polynomial) {
    corrections_->add_to((t - t0_) / h_, y_);
    return true;
  }
  return (rows_ && rows_->project(t, y_)) || run_.parts.motion->observe().project(t, y_);
}

/// Projects states of the step until the polynomial through their corrections foresees the next ones. Each is moved
/// from where interpolation has it: where a foreseen correction would lead depends on the states before.
bool StepInterior::find_corrections() {
  corrections_->begin();
  for (int known = 0; known < foreseen;) {
    if (corrections_->is_full()) return false;
    const double x = corrections_->next_point(), t = t0_ + x * h_;
    if (!run_.parts.integrator->interpolate(t, y_)) return false;
    projected_ = foreseen_ = y_;
    corrections_->add_to(x, foreseen_);
    if (!rows_->project(t, projected_)) return false;
    known = rows_->are_same(projected_, foreseen_) ? known + 1 : 0;
    projected_ -= y_;
    corrections_->add(projected_);
  }
  return true;
}

/// What sticks does so between the ends of a step, too.
void StepInterior::return_to_surfaces(double t) {
  if (run_.parts.switched) run_.parts.switched->return_to_surfaces(t, y_);
}

}  // namespace taut
