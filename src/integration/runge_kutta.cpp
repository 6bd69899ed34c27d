#include "integration/runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/finite.hpp"
#include "integration/hermite.hpp"

namespace taut {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// A step that has been cut so often is not about to end on a branch of the right-hand side.
constexpr int most_cuts = 50;

/// Root mean square of the first entries of e, each over what it may be.
template <class Allowed>
double mean_share(const Vector& e, int count, const Allowed& allowed) {
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    const double share = e[i] / allowed(i);
    sum += share * share;
  }
  return std::sqrt(sum / count);
}

}  // namespace

void RungeKutta::start(Ode& ode, double t, const Vector& y, const StepControl& control) {
  ode_ = &ode;
  extensions_ = ode.extensions();
  control_ = control;
  limits_ = StepLimits(control);
  scale_ = ErrorScale(control, y);
  control_.groups = {};  // which is as long as the state, and not needed twice
  t_ = t;
  if (!adaptive()) fixed_ = FixedSteps(t, *control.step, control.until);
  y_ = y;
  y_new_ = y_old_ = y_end_ = slope_ = error_ = Vector::Zero(y.size());
  k_.assign(tableau_.b.size() + tableau_.dense_c.size(), error_);
  dense_.assign(tableau_.dense.size(), error_);
  if (tableau_.error.size() > 1) damping_ = error_;
  if (adaptive() || !tableau_.dense.empty()) zero_ = error_;
  slope_at_start_ = Slope::unknown;
  dense_ready_ = noisy_ = false;
  rejected_ = 0;
  crossing_.forget();
  if (control_.tested <= 0) control_.tested = static_cast<int>(y.size());
  if (adaptive()) leave_stop();
  controller_.start(adaptive() ? first_step() : *control_.step);
  if (!extensions_.switching) return;
  branch_end_ = error_;
  within_step_ = [this](double at, Vector& state) {
    hermite({t_, y_, k_[0]}, {t_ + h_last_, y_new_, branch_end_}, at, state);
  };
}

/// Where the last step ended at a stop, the next begins beyond it, with nothing that belongs before it.
void RungeKutta::leave_stop() {
  if (!limits_.leave_stop(extensions_.stops, t_, y_)) return;
  slope_at_start_ = Slope::unknown;
  controller_.forget_errors();
}

/// Hairer, Nørsett & Wanner II.4, "Starting step size": a step whose Euler error would be about 1 %.
double RungeKutta::first_step() {
  const double span = control_.until - t_;
  if (!(span > 0)) return 0;
  ode_->begin_step(t_, y_, span * 1e-6);
  if (!ode_->derivative(t_, y_, span * 1e-6, slope_)) return span * 1e-6;
  keep_slope(slope_);
  scale_.start(slope_);
  const auto norm = [this](const Vector& e) {
    return mean_share(e, control_.tested, [this](int i) { return scale_.allowed_at_start(i, y_[i]); });
  };
  const double size = norm(y_), speed = norm(slope_);
  double h = size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed;
  h = std::min(h, span);
  y_new_ = y_ + h * slope_;
  if (!ode_->derivative(t_ + h, y_new_, h, error_)) return h * 0.01;
  error_ -= slope_;
  const double bend = std::max(norm(error_) / h, speed);
  const double better = bend <= 1e-15 ? std::max(1e-6, h * 1e-3) : std::pow(0.01 / bend, 1.0 / tableau_.order);
  return std::min({100 * h, better, span});
}

/// The derivative where the next step begins has been found.
void RungeKutta::keep_slope(const Vector& slope) {
  if (extensions_.depends_on_step()) return;
  slope_ = slope;
  slope_at_start_ = Slope::known;
}

const Step& RungeKutta::advance() {
  if (!adaptive()) {
    crossing_.plan_none();
    double h = fixed_.next() - t_;
    const Attempt outcome = attempt_on_branch(h);
    return outcome == Attempt::accepted ? accept(h) : give_up(outcome);
  }
  leave_stop();
  for (;;) {
    double h = plan(std::min(controller_.step(), extensions_.longest_step()));
    h = std::min(h, (crossing_.is_crossing() ? limits_.stop(t_) : limits_.end(t_)) - t_);
    scale_.begin(h);
    const Attempt outcome = attempt_on_branch(h);
    if (outcome == Attempt::accepted) return accept(h);
    ++rejected_;
    if (outcome == Attempt::inaccurate && is_rounding(step_.error, h)) scale_.relax();
    if (!shrink(h, outcome)) return give_up(outcome);
  }
}

/// A step that passes its test is repeated until it ends where the right-hand side says.
RungeKutta::Attempt RungeKutta::attempt_on_branch(double& h) {
  Attempt outcome = attempt(h);
  for (int cuts = 0; acceptable(outcome) && extensions_.switching && !crossing_.is_crossing(); ++cuts) {
    if (cuts == most_cuts) return Attempt::impossible;
    if (!ode_->derivative(t_ + h, y_new_, h, branch_end_)) return Attempt::impossible;
    h_last_ = h;
    const double end = extensions_.switching->step_end(t_, t_ + h, within_step_);
    if (end == t_ + h) break;
    slope_at_start_ = Slope::unknown;
    h = end - t_;
    outcome = attempt(h);
  }
  return judge(outcome, h);
}

/// What the error test says, and then the equations themselves.
RungeKutta::Attempt RungeKutta::judge(Attempt outcome, double h) {
  if (!acceptable(outcome)) return outcome;
  return crossing_.is_crossing() || extensions_.approves(t_ + h, y_new_) ? Attempt::accepted : Attempt::refused;
}

double RungeKutta::plan(double h) {
  controller_.plan(h);
  const Passage passage = extensions_.singular ? extensions_.singular->passage(t_) : Passage();
  return crossing_.plan(t_, h, passage, passage.time < infinity ? limits_.stop(t_) : infinity);
}

bool RungeKutta::acceptable(Attempt outcome) const {
  if (outcome != Attempt::inaccurate || !crossing_.is_crossing()) return outcome == Attempt::accepted;
  return crossing_.accepts(step_.error);
}

RungeKutta::Attempt RungeKutta::attempt(double h) {
  const bool at_once = !adaptive() && slope_at_start_ != Slope::known && extensions_.stages &&
                       extensions_.stages->all_slopes(tableau_, t_, y_, h, k_);
  if (!at_once && !slopes_one_by_one(h)) return Attempt::impossible;
  if (!tableau_.last_is_next || at_once) combine(tableau_.b, h, y_, k_, y_new_);  // else the last stage is the result
  if (!is_finite(y_new_)) return Attempt::impossible;
  const Correction correction = ode_->correct(t_ + h, y_new_);
  if (correction == Correction::failed) return Attempt::impossible;
  slope_carries_ = correction != Correction::new_derivative && tableau_.last_is_next && !extensions_.depends_on_step();
  step_.error = tableau_.error.empty() || !adaptive() ? 0 : find_error(h);
  if (!std::isfinite(step_.error)) return Attempt::impossible;
  return step_.error <= 1 ? Attempt::accepted : Attempt::inaccurate;
}

bool RungeKutta::slopes_one_by_one(double h) {
  ode_->begin_step(t_, y_, h);
  if (slope_at_start_ == Slope::known) {
    k_[0] = slope_;
  } else {
    if (!ode_->derivative(t_, y_, h, k_[0])) return false;
    keep_slope(k_[0]);
  }
  const int stages = tableau_.stages();
  for (int i = 1; i < stages; ++i) {
    combine(tableau_.a[i], h, y_, k_, y_new_);
    if (!ode_->derivative(t_ + tableau_.c[i] * h, y_new_, h, k_[i])) return false;
  }
  return true;
}

/// The estimated error over what is allowed. Where that is one of rounding, only what the correction leaves of it
/// counts: next to a singular position slopes are noisy along the normals there, and the result has none of that.
double RungeKutta::find_error(double h) {
  const bool damped = tableau_.error.size() > 1;
  combine(tableau_.error[0], h, zero_, k_, error_);
  if (damped) combine(tableau_.error[1], h, zero_, k_, damping_);
  const double e = error_norm();
  noisy_ = e > 1 && (noisy_ || is_rounding(e, h));
  if (!noisy_ || !extensions_.error) return e;
  extensions_.error->correct_error(t_ + h, y_new_, error_);
  if (damped) extensions_.error->correct_error(t_ + h, y_new_, damping_);
  return std::min(e, error_norm());
}

/// Has the error fallen since the last attempt with less than half of the formula's order?
bool RungeKutta::is_rounding(double error, double h) const {
  const bool crosses = crossing_.is_crossing();
  const double h_before = crosses ? crossing_.tried_step() : controller_.failed_step();
  const double before = crosses ? crossing_.tried_error() : controller_.failed_error();
  return h_before > 0 && std::isfinite(before) && error > before * std::pow(h / h_before, 0.5 * tableau_.error_order);
}

/// Over what a step from y_ to y_new_ may err; or what the Ode's own norm says.
double RungeKutta::error_norm() const {
  const auto norm = [this](const Vector& e) {
    if (extensions_.norm) return extensions_.norm->norm(e);
    return mean_share(e, control_.tested, [this](int i) { return scale_.allowed(i, y_[i], y_new_[i]); });
  };
  const double e = norm(error_);
  if (tableau_.error.size() == 1) return e;
  const double e3 = norm(damping_);
  return e == 0 ? 0 : e * e / std::sqrt(e * e + 0.01 * e3 * e3);
}

const Step& RungeKutta::accept(double h) {
  step_.ok = true;
  step_.t0 = t_;
  step_.h = h;
  step_.over_tolerance = crossing_.is_crossing() && step_.error > 1;
  y_old_.swap(y_);
  y_.swap(y_new_);
  h_last_ = h;
  dense_ready_ = false;
  adaptive() ? end_adaptive_step(h) : end_fixed_step(h);
  y_end_ = y_;
  const Acceptance acceptance = ode_->accept(t_, y_);
  const bool carries = acceptance == Acceptance::same_derivative && slope_carries_;
  slope_at_start_ = acceptance == Acceptance::new_coordinates ? Slope::of_old_coordinates
                    : carries                                 ? Slope::known
                                                              : Slope::unknown;
  if (carries) slope_ = k_[tableau_.stages() - 1];
  return step_;
}

void RungeKutta::end_adaptive_step(double h) {
  limits_.judge(h, step_.error);
  scale_.accept(y_);
  t_ = limits_.reached(t_ + h);
  if (!crossing_.is_crossing()) return controller_.accept(h, step_.error);
  controller_.accept();
  crossing_.forget();
}

void RungeKutta::end_fixed_step(double h) {
  const double end = fixed_.next();
  t_ = h < (1 - 1e-9) * (end - t_) ? t_ + h : end;
  fixed_.count(t_);
}

/// Chooses a smaller step after a failed one; false when there is none.
bool RungeKutta::shrink(double h, Attempt outcome) {
  const double smallest = resolution_of_time(t_, control_.until);
  if (crossing_.is_engaged())
    return crossing_.retry(h, outcome == Attempt::inaccurate ? step_.error : infinity, smallest);
  outcome == Attempt::inaccurate ? controller_.refuse(h, step_.error) : controller_.refuse(h);
  return controller_.step() > smallest;
}

const Step& RungeKutta::give_up(Attempt outcome) {
  step_.ok = false;
  step_.reason = outcome == Attempt::refused ? extensions_.objection()
                 : outcome == Attempt::inaccurate
                     ? "the step size fell to the resolution of time without meeting the tolerance"
                     : "the equations have no finite, correctable value here";
  return step_;
}

/// False where a derivative has no value.
bool RungeKutta::prepare_dense() {
  const double h = h_last_;
  const double t0 = step_.t0;
  const int stages = tableau_.stages();
  // F1 and F2 of the Hermite cubic need the derivative at the end of the step.
  Vector& end = error_;
  if (slope_at_start_ == Slope::known) {
    end = slope_;
  } else {
    if (!ode_->derivative(t_, y_, h, end)) return false;
    if (slope_at_start_ == Slope::unknown) keep_slope(end);
  }
  for (std::size_t i = 0; i < tableau_.dense_c.size(); ++i) {
    combine(tableau_.dense_a[i], h, y_old_, k_, y_new_);
    if (!ode_->derivative(t0 + tableau_.dense_c[i] * h, y_new_, h, k_[stages + i])) return false;
  }
  for (std::size_t r = 0; r < tableau_.dense.size(); ++r) combine(tableau_.dense[r], h, zero_, k_, dense_[r]);
  return dense_ready_ = true;
}

bool RungeKutta::interpolate(double t, Vector& y) {
  if (!dense_ready_ && !prepare_dense()) {
    y.setConstant(std::numeric_limits<double>::quiet_NaN());
    return false;
  }
  const double h = h_last_, x = (t - step_.t0) / h;
  y.setZero();
  for (std::size_t i = dense_.size(); i-- > 0;) {
    y += dense_[i];
    y *= i % 2 == 0 ? 1 - x : x;
  }
  const Vector &start = k_[0], &end = error_;
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    const double F0 = y_end_[i] - y_old_[i], F1 = h * start[i] - F0, F2 = 2 * F0 - h * (end[i] + start[i]);
    y[i] = (((y[i] + F2) * x + F1) * (1 - x) + F0) * x + y_old_[i];
  }
  return true;
}

}  // namespace taut
