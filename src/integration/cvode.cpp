#include "integration/cvode.hpp"

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <cmath>
#include <limits>

namespace taut {
namespace {

std::string words(int flag) {
  switch (flag) {
    case CV_TOO_MUCH_ACC:
      return "CVODE cannot meet a tolerance as tight as this in double precision";
    case CV_ERR_FAILURE:
      return "CVODE's error test failed too often, or its step fell to the resolution of time";
    case CV_CONV_FAILURE:
      return "the iteration in CVODE's step failed too often, or its step fell to the resolution of time";
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL:
      return "the linear system of CVODE's step could not be solved";
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
      return "the equations have no finite value here";
    case CV_PROJFUNC_FAIL:
    case CV_REPTD_PROJFUNC_ERR:
      return "no correction onto the constraints could be found, however small CVODE's step";
    default:
      return "CVODE cannot go on (its code is " + std::to_string(flag) + ")";
  }
}

}  // namespace

void CvodeIntegrator::Memory::operator()(void* cvode) const { CVodeFree(&cvode); }

void CvodeIntegrator::start(Ode& ode, double t, const Vector& y, const StepControl& control) {
  // What belongs to an earlier run goes before the context it lives in.
  cvode_.reset();
  jacobian_.reset();
  linear_.reset();
  nonlinear_.reset();
  wrapped_result_.reset();
  wrapped_estimate_.reset();
  wrapped_weights_.reset();
  prepare(ode, t, y, control);
  estimate_ = weights_ = Vector::Zero(y.size());
  wrapped_result_ = wrap(result_);
  wrapped_estimate_ = wrap(estimate_);
  wrapped_weights_ = wrap(weights_);
  ode_->begin_step(t_, y_, 0);
  if (!control_.atol && ode_->derivative(t_, y_, 0, slope_)) scale_.start(slope_);
  if (!set_up()) broken_ = "CVODE could not be set up";
}

bool CvodeIntegrator::set_up() {
  cvode_.reset(CVodeCreate(formula_ == Formula::adams ? CV_ADAMS : CV_BDF, context_.get()));
  void* cvode = cvode_.get();
  const auto rhs = [](realtype t, N_Vector y, N_Vector ydot, void* self) {
    return static_cast<CvodeIntegrator*>(self)->evaluate(t, y, ydot);
  };
  return cvode && CVodeSetErrHandlerFn(cvode, say_nothing, nullptr) == CV_SUCCESS &&
         CVodeInit(cvode, rhs, t_, wrapped_result_.get()) == CV_SUCCESS &&
         CVodeSetUserData(cvode, this) == CV_SUCCESS && CVodeWFtolerances(cvode, weigh) == CV_SUCCESS &&
         set_up_solver();
}

bool CvodeIntegrator::set_up_solver() {
  void* cvode = cvode_.get();
  N_Vector like = wrapped_result_.get();
  if (formula_ == Formula::adams) {
    nonlinear_.reset(SUNNonlinSol_FixedPoint(like, 0, context_.get()));
    return CVodeSetNonlinearSolver(cvode, nonlinear_.get()) == CV_SUCCESS;
  }
  jacobian_.reset(SUNDenseMatrix(y_.size(), y_.size(), context_.get()));
  linear_.reset(SUNLinSol_Dense(like, jacobian_.get(), context_.get()));
  const auto jacobian = [](realtype t, N_Vector y, N_Vector f, SUNMatrix J, void* self, N_Vector, N_Vector, N_Vector) {
    return static_cast<CvodeIntegrator*>(self)->differentiate(t, y, f, J);
  };
  const auto projection = [](realtype t, N_Vector y, N_Vector correction, realtype, N_Vector, void* self) {
    return static_cast<CvodeIntegrator*>(self)->project(t, y, correction);
  };
  if (CVodeSetLinearSolver(cvode, linear_.get(), jacobian_.get()) != CV_SUCCESS) return false;
  // CVODE takes the Jacobian of twenty steps ago and scales it by the step. Terms that go with 1/h do not scale so:
  // with an old one of shorter steps, Newton's method would creep, and take that for convergence.
  if (extensions_.depends_on_step() &&
      (CVodeSetJacEvalFrequency(cvode, 1) != CV_SUCCESS || CVodeSetLSetupFrequency(cvode, 1) != CV_SUCCESS))
    return false;
  return CVodeSetJacFn(cvode, jacobian) == CV_SUCCESS && CVodeSetProjFn(cvode, projection) == CV_SUCCESS &&
         CVodeSetProjErrEst(cvode, SUNFALSE) == CV_SUCCESS;
}

const Step& CvodeIntegrator::advance() {
  if (limits_.leave_stop(extensions_.stops, t_, y_)) restart_ = true;
  if (restart_) begin_anew();
  if (!ready()) return fail(broken_);
  double h = 0, t = t_;
  CVodeSetStopTime(cvode_.get(), step_end());
  CVodeGetCurrentStep(cvode_.get(), &h);
  ode_->begin_step(t_, y_, h);
  scale_.begin(h);
  int flag = CVode(cvode_.get(), control_.until, wrapped_result_.get(), &t, CV_ONE_STEP);
  while ((flag == CV_ERR_FAILURE || flag == CV_CONV_FAILURE) && scale_.relax()) {
    begin_anew();
    scale_.begin(0);
    CVodeSetStopTime(cvode_.get(), step_end());
    flag = CVode(cvode_.get(), control_.until, wrapped_result_.get(), &t, CV_ONE_STEP);
  }
  count_rejected();
  if (flag < 0) return fail(words(flag));
  step_.error = local_error();
  return accept(t);
}

void CvodeIntegrator::begin_anew() {
  restart_ = false;
  rejected_before_ = rejected_;
  result_ = y_;
  if (CVodeReInit(cvode_.get(), t_, wrapped_result_.get()) != CV_SUCCESS) broken_ = "CVODE could not be started anew";
}

void CvodeIntegrator::count_rejected() {
  long inaccurate = 0, unsolved = 0, unprojected = 0;
  CVodeGetNumErrTestFails(cvode_.get(), &inaccurate);
  CVodeGetNumStepSolveFails(cvode_.get(), &unsolved);
  if (formula_ == Formula::bdf) CVodeGetNumProjFails(cvode_.get(), &unprojected);
  rejected_ = rejected_before_ + inaccurate + unsolved + unprojected;
}

double CvodeIntegrator::local_error() {
  CVodeGetEstLocalErrors(cvode_.get(), wrapped_estimate_.get());
  CVodeGetErrWeights(cvode_.get(), wrapped_weights_.get());
  return std::sqrt(estimate_.cwiseProduct(weights_).squaredNorm() / static_cast<double>(y_.size()));
}

/// BDF evaluates at the end of the step it tries and nowhere between, which tells its size. Where it only looks at the
/// beginning, no step is known: what is off there is then not for a moment to mend, but for all the time that is left.
/// The iteration of Adams' formulas would not converge on terms with the step in them, and is told none.
double CvodeIntegrator::step_to(double t) const {
  if (formula_ == Formula::adams) return 0;
  return t > t_ ? t - t_ : control_.until - t_;
}

int CvodeIntegrator::evaluate(double t, N_Vector y, N_Vector ydot) {
  stage_ = view(y);
  if (!ode_->derivative(t, stage_, step_to(t), slope_) || !slope_.allFinite()) return 1;
  view(ydot) = slope_;
  return 0;
}

/// ∂f/∂y, column by column. CVODE's own differences move what begins at rest by next to nothing in its first, tiny
/// steps, and find little but rounding errors of f: with so steep a Jacobian Newton's iteration seems to have converged
/// wherever it begins, and damping goes unnoticed until the Jacobian is renewed.
int CvodeIntegrator::differentiate(double t, N_Vector y, N_Vector f, SUNMatrix J) {
  const double root = std::sqrt(std::numeric_limits<double>::epsilon());
  stage_ = view(y);
  for (Eigen::Index j = 0; j < y_.size(); ++j) {
    const double value = stage_[j];
    stage_[j] += std::copysign(root, value) * scale_.typical_size(j, value);
    if (!ode_->derivative(t, stage_, step_to(t), slope_) || !slope_.allFinite()) return 1;
    View(SUNDenseMatrix_Column(J, j), y_.size()) = (slope_ - view(f)) / (stage_[j] - value);
    stage_[j] = value;
  }
  return 0;
}

int CvodeIntegrator::project(double t, N_Vector y, N_Vector correction) {
  stage_ = view(y);
  if (ode_->correct(t, stage_) == Correction::failed || !stage_.allFinite()) return 1;
  view(correction) = stage_ - view(y);
  return 0;
}
int CvodeIntegrator::order() const {
  int order = 0;
  if (cvode_) CVodeGetLastOrder(cvode_.get(), &order);
  return order;
}

bool CvodeIntegrator::interpolate(double t, Vector& y) {
  const bool known = CVodeGetDky(cvode_.get(), t, 0, wrapped_estimate_.get()) == CV_SUCCESS;
  if (!known) estimate_.setConstant(std::numeric_limits<double>::quiet_NaN());
  y = estimate_;
  return known;
}

}  // namespace taut
