#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "solver.hpp"

namespace peer {
namespace {

class Cvode : public Solver {
 public:
  Cvode(std::unique_ptr<Mechanism> mechanism, const Request& request, Formula formula, Projection projection)
      : mechanism_(std::move(mechanism)), request_(request), n_(mechanism_->coordinates()) {
    SUNContext_Create(nullptr, &context_);
    y_ = N_VNew_Serial(2 * n_, context_);
    begin();
    memory_ = CVodeCreate(formula == Formula::adams ? CV_ADAMS : CV_BDF, context_);
    CVodeInit(memory_, derivative, 0, y_);
    CVodeSetErrHandlerFn(
        memory_, [](int, const char*, const char*, char*, void*) {}, nullptr);
    CVodeSStolerances(memory_, request.setting, request.setting);
    CVodeSetUserData(memory_, this);
    CVodeSetMaxNumSteps(memory_, std::numeric_limits<int>::max());
    iteration_ = SUNNonlinSol_FixedPoint(y_, 0, context_);
    CVodeSetNonlinearSolver(memory_, iteration_);
    if (projection == Projection::on && CVodeSetProjFn(memory_, project) != CV_SUCCESS)
      throw std::runtime_error("CVODE projects with its BDF only");
  }
  Cvode(const Cvode&) = delete;
  Cvode& operator=(const Cvode&) = delete;
  ~Cvode() override {
    CVodeFree(&memory_);
    SUNNonlinSolFree(iteration_);
    N_VDestroy(y_);
    SUNContext_Free(&context_);
  }

  void simulate(std::vector<Values>& values) override {
    begin();
    CVodeReInit(memory_, 0, y_);
    double t = 0;
    for (int k = 0; k < request_.samples; ++k) {
      const int flag = CVode(memory_, request_.sample(k), y_, &t, CV_NORMAL);
      if (flag < 0) throw std::runtime_error(std::string("CVODE: ") + CVodeGetReturnFlagName(flag));
      mechanism_->observe(N_VGetArrayPointer(y_), values.emplace_back());
    }
  }

  long steps() const override {
    long count = 0;
    CVodeGetNumSteps(memory_, &count);
    return count;
  }
  long evaluations() const override {
    long count = 0;
    CVodeGetNumRhsEvals(memory_, &count);
    return count;
  }

 private:
  void begin() {
    double* y = N_VGetArrayPointer(y_);
    mechanism_->start(y, y + n_);
  }

  static int derivative(realtype, N_Vector y, N_Vector ydot, void* self) {
    auto& me = *static_cast<Cvode*>(self);
    const double* state = N_VGetArrayPointer(y);
    double* rates = N_VGetArrayPointer(ydot);
    std::copy_n(state + me.n_, me.n_, rates);
    return me.mechanism_->accelerate(state, state + me.n_, rates + me.n_, nullptr) ? 0 : 1;
  }

  /// What brings y onto the constraints; the same for the estimate of the error is left to CVODE.
  static int project(realtype, N_Vector y, N_Vector change, realtype, N_Vector, void* self) {
    auto& me = *static_cast<Cvode*>(self);
    const double* state = N_VGetArrayPointer(y);
    double* out = N_VGetArrayPointer(change);
    std::copy_n(state, 2 * me.n_, out);
    if (!me.mechanism_->project(out, out + me.n_)) return 1;
    for (int i = 0; i < 2 * me.n_; ++i) out[i] -= state[i];
    return 0;
  }

  std::unique_ptr<Mechanism> mechanism_;
  Request request_;
  int n_;
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr;
  void* memory_ = nullptr;
  SUNNonlinearSolver iteration_ = nullptr;
};

}  // namespace

std::unique_ptr<Solver> make_cvode(std::unique_ptr<Mechanism> mechanism, const Request& request, Formula formula,
                                   Projection projection) {
  return std::make_unique<Cvode>(std::move(mechanism), request, formula, projection);
}

}  // namespace peer
