#include "integration/shampine_gordon.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integration/hermite.hpp"

namespace taut {
namespace {

/// A share of the time to be covered.
constexpr double longest_first_step = 0.01;

}  // namespace

void ShampineGordon::start(Ode& ode, double t, const Vector& y, const StepControl& control) {
  ode_ = &ode;
  extensions_ = ode.extensions();
  if (extensions_.terms) extensions_.terms->separate_held_terms();
  if (extensions_.stages) extensions_.stages->correct_all_results();
  control_ = control;
  limits_ = StepLimits(control);
  scale_ = ErrorScale(control, y);
  if (control_.tested <= 0) control_.tested = static_cast<int>(y.size());
  t_ = t;
  y_ = y;
  const Vector zero = Vector::Zero(y.size());
  phi_.fill(zero);
  phi_e_.fill(zero);
  if (extensions_.norm) probe_ = zero;
  rate_ = weight_ = y_new_ = slope_ = surprise_ = y_old_ = y_end_ = gap_ = zero;
  h_ = control_.until - t_;
  rejected_ = 0;
  last_order_ = 0;
  restart_ = true;
  dense_ready_ = false;
  within_step_ = [this](double at, Vector& state) {
    hermite({t_, y_, phi_[1]}, {t_ + tried_, y_new_, slope_}, at, state);
  };
}

const Step& ShampineGordon::advance() {
  failures_ = 0;
  if (limits_.leave_stop(extensions_.stops, t_, y_)) restart_ = true;
  weigh();
  if (restart_ && !begin_anew()) return give_up(Attempt::impossible);
  for (;;) {
    double h = step_to_try();
    const Attempt outcome = attempt_on_branch(h);
    if (outcome == Attempt::accepted) return accept(h);
    ++rejected_;
    if (!shrink(h, outcome)) return give_up(outcome);
  }
}

void ShampineGordon::weigh() {
  scale_.begin(h_);
  for (Eigen::Index i = 0; i < y_.size(); ++i) weight_[i] = 1 / scale_.allowed(i, y_[i], y_[i]);
}

/// Order 1, and a step so short that h² ‖f‖ is at most 1/16 of the tolerance. What begins at rest tells nothing of its
/// time scale: a step over all of a drive's motion and back would see nothing of it.
bool ShampineGordon::begin_anew() {
  ode_->begin_step(t_, y_, h_);
  if (!ode_->derivative(t_, y_, h_, phi_[1]) || !phi_[1].allFinite()) return false;
  if (last_order_ == 0) scale_.start(phi_[1]);
  weigh();
  phi_[2].setZero();
  psi_.fill(0);
  const double speed = norm(phi_[1]);
  if (16 * speed * h_ * h_ > 1) h_ = 0.25 / std::sqrt(speed);
  h_ = std::min(h_, longest_first_step * (control_.until - t_));
  order_ = 1;
  last_order_ = equal_steps_ = 0;
  last_h_ = 0;
  starting_ = true;
  restart_ = false;
  return true;
}

/// Natural steps, but the last ends on the end, or on what else is a limit.
double ShampineGordon::step_to_try() {
  const double left = limits_.end(t_) - t_, h = std::min(h_, extensions_.longest_step());
  return h > (1 - 1e-9) * left ? left : h;
}

/// A step that passes its test is repeated until it ends where the right-hand side says.
ShampineGordon::Attempt ShampineGordon::attempt_on_branch(double& h) {
  Attempt outcome = attempt(h);
  while (outcome == Attempt::accepted && extensions_.switching) {
    tried_ = h;
    const double end = extensions_.switching->step_end(t_, t_ + h, within_step_);
    if (end == t_ + h) break;
    h = end - t_;
    outcome = attempt(h);
  }
  if (outcome != Attempt::accepted) return outcome;
  return extensions_.approves(t_ + h, y_new_) ? Attempt::accepted : Attempt::refused;
}

ShampineGordon::Attempt ShampineGordon::attempt(double h) {
  equal_steps_ = h == last_h_ ? std::min(equal_steps_ + 1, last_order_ + 1) : 1;
  formula_.prepare(order_, h, psi_);
  ode_->begin_step(t_, y_, h);
  predict(h);
  if (!ode_->derivative(t_ + h, y_new_, h, slope_) || !slope_.allFinite()) return Attempt::impossible;
  surprise_ = slope_ - phi_e_[1];
  estimate_errors(h);
  if (!std::isfinite(step_.error)) return Attempt::impossible;
  if (step_.error > 1) return Attempt::inaccurate;
  y_new_.noalias() += (h * formula_.g[order_ + 1]) * surprise_;
  if (ode_->correct(t_ + h, y_new_) == Correction::failed || !y_new_.allFinite()) return Attempt::impossible;
  const bool finite = ode_->derivative(t_ + h, y_new_, h, slope_) && slope_.allFinite();
  return finite ? Attempt::accepted : Attempt::impossible;
}

/// p = y + h Σ gᵢ φ*ᵢ, and φᵉᵢ = φ*ᵢ + φᵉᵢ₊₁ with φᵉₖ₊₁ = 0: the differences at the new point if f went on there
/// as the polynomial does.
void ShampineGordon::predict(double h) {
  const Eigen::Index n = y_.size();
  y_new_ = y_;
  phi_e_[order_ + 1].setZero();
  for (int i = order_; i >= 1; --i) {
    const double weight = h * formula_.g[i] * formula_.beta[i], beta = formula_.beta[i];
    const double* __restrict phi = phi_[i].data(), * __restrict above = phi_e_[i + 1].data();
    double* __restrict y = y_new_.data(), * __restrict expected = phi_e_[i].data();
    for (Eigen::Index j = 0; j < n; ++j) {
      y[j] += weight * phi[j];
      expected[j] = beta * phi[j] + above[j];
    }
  }
  if (extensions_.terms && extensions_.terms->held_terms(t_, y_, h, rate_)) y_new_.noalias() += h * rate_;
}

/// The error test looks at the difference between the correctors of order k and k + 1, h (gₖ₊₁ − gₖ) φₖ₊₁. The
/// estimates for choosing the order are those of equal steps, h γ*ⱼ σⱼ₊₁ φⱼ₊₁ for order j.
void ShampineGordon::estimate_errors(double h) {
  const int k = order_;
  const auto& star = adams_moulton_error();
  const auto& sigma = formula_.sigma;
  const double size = h * norm(surprise_);
  step_.error = size * std::abs(formula_.g[k] - formula_.g[k + 1]);
  errors_ = {};
  errors_.here = size * sigma[k + 1] * star[k];
  if (k >= 2) errors_.below = h * sigma[k] * star[k - 1] * norm(phi_e_[k] + surprise_);
  if (k >= 3) errors_.two_below = h * sigma[k - 1] * star[k - 2] * norm(phi_e_[k - 1] + surprise_);
  new_order_ = should_lower() ? k - 1 : k;
}

bool ShampineGordon::should_lower() const {
  if (order_ == 2) return errors_.below <= 0.5 * errors_.here;
  return order_ > 2 && std::max(errors_.below, errors_.two_below) <= errors_.here;
}

/// After a failure: half the step, at the lower order if that looked better; from the third on at order 1, where the
/// step can be computed. False when there is no smaller step.
bool ShampineGordon::shrink(double h, Attempt outcome) {
  starting_ = false;
  ++failures_;
  double factor = 0.5;
  if (outcome == Attempt::inaccurate) {
    if (failures_ > 3 && errors_.here > 2) factor = std::sqrt(0.5 / errors_.here);
    order_ = new_order_;
  }
  if (failures_ >= 3) order_ = 1;
  h_ = factor * h;
  if (outcome == Attempt::inaccurate && failures_ > 3) scale_.relax();
  weigh();
  return h_ > 0.25 * resolution_of_time(t_, control_.until);
}

const Step& ShampineGordon::accept(double h) {
  step_.ok = true;
  step_.t0 = t_;
  step_.h = h;
  y_old_.swap(y_);
  y_.swap(y_new_);
  y_end_ = y_;
  limits_.judge(h, step_.error);
  scale_.accept(y_);
  t_ = limits_.reached(t_ + h);
  dense_ready_ = false;
  const Acceptance acceptance = ode_->accept(t_, y_);
  restart_ = acceptance == Acceptance::new_coordinates;
  if (acceptance == Acceptance::new_derivative) {
    restart_ = !ode_->derivative(t_, y_, h, surprise_) || !surprise_.allFinite();
    if (!restart_) slope_.swap(surprise_);
  }
  update_differences();
  psi_ = formula_.psi;
  last_order_ = order_;
  last_h_ = h;
  choose_order(h);
  h_ = choose_step(h);
  return step_;
}

/// φₖ₊₁ = f − φᵉ₁ with f at the accepted point, φᵢ = φᵉᵢ + φₖ₊₁; φₖ₊₂ is exact for equal steps, and used only there.
void ShampineGordon::update_differences() {
  const int k = order_;
  surprise_ = slope_ - phi_e_[1];
  phi_[k + 2] = surprise_ - phi_[k + 1];
  phi_[k + 1] = surprise_;
  const Eigen::Index n = y_.size();
  const double* __restrict surprise = surprise_.data();
  for (int i = 1; i <= k; ++i) {
    const double* __restrict expected = phi_e_[i].data();
    double* __restrict phi = phi_[i].data();
    for (Eigen::Index j = 0; j < n; ++j) phi[j] = expected[j] + surprise[j];
  }
}

/// The order goes up at the start, later if the estimate one above is smaller and can be trusted; down if one or both
/// of those below are no larger. Afterwards errors_.here belongs to the order chosen.
void ShampineGordon::choose_order(double h) {
  const int k = order_;
  const bool lower = new_order_ < k;
  if (lower || k == highest_order) starting_ = false;
  if (starting_) {
    ++order_;
    return;
  }
  const auto set_order = [&](int order, double error) {
    order_ = order;
    errors_.here = error;
  };
  if (lower) return set_order(k - 1, errors_.below);
  if (k + 1 > equal_steps_) return;
  const double above = h * adams_moulton_error()[k + 1] * norm(phi_[k + 2]);
  if (k > 1 && errors_.below <= std::min(errors_.here, above)) return set_order(k - 1, errors_.below);
  if (k < highest_order && above < (k > 1 ? 1 : 0.5) * errors_.here) set_order(k + 1, above);
}

/// Twice the step where the error would still be half of what is allowed, the same where it is, else between half of it
/// and 0.9: steps that stay equal keep the differences exact.
double ShampineGordon::choose_step(double h) const {
  if (starting_ || 0.5 >= errors_.here * std::ldexp(1.0, order_ + 1)) return 2 * h;
  if (0.5 >= errors_.here) return h;
  return h * std::clamp(std::pow(0.5 / errors_.here, 1.0 / (order_ + 1)), 0.5, 0.9);
}

const Step& ShampineGordon::give_up(Attempt outcome) {
  step_.ok = false;
  step_.reason = outcome == Attempt::refused ? extensions_.objection()
                 : outcome == Attempt::inaccurate
                     ? "the step size fell to the resolution of time without meeting the tolerance"
                     : "the equations have no finite, correctable value here";
  return step_;
}

/// The polynomial through the derivatives at the last points, from the end of the step backwards.
void ShampineGordon::evaluate_polynomial(double t, Vector& y) const {
  const double s = t - t_;
  AdamsFormula::Row weights;
  adams_interpolation(last_order_ + 1, s, psi_, weights);
  y.setZero();
  for (int i = last_order_ + 1; i >= 1; --i) y.noalias() += weights[i] * phi_[i];
  y = y_end_ + s * y;
}

/// What the polynomial misses at the beginning of the step: its own error, the correction and the terms held.
void ShampineGordon::prepare_dense() {
  evaluate_polynomial(step_.t0, gap_);
  gap_ = y_old_ - gap_;
  dense_ready_ = true;
}

/// The gap at the beginning is spread over the step, so that the whole trajectory is continuous.
bool ShampineGordon::interpolate(double t, Vector& y) {
  if (!dense_ready_) prepare_dense();
  evaluate_polynomial(t, y);
  y.noalias() += ((t_ - t) / step_.h) * gap_;
  return true;
}

}  // namespace taut
