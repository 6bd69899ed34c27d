#include "integration/adams_bashforth.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "integration/hermite.hpp"

namespace taut {

void AdamsBashforth::start(Ode& ode, double t, const Vector& y, const StepControl& control) {
  ode_ = &ode;
  extensions_ = ode.extensions();
  if (extensions_.terms) extensions_.terms->separate_held_terms();
  steps_ = FixedSteps(t, *control.step, control.until);
  t_ = t;
  y_ = y;
  const Vector zero = Vector::Zero(y.size());
  past_.assign(std::max<std::size_t>(beta_.size() - 1, 1), zero);
  slope_ = rate_ = y_new_ = y_old_ = y_end_ = stage_ = stage_slope_ = zero;
  dense_.fill(zero);
  known_ = 0;
  slope_known_ = dense_ready_ = false;
  same_coordinates_ = true;
  rejected_ = 0;
}

const Step& AdamsBashforth::advance() {
  double end = steps_.next();
  for (;;) {
    if (!attempt(end)) return give_up();
    const double better = extensions_.switching ? end_on_branch(end) : end;
    if (better == end) return extensions_.approves(end, y_new_) ? accept(end, end - t_) : object();
    end = better;
  }
}

bool AdamsBashforth::attempt(double end) {
  const double h = end - t_;
  ode_->begin_step(t_, y_, h);
  if (!find_slope(h)) return false;
  if (!extensions_.terms || !extensions_.terms->held_terms(t_, y_, h, rate_)) rate_.setZero();
  const bool by_history = enough_history() && steps_.is_whole(h);
  order_ = by_history ? static_cast<int>(beta_.size()) : 4;
  if (by_history) {
    extrapolate(h);
  } else if (!runge_kutta(h)) {
    return false;
  }
  y_new_.noalias() += h * rate_;
  return y_new_.allFinite() && ode_->correct(end, y_new_) != Correction::failed;
}

/// Where the right-hand side says that the step just tried ends.
double AdamsBashforth::end_on_branch(double end) {
  if (!ode_->derivative(end, y_new_, end - t_, stage_slope_)) return end;
  const auto between = [&](double t, Vector& y) { hermite({t_, y_, slope_}, {end, y_new_, stage_slope_}, t, y); };
  const double better = extensions_.switching->step_end(t_, end, between);
  if (better != end) slope_known_ = false;
  return better;
}

/// The derivative at the beginning of the step: at the corrected state, whatever was evaluated on the way to it.
bool AdamsBashforth::find_slope(double h) {
  if (slope_known_ && !extensions_.depends_on_step()) return true;
  return slope_known_ = ode_->derivative(t_, y_, h, slope_) && slope_.allFinite();
}

void AdamsBashforth::extrapolate(double h) {
  y_new_ = y_ + (h * beta_[0]) * slope_;
  for (std::size_t j = 1; j < beta_.size(); ++j) y_new_.noalias() += (h * beta_[j]) * past_[j - 1];
}

bool AdamsBashforth::runge_kutta(double h) {
  constexpr std::array reach = {0.5, 0.5, 1.0};
  constexpr std::array weight = {1. / 3, 1. / 3, 1. / 6};
  y_new_ = y_ + (h / 6) * slope_;
  stage_slope_ = slope_;
  for (std::size_t i = 0; i < reach.size(); ++i) {
    stage_ = y_ + (reach[i] * h) * stage_slope_;
    if (!ode_->derivative(t_ + reach[i] * h, stage_, h, stage_slope_)) return false;
    y_new_.noalias() += (weight[i] * h) * stage_slope_;
  }
  return true;
}

const Step& AdamsBashforth::accept(double end, double h) {
  step_.ok = true;
  step_.t0 = t_;
  step_.h = h;
  y_old_.swap(y_);
  y_.swap(y_new_);
  y_end_ = y_;
  t_ = end;
  steps_.count(end);
  std::rotate(past_.begin(), past_.end() - 1, past_.end());
  past_.front().swap(slope_);
  slope_known_ = dense_ready_ = false;
  same_coordinates_ = ode_->accept(t_, y_) != Acceptance::new_coordinates;
  // Weights are those of derivatives at equal distances.
  known_ = same_coordinates_ && steps_.is_whole(h) ? std::min(known_ + 1, past_.size()) : 0;
  return step_;
}

const Step& AdamsBashforth::give_up() {
  step_.ok = false;
  step_.reason = "the equations have no finite, correctable value here";
  return step_;
}

const Step& AdamsBashforth::object() {
  step_.ok = false;
  step_.reason = extensions_.objection();
  return step_;
}

/// The cubic of Hermite; a parabola where the end of the step is known in other coordinates only. False where the
/// derivative at the end has no value.
bool AdamsBashforth::prepare_dense() {
  const double h = step_.h;
  if (same_coordinates_ && !find_slope(h)) return false;
  dense_[0] = y_end_ - y_old_;
  dense_[1] = h * (past_.front() + rate_) - dense_[0];
  dense_[2].setZero();
  if (same_coordinates_) dense_[2] = dense_[0] - dense_[1] - h * (slope_ + rate_);
  return dense_ready_ = true;
}

/// y(θ) = y + θ(F₀ + (1−θ)(F₁ + θF₂))
bool AdamsBashforth::interpolate(double t, Vector& y) {
  if (!dense_ready_ && !prepare_dense()) {
    y.setConstant(std::numeric_limits<double>::quiet_NaN());
    return false;
  }
  const double x = (t - step_.t0) / step_.h;
  y = y_old_ + x * (dense_[0] + (1 - x) * (dense_[1] + x * dense_[2]));
  return true;
}

}  // namespace taut
