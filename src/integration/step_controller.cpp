#include "integration/step_controller.hpp"

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

constexpr double safety = 0.9, largest_growth = 6, largest_shrink = 0.2;
/// Of a step of which no error is known, before the next attempt.
constexpr double blind_shrink = 0.25;
/// Errors that are smaller say no more than this one.
constexpr double least_error = 1e-4;

}  // namespace

StepController::StepController(const Tableau& tableau)
    : exponent_(1.0 / tableau.error_order),
      damping_(tableau.order < 8 ? 0.04 : 0.03) {}  // without it one attempt in four fails at order 8

void StepController::start(double h) {
  h_ = h;
  failed_h_ = 0;
  forget_errors();
}

void StepController::forget_errors() {
  last_error_ = least_error;
  after_failure_ = false;
}

void StepController::accept(double h, double error) {
  const double e = std::max(error, 1e-10);
  const double factor = safety * std::pow(e, -(exponent_ - 0.75 * damping_)) * std::pow(last_error_, damping_);
  const double next = h * std::clamp(factor, largest_shrink, after_failure_ ? 1.0 : largest_growth);
  // A step that was cut short for other reasons than its error says little against a longer one.
  h_ = h < planned_ ? std::max(next, planned_) : next;
  after_failure_ = false;
  last_error_ = std::max(error, least_error);
  failed_h_ = 0;
}

void StepController::refuse(double h, double error) {
  shrink(h, safety * std::pow(error, -exponent_));
  failed_h_ = h;
  failed_error_ = error;
}

void StepController::refuse(double h) {
  shrink(h, blind_shrink);
  failed_h_ = 0;
}

void StepController::shrink(double h, double factor) {
  h_ = h * std::clamp(factor, largest_shrink, 0.9);
  after_failure_ = true;
}

}  // namespace taut
