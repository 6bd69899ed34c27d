#include "integration/sundials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

/// A step that has been cut so often is not about to end on a branch of the right-hand side.
constexpr int most_cuts = 50;

}  // namespace

void SundialsIntegrator::prepare(Ode& ode, double t, const Vector& y, const StepControl& control) {
  ode_ = &ode;
  extensions_ = ode.extensions();
  control_ = control;
  limits_ = StepLimits(control);
  scale_ = ErrorScale(control, y);
  if (control_.tested <= 0) control_.tested = static_cast<int>(y.size());
  t_ = t;
  y_ = y;
  limits_.leave_stop(extensions_.stops, t_, y_);
  result_ = y_;
  stage_ = slope_ = Vector::Zero(y.size());
  rejected_ = rejected_before_ = 0;
  restart_ = false;
  broken_.clear();
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  context_.reset(context);
}

SundialsVector SundialsIntegrator::wrap(Vector& data) const {
  return SundialsVector(N_VMake_Serial(data.size(), data.data(), context_.get()));
}

int SundialsIntegrator::weigh(N_Vector y, N_Vector weights, void* self) {
  const auto& me = *static_cast<const SundialsIntegrator*>(self);
  const StepControl& control = me.control_;
  const auto tested = control.tested;
  const double share = std::sqrt(static_cast<double>(me.y_.size()) / tested);
  View w = me.view(weights);
  const View values = me.view(y);
  for (Eigen::Index i = 0; i < w.size(); ++i) w[i] = share / me.scale_.allowed(i, values[i], values[i]);
  // The others follow. Weights of nought would spoil the increments of difference quotients.
  w.tail(w.size() - tested) *= 1e-3;
  return w.allFinite() ? 0 : -1;
}

double SundialsIntegrator::smallest_step() const { return resolution_of_time(t_, control_.until); }

/// A step that leaves a branch of the right-hand side is cut where it does: states within a step are as exact as its
/// result.
double SundialsIntegrator::end_on_branch(double t) {
  const auto between = [this](double at, Vector& y) { interpolate(at, y); };
  for (int cuts = 0; cuts < most_cuts; ++cuts) {
    const double end = extensions_.switching->step_end(t_, t, between);
    if (end == t) return t;
    t = end;
    interpolate(t, result_);
    ode_->correct(t, result_);
  }
  return t_;  // no step ends on its branch: accept() says that there is none
}

const Step& SundialsIntegrator::accept(double t) {
  const double whole = t;
  if (extensions_.switching) t = end_on_branch(t);
  if (!extensions_.approves(t, result_)) return refuse(t);
  longest_ = std::numeric_limits<double>::infinity();
  const bool tiny = t < control_.until && t - t_ < smallest_step();
  const bool relaxed = tiny && scale_.relax();
  if (tiny && !relaxed)
    return fail("the step size fell to the resolution of time: the equations have no smooth continuation here");
  step_.ok = true;
  step_.t0 = t_;
  step_.h = t - t_;
  t_ = limits_.reached(t);
  y_ = result_;
  scale_.accept(y_);
  // SUNDIALS stands where the whole step ended, and knows nothing of a state before it but what it interpolates.
  const bool is_cut = t < whole;
  restart_ = ode_->accept(t_, y_) == Acceptance::new_coordinates || relaxed || is_cut;
  return step_;
}

/// SUNDIALS cannot take a step back: it begins anew where the step began, with one that is a quarter as long at most.
const Step& SundialsIntegrator::refuse(double t) {
  longest_ = 0.25 * (t - t_);
  if (!(longest_ > smallest_step())) return fail(extensions_.objection());
  restart_ = true;
  return advance();
}

double SundialsIntegrator::step_end() {
  return std::min(limits_.end(t_), t_ + std::min(longest_, extensions_.longest_step()));
}

const Step& SundialsIntegrator::fail(const std::string& reason) {
  step_.ok = false;
  step_.reason = reason;
  return step_;
}

}  // namespace taut
