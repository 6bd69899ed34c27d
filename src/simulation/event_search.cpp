#include "simulation/event_search.hpp"

#include <fmt/format.h>

#include <utility>

namespace taut {

void EventSearch::start(double t, const Vector& y) {
  if (values_.watched_functions() == 0) return;
  const auto nearly = [this](double at) -> const Vector& { return values_.watched(at, interior_.near(at)); };
  const auto exactly = [this](double at) -> const Vector& {
    interior_.project_at(at);
    return values_.watched(at, interior_.y());
  };
  EventWatch::Bounds bounds;
  if (bounds_) {
    mark_end(t, y);
    bounds = [this](int event) { return bounds_of(event); };
  }
  watch_.emplace(static_cast<int>(values_.watched_functions()), nearly, exactly, bounds);
}

ZeroSearch::Bounds EventSearch::bounds_of(int event) {
  if (!bounds_->knows(event)) return {};
  return {[this, event](double from, double to) { return bounds_->may_vanish(event, from, to); },
          [this, event](double t) {
            interior_.project_at(t);
            fill(t, interior_.y(), point_);
            return bounds_->is_rounding(event, point_);
          }};
}

void EventSearch::fill(double t, const Vector& y, PathPoint& point) {
  const Shape& shape = run_.parts.shape;
  point.t = t;
  point.q.resize(shape.n_q());
  point.v.resize(shape.n_v());
  point.qdot.resize(shape.n_q());
  run_.parts.motion->physical(t, y, point.q, point.v);
  run_.parts.system.rates(t, point.q, point.v, point.qdot);
}

/// The state becomes the end of the step that events are looked for in, and what was its end the beginning.
void EventSearch::mark_end(double t, const Vector& y) {
  if (!bounds_) return;
  std::swap(bounds_->from(), bounds_->to());
  fill(t, y, bounds_->to());
}

void EventSearch::renew_bounds(const Model& model, const std::vector<double>& parameters) {
  if (!bounds_ || !bounds_->follow_inputs()) return;
  const PathPoint end = bounds_->to();
  bounds_.emplace(model, parameters);
  bounds_->from() = bounds_->to() = end;
}

void EventSearch::search(const Step& step) {
  if (!watch_) return;
  const Shape& shape = run_.parts.shape;
  const double end = run_.parts.integrator->t();
  mark_end(end, run_.parts.integrator->y());
  for (const auto& [t, i] : watch_->in_step(step.t0, end)) {
    if (run_.ended_at && t > *run_.ended_at) return;
    run_.log.event(t, "crossing", shape.watches[i], fmt::format("'{}' passes through zero", shape.watches[i]));
    if (shape.watch_stops[i]) end_run(t, shape.watches[i]);
  }
}

void EventSearch::end_run(double t, const std::string& name) {
  interior_.project_at(t);
  run_.end_within_step(t, interior_.y());
  run_.log.stop(Outcome::stopped, fmt::format("event '{}' at t = {:.9g}", name, t));
}

}  // namespace taut
