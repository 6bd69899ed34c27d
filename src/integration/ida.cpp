#include "integration/ida.hpp"

#include <ida/ida.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

/// Weight of what takes no part in a test.
constexpr double next_to_nothing = 1e-9;
/// The size of unknowns that are all nought, and the share of the largest that another of its kind has at least.
constexpr double least_size = 1e-3, small_share = 1e-2;

std::string words(int flag) {
  switch (flag) {
    case IDA_TOO_MUCH_ACC:
      return "IDA cannot meet a tolerance as tight as this in double precision";
    case IDA_ERR_FAIL:
      return "IDA's error test failed too often, or its step fell to the resolution of time";
    case IDA_CONV_FAIL:
      return "the iteration in IDA's step failed too often, or its step fell to the resolution of time";
    case IDA_LSETUP_FAIL:
    case IDA_LSOLVE_FAIL:
      return "the linear system of IDA's step could not be solved";
    case IDA_RES_FAIL:
    case IDA_REP_RES_ERR:
    case IDA_FIRST_RES_FAIL:
      return "the equations have no finite value here";
    default:
      return "IDA cannot go on (its code is " + std::to_string(flag) + ")";
  }
}

}  // namespace

void IdaIntegrator::Memory::operator()(void* ida) const { IDAFree(&ida); }

void IdaIntegrator::start(Ode& ode, double t, const Vector& y, const StepControl& control) {
  // What belongs to an earlier run goes before the context it lives in.
  ida_.reset();
  jacobian_.reset();
  linear_.reset();
  wrapped_result_.reset();
  wrapped_rates_.reset();
  wrapped_differential_.reset();
  wrapped_between_.reset();
  prepare(ode, t, y, control);
  rates_ = stage_rates_ = between_ = increments_ = Vector::Zero(y.size());
  differential_ = Vector::Ones(y.size());
  if (extensions_.implicit) extensions_.implicit->mark_differential(differential_);
  wrapped_result_ = wrap(result_);
  wrapped_rates_ = wrap(rates_);
  wrapped_differential_ = wrap(differential_);
  wrapped_between_ = wrap(between_);
  if (!find_rates()) {
    broken_ = "the equations have no finite value here";
  } else if (!set_up()) {
    broken_ = "IDA could not be set up";
  } else if (!find_consistent_rates()) {
    broken_ = "IDA found no consistent rates and algebraic unknowns to begin with";
  }
}

bool IdaIntegrator::set_up() {
  jacobian_.reset(SUNDenseMatrix(y_.size(), y_.size(), context_.get()));
  linear_.reset(SUNLinSol_Dense(wrapped_result_.get(), jacobian_.get(), context_.get()));
  ida_.reset(IDACreate(context_.get()));
  void* ida = ida_.get();
  const auto residual = [](realtype t, N_Vector y, N_Vector ydot, N_Vector F, void* self) {
    return static_cast<IdaIntegrator*>(self)->evaluate(t, y, ydot, F);
  };
  const auto jacobian = [](realtype t, realtype c, N_Vector y, N_Vector ydot, N_Vector F, SUNMatrix J, void* self,
                           N_Vector, N_Vector,
                           N_Vector) { return static_cast<IdaIntegrator*>(self)->differentiate(t, c, y, ydot, F, J); };
  // Algebraic unknowns are left out of the error test, but IDA's root mean square still divides by their number. They
  // are left out of the test of convergence, too: constraints are met to rounding, and multipliers of a step h then to
  // rounding / h, which for small steps is more than any tolerance.
  const auto weigh_tested = [](N_Vector y, N_Vector weights, void* self) {
    const auto& me = *static_cast<const IdaIntegrator*>(self);
    const int flag = weigh(y, weights, self);
    me.view(weights) *= std::sqrt(static_cast<double>(me.y_.size()) / me.differential_.sum());
    for (Eigen::Index j = 0; j < me.y_.size(); ++j)
      if (me.differential_[j] == 0) me.view(weights)[j] = next_to_nothing / (1 + std::abs(me.view(y)[j]));
    return flag;
  };
  return ida && IDASetErrHandlerFn(ida, say_nothing, nullptr) == IDA_SUCCESS &&
         IDAInit(ida, residual, t_, wrapped_result_.get(), wrapped_rates_.get()) == IDA_SUCCESS &&
         IDASetUserData(ida, this) == IDA_SUCCESS && IDAWFtolerances(ida, weigh_tested) == IDA_SUCCESS &&
         IDASetId(ida, wrapped_differential_.get()) == IDA_SUCCESS && IDASetSuppressAlg(ida, SUNTRUE) == IDA_SUCCESS &&
         IDASetLinearSolver(ida, linear_.get(), jacobian_.get()) == IDA_SUCCESS &&
         IDASetJacFn(ida, jacobian) == IDA_SUCCESS;
}

/// y' at the beginning; where the problem is implicit, a guess, which may be nought.
bool IdaIntegrator::find_rates() {
  ode_->begin_step(t_, result_, 0);
  if (ode_->derivative(t_, result_, 0, slope_) && slope_.allFinite()) {
    scale_.start(slope_);
    rates_ = slope_;
    return true;
  }
  rates_.setZero();
  return extensions_.implicit != nullptr;
}

bool IdaIntegrator::find_consistent_rates() {
  if (!extensions_.implicit) return true;
  if (IDACalcIC(ida_.get(), IDA_YA_YDP_INIT, control_.until) != IDA_SUCCESS) return false;
  if (IDAGetConsistentIC(ida_.get(), wrapped_result_.get(), wrapped_rates_.get()) != IDA_SUCCESS) return false;
  y_ = result_;
  return true;
}

const Step& IdaIntegrator::advance() {
  if (limits_.leave_stop(extensions_.stops, t_, y_)) restart_ = true;
  if (restart_) begin_anew();
  if (!ready()) return fail(broken_);
  double h = 0, t = t_;
  IDASetStopTime(ida_.get(), step_end());
  IDAGetCurrentStep(ida_.get(), &h);
  ode_->begin_step(t_, y_, h);
  scale_.begin(h);
  const auto step = [&] {
    return IDASolve(ida_.get(), control_.until, &t, wrapped_result_.get(), wrapped_rates_.get(), IDA_ONE_STEP);
  };
  int flag = step();
  while ((flag == IDA_ERR_FAIL || flag == IDA_CONV_FAIL) && scale_.relax()) {
    begin_anew();
    if (!ready()) return fail(broken_);
    scale_.begin(0);
    IDASetStopTime(ida_.get(), step_end());
    flag = step();
  }
  count_rejected();
  if (flag < 0) return fail(words(flag));
  return accept(t);
}

void IdaIntegrator::begin_anew() {
  restart_ = false;
  rejected_before_ = rejected_;
  result_ = y_;
  if (!find_rates() || IDAReInit(ida_.get(), t_, wrapped_result_.get(), wrapped_rates_.get()) != IDA_SUCCESS ||
      !find_consistent_rates())
    broken_ = "IDA could not be started anew";
}

void IdaIntegrator::count_rejected() {
  long inaccurate = 0, unsolved = 0;
  IDAGetNumErrTestFails(ida_.get(), &inaccurate);
  IDAGetNumStepSolveFails(ida_.get(), &unsolved);
  rejected_ = rejected_before_ + inaccurate + unsolved;
}

/// F at the stage, in slope_; of y' = f it is y' − f.
bool IdaIntegrator::find_residual(double t) {
  if (extensions_.implicit)
    return extensions_.implicit->residual(t, stage_, stage_rates_, slope_) && slope_.allFinite();
  if (!ode_->derivative(t, stage_, 0, slope_)) return false;
  slope_ = stage_rates_ - slope_;
  return slope_.allFinite();
}

int IdaIntegrator::evaluate(double t, N_Vector y, N_Vector ydot, N_Vector F) {
  stage_ = view(y);
  stage_rates_ = view(ydot);
  if (!find_residual(t)) return 1;
  view(F) = slope_;
  return 0;
}

/// How far each unknown is moved to differentiate: the root of ε of its size. One that is nought has the size of others
/// of its kind, differential or algebraic: IDA's own differences take the tolerance for it, and a tight one then leaves
/// nothing but rounding errors of F.
void IdaIntegrator::find_increments(N_Vector y, N_Vector ydot) {
  double largest[2] = {least_size, least_size};
  for (Eigen::Index j = 0; j < y_.size(); ++j) {
    double& kind = largest[differential_[j] == 0 ? 0 : 1];
    kind = std::max(kind, std::abs(view(y)[j]));
  }
  double h = 0;
  IDAGetCurrentStep(ida_.get(), &h);
  const double root = std::sqrt(std::numeric_limits<double>::epsilon());
  for (Eigen::Index j = 0; j < y_.size(); ++j) {
    const double typical = small_share * largest[differential_[j] == 0 ? 0 : 1];
    increments_[j] = root * std::max({std::abs(view(y)[j]), std::abs(h * view(ydot)[j]), typical});
  }
}

/// ∂F/∂y + c ∂F/∂y', column by column.
int IdaIntegrator::differentiate(double t, double c, N_Vector y, N_Vector ydot, N_Vector F, SUNMatrix J) {
  find_increments(y, ydot);
  stage_ = view(y);
  stage_rates_ = view(ydot);
  for (Eigen::Index j = 0; j < y_.size(); ++j) {
    const double value = stage_[j], rate = stage_rates_[j];
    stage_[j] += increments_[j];
    const double moved = stage_[j] - value;
    stage_rates_[j] += c * moved;
    if (!find_residual(t)) return 1;
    View(SUNDenseMatrix_Column(J, j), y_.size()) = (slope_ - view(F)) / moved;
    stage_[j] = value;
    stage_rates_[j] = rate;
  }
  return 0;
}
int IdaIntegrator::order() const {
  int order = 0;
  if (ida_) IDAGetLastOrder(ida_.get(), &order);
  return order;
}

bool IdaIntegrator::interpolate(double t, Vector& y) {
  const bool known = IDAGetDky(ida_.get(), t, 0, wrapped_between_.get()) == IDA_SUCCESS;
  if (!known) between_.setConstant(std::numeric_limits<double>::quiet_NaN());
  y = between_;
  return known;
}

}  // namespace taut
