#include "integration/step_limits.hpp"

#include <algorithm>
#include <cmath>

#include "integration/integrator.hpp"

namespace taut {
namespace {

/// A bounded step sees what it is bounded for by its stages, with an error that is at least a few hundredths of what
/// that does in the step. One that has less error than this is not the worse for it if it sees nothing.
constexpr double no_error = 1e-3;
constexpr int most_idle_steps = 20;

/// Between two times where the right-hand side is not smooth there are three steps at least: a formula that evaluates
/// it at the ends of steps alone would see nothing of a pulse that is nought at both.
constexpr double piece = 0.37;

/// A step of h = end − t ends at t + h, which rounding may put next to the end.
bool is_same_time(double a, double b) {
  return std::abs(a - b) <= 2 * std::numeric_limits<double>::epsilon() * std::max(std::abs(a), std::abs(b));
}

}  // namespace

StepLimits::StepLimits(const StepControl& control)
    : schedule_(control.schedule), until_(control.until), max_step_(control.max_step) {}

/// The first stop that is not before t.
const Stop* StepLimits::next_stop(double t) {
  if (!schedule_) return nullptr;
  const auto& stops = schedule_->stops;
  while (stop_ < stops.size() && stops[stop_].at < t && !is_same_time(stops[stop_].at, t)) ++stop_;
  return stop_ < stops.size() ? &stops[stop_] : nullptr;
}

double StepLimits::stop(double t) {
  const Stop* next = next_stop(t);
  return next ? std::min(next->at, until_) : until_;
}

/// A stretch of time with a bound may be entered by a step that is no longer than it: any other ends where the stretch
/// begins.
double StepLimits::end(double t) {
  double end = std::min(stop(t), t + max_step_);
  if (const Stop* next = next_stop(t); next && stop_ > 0 && next->at <= until_)
    end = std::min(end, std::max(t + piece * (next->at - schedule_->stops[stop_ - 1].resume), t));
  if (!schedule_ || schedule_->bounds.empty()) return end;
  const auto& bounds = schedule_->bounds;
  while (bound_ + 1 < bounds.size() && bounds[bound_ + 1].from <= t) ++bound_;
  for (std::size_t k = bound_; k < bounds.size() && bounds[k].from < end; ++k)
    if (k != idle_bound_ || idle_steps_ < most_idle_steps)
      end = std::min(end, std::max(bounds[k].from, t + bounds[k].longest));
  return end;
}

void StepLimits::judge(double h, double error) {
  if (!schedule_ || schedule_->bounds.empty()) return;
  const auto& bounds = schedule_->bounds;
  if (idle_bound_ == bound_ && idle_steps_ >= most_idle_steps) return;
  const bool idle = error < no_error && h > 0.99 * bounds[bound_].longest;
  idle_steps_ = idle ? (idle_bound_ == bound_ ? idle_steps_ + 1 : 1) : 0;
  idle_bound_ = bound_;
}

double StepLimits::reached(double t) {
  if (std::abs(until_ - t) < 1e-14 * std::abs(until_)) return until_;
  const Stop* next = next_stop(t);
  if (!next || !is_same_time(next->at, t)) return t;
  return next->resume < until_ ? next->at : until_;
}

bool StepLimits::leave_stop(StopListener* listener, double& t, Vector& y) {
  const double before = t;
  bool left = false;
  for (const Stop* next = next_stop(t); next && is_same_time(next->at, t); next = next_stop(t)) {
    t = std::max(t, next->resume);
    ++stop_;
    left = true;
  }
  if (left && listener) listener->leave_stop(before, t, y);
  return left;
}

}  // namespace taut
