#include "simulation/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulation/names.hpp"

namespace taut {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void Recorder::start(double t, const Vector& y) {
  if (!is_wanted()) return;
  start_ = t;
  // Rows of a run that goes on fall where they would have fallen.
  if (const auto every = run_.parts.options.every;
      every && std::abs(t - std::round(t / *every) * *every) < 1e-9 * *every) {
    rows_ = std::lround(t / *every);
    start_ = 0;
  }
  name_columns();
  row_.reserve(trajectory_.columns.size());
  if (observer_) observer_->start(trajectory_.columns);
  record(t, y);
}

void Recorder::name_columns() {
  const Shape& shape = run_.parts.shape;
  auto& columns = trajectory_.columns;
  columns.emplace_back("t");
  const Shape::Following& also = shape.following;
  for (const auto* names : {&shape.coordinates, &also.coordinates})
    for (const auto& name : *names) columns.push_back(name);
  for (const auto* names : {&shape.coordinates, &also.coordinates})
    for (const auto& name : *names) columns.push_back(name + "'");
  for (int i = shape.own_speeds(); i < shape.n_v(); ++i) columns.push_back(shape.speeds[i]);
  for (const auto& name : also.speeds) columns.push_back(name);
  for (const auto& name : shape.outputs) columns.push_back(name);
  if (run_.parts.options.effort) name_effort();
}

void Recorder::name_effort() {
  const Shape& shape = run_.parts.shape;
  auto& columns = trajectory_.columns;
  if (run_.parts.motion->observe().has_impulses())
    for (int i = 0; i < shape.position_rows; ++i) columns.push_back("mu(" + shape.constraints[i] + ")");
  if (shape.rows() > 0)
    for (int i = 0; i < shape.n_v(); ++i) columns.push_back("Qc(" + acceleration_name(shape, i) + ")");
  if (run_.parts.motion->observe().moves_positions()) columns.emplace_back("correction");
  impulses_ = Vector::Constant(shape.position_rows, unknown);
  forces_ = Vector::Zero(shape.n_v());
}

bool Recorder::is_at_end(double t) const { return std::abs(t - run_.t()) <= 1e-13 * std::max(1.0, run_.t()); }

void Recorder::record_within_step() {
  if (!run_.parts.options.every) return;
  const double end = run_.t();
  for (double t = next_row(); t <= end * (1 + 1e-14) && !is_at_end(t); t = next_row()) {
    ++rows_;
    record_between(t);
    if (!may_go_on(t)) return;
  }
}

void Recorder::record_end() {
  if (run_.log.summary().outcome == Outcome::interrupted) return;
  const Options& options = run_.parts.options;
  const double end = run_.t();
  const bool is_row = !options.every || is_at_end(next_row());
  if (options.every && is_row) ++rows_;
  // The end of the run is recorded, too, where it lies between two rows.
  if (is_row || run_.ended_at || end >= options.until) record(end, run_.state());
}

/// A step may hold more rows than anyone waits for.
bool Recorder::may_go_on(double t) {
  if (!observer_ || !attention_.is_due()) return true;
  if (observer_->progress(t, run_.parts.options.until, run_.conformance.largest())) return true;
  run_.log.stop(Outcome::interrupted, fmt::format("interrupted at t = {:.6g}, among the rows of a step", t));
  return false;
}

void Recorder::record_between(double t) {
  if (!interior_.project_row_at(t) && interior_.y().allFinite()) ++unprojected_rows_;
  record(t, interior_.y());
}

void Recorder::record(double t, const Vector& y) {
  if (!values_.find_row(t, y)) ++empty_rows_;
  row_.clear();
  row_.push_back(t);
  append_state();
  const auto outputs = static_cast<Eigen::Index>(run_.parts.shape.outputs.size());
  for (Eigen::Index i = 0; i < outputs; ++i) row_.push_back(values_.outputs()[i]);
  if (run_.parts.options.effort) append_effort(t, y);
  if (observer_) observer_->row(row_);
  if (run_.parts.options.record) trajectory_.rows.push_back(row_);
}

void Recorder::append(const Vector& values) { row_.insert(row_.end(), values.begin(), values.end()); }

void Recorder::append(const double*& values, std::size_t count) {
  row_.insert(row_.end(), values, values + count);
  values += count;
}

/// Coordinates, rates and speeds, each with what follows from the state behind them.
void Recorder::append_state() {
  const Shape& shape = run_.parts.shape;
  const double* following = values_.following().data();
  append(values_.q());
  append(following, shape.following.coordinates.size());
  append(values_.qdot());
  append(following, shape.following.coordinates.size());
  for (int i = shape.own_speeds(); i < shape.n_v(); ++i) row_.push_back(values_.v()[i]);
  append(following, shape.following.speeds.size());
}

void Recorder::append_effort(double t, const Vector& y) {
  Motion& motion = *run_.parts.motion;
  const double moved = std::max(motion.report().correction, motion.report().term);
  run_.observed.count(run_.parts.manifold, [&] {
    if (motion.observe().has_impulses()) append_impulses();
    if (run_.parts.shape.rows() > 0) append_forces(t, y);
  });
  if (motion.observe().moves_positions()) row_.push_back(run_.log.summary().steps > 0 ? moved : unknown);
}

/// Those of the step that the row lies in, which are found once.
void Recorder::append_impulses() {
  const long steps = run_.log.summary().steps;
  if (impulses_of_ != steps && !run_.find_impulses(impulses_)) impulses_.setConstant(unknown);
  impulses_of_ = steps;
  append(impulses_);
}

/// Last, and then the way that outputs ask: the next step finds its beginning evaluated.
void Recorder::append_forces(double t, const Vector& y) {
  Motion& motion = *run_.parts.motion;
  run_.parts.observe_at(t, y, [&] { return motion.observe().constraint_forces(t, y, forces_); });
  values_.find_accelerations(t, y);
  append(forces_);
}

}  // namespace taut
