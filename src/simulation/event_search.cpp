#include "simulation/event_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "simulation/sampling.hpp"

namespace taut {
namespace {

/// Signs of a function are those at this share of a step beside its zero.
constexpr double beside = 1e-7;
/// A function of an event that has just acted is at its zero below the first of these, beside the coordinates, and has
/// left it with so many times its value there, and more than rounding.
constexpr double at_zero = 1e-6, leaves_zero = 1e3, rounding = 1e-14;

}  // namespace

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
  acting_.clear();
  if (!watch_) return;
  const Shape& shape = run_.parts.shape;
  const double end = run_.parts.integrator->t();
  mark_end(end, run_.parts.integrator->y());
  const std::vector<EventWatch::Crossing>& crossings = watch_->in_step(step.t0, end);
  for (const auto& [t, i] : crossings) {
    if (run_.ended_at && t > *run_.ended_at) return;
    if (!acting_.empty() && !is_same_instant(t, acting_at_)) break;
    const WatchRule rule = rules_.empty() ? WatchRule{} : rules_[static_cast<std::size_t>(i)];
    if (!unarmed_.empty() && unarmed_[static_cast<std::size_t>(i)] > 0) continue;
    if (rule.direction != CrossingDirection::both && !counts(i, t, step.t0, end)) continue;
    if (rule.acts) {
      acting_at_ = acting_.empty() ? t : acting_at_;
      acting_.push_back(i);
    }
    if (rule.acts) continue;  // what it does is told of
    run_.log.event(t, "crossing", shape.watches[i], fmt::format("'{}' passes through zero", shape.watches[i]));
    if (shape.watch_stops[i]) end_run(t, shape.watches[i]);
  }
  find_zeros_there(crossings);
  arm();
}

/// Whatever is zero where events act: it has been told of, or passes the other way than it is to.
void EventSearch::find_zeros_there(const std::vector<EventWatch::Crossing>& crossings) {
  zero_there_.clear();
  if (acting_.empty()) return;
  for (const auto& [t, i] : crossings)
    if (is_same_instant(t, acting_at_)) zero_there_.push_back(i);
}

/// By the function's signs on both sides, as far as the step reaches. So near its zero they are those of the motion on
/// the constraints alone: what is off them by the error of a step has its zero elsewhere.
bool EventSearch::counts(int event, double t, double from, double to) {
  const bool rises = rules_[static_cast<std::size_t>(event)].direction == CrossingDirection::rising;
  const double aside = std::max(beside * (to - from), 4 * std::numeric_limits<double>::epsilon() * std::abs(t));
  const auto height = [&](double at) {
    interior_.project_at(at);
    return (rises ? 1 : -1) * values_.watched(at, interior_.y())[event];
  };
  if (t - aside < from && t + aside > to) return height(from) < height(to);
  return (t - aside < from || height(t - aside) < 0) && (t + aside > to || height(t + aside) >= 0);
}

/// A function that was zero where events have acted still is, but for the errors of the step, and does not count again
/// until it has left that. A contact's function has another meaning behind it, and may be zero again soon.
void EventSearch::restart(double t, const Vector& y) {
  if (!watch_) return;
  mark_end(t, y);
  watch_->begin_at(t);
  unarmed_.assign(rules_.size(), 0);
  const Vector& values = values_.watched(t, y);
  const double size = 1 + values_.q().lpNorm<Eigen::Infinity>();
  for (const int event : zero_there_) {
    const double left = std::abs(values[event]);
    if (!rules_[static_cast<std::size_t>(event)].is_contact && left < at_zero * size)
      unarmed_[static_cast<std::size_t>(event)] = leaves_zero * left + rounding * size;
  }
}

void EventSearch::arm() {
  for (std::size_t k = 0; k < unarmed_.size(); ++k)
    if (unarmed_[k] > 0 && std::abs(watch_->at_end()[k].value) > unarmed_[k]) unarmed_[k] = 0;
}

void EventSearch::end_run(double t, const std::string& name) {
  interior_.project_at(t);
  run_.end_within_step(t, interior_.y());
  run_.log.stop(Outcome::stopped, fmt::format("event '{}' at t = {:.9g}", name, t));
}

}  // namespace taut
