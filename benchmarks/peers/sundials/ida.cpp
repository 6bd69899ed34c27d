#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "solver.hpp"

namespace peer {
namespace {

/// Unknowns q, v, λ, μ; of a chain joint by joint, so that its matrix has fifteen diagonals on either side.
class Ida : public Solver {
 public:
  Ida(std::unique_ptr<Mechanism> mechanism, const Request& request)
      : mechanism_(std::move(mechanism)),
        request_(request),
        n_(mechanism_->coordinates()),
        m_(mechanism_->constraints()),
        size_(2 * (n_ + m_)),
        state_(size_),
        rates_(size_),
        result_(size_) {
    SUNContext_Create(nullptr, &context_);
    y_ = N_VNew_Serial(size_, context_);
    ydot_ = N_VNew_Serial(size_, context_);
    differential_ = N_VNew_Serial(size_, context_);
    find_places();
    begin();
    memory_ = IDACreate(context_);
    IDAInit(memory_, residual, 0, y_, ydot_);
    IDASetErrHandlerFn(
        memory_, [](int, const char*, const char*, char*, void*) {}, nullptr);
    IDASStolerances(memory_, request.setting, request.setting);
    IDASetUserData(memory_, this);
    IDASetMaxNumSteps(memory_, std::numeric_limits<int>::max());
    IDASetId(memory_, differential_);
    IDASetSuppressAlg(memory_, true);
    matrix_ = mechanism_->chain() ? SUNBandMatrix(size_, band, band, context_) : SUNDenseMatrix(size_, size_, context_);
    linear_ = mechanism_->chain() ? SUNLinSol_Band(y_, matrix_, context_) : SUNLinSol_Dense(y_, matrix_, context_);
    IDASetLinearSolver(memory_, linear_, matrix_);
  }
  Ida(const Ida&) = delete;
  Ida& operator=(const Ida&) = delete;
  ~Ida() override {
    IDAFree(&memory_);
    SUNLinSolFree(linear_);
    SUNMatDestroy(matrix_);
    for (N_Vector vector : {y_, ydot_, differential_}) N_VDestroy(vector);
    SUNContext_Free(&context_);
  }

  void simulate(std::vector<Values>& values) override {
    begin();
    IDAReInit(memory_, 0, y_, ydot_);
    double t = 0;
    for (int k = 0; k < request_.samples; ++k) {
      const int flag = IDASolve(memory_, request_.sample(k), &t, y_, ydot_, IDA_NORMAL);
      if (flag < 0) throw std::runtime_error(std::string("IDA: ") + IDAGetReturnFlagName(flag));
      gather(y_, state_);
      mechanism_->observe(state_.data(), values.emplace_back());
    }
  }

  long steps() const override {
    long count = 0;
    IDAGetNumSteps(memory_, &count);
    return count;
  }
  /// Of the residual, those for the differences of the matrix among them.
  long evaluations() const override {
    long count = 0, differences = 0;
    IDAGetNumResEvals(memory_, &count);
    IDAGetNumLinResEvals(memory_, &differences);
    return count + differences;
  }

 private:
  static constexpr sunindextype band = 15;

  /// Where q, v, λ, μ, one after the other, are among IDA's unknowns.
  void find_places() {
    place_.resize(size_);
    double* differential = N_VGetArrayPointer(differential_);
    for (int k = 0; k < size_; ++k) {
      const bool moves = k < 2 * n_;
      const int first = moves ? k % n_ : (k - 2 * n_) % m_;
      const int part = moves ? k / n_ : 2 + (k - 2 * n_) / m_;
      // The last joint has no coupler: its two multipliers close the ranks.
      const bool last = first / 2 == (n_ - 1) / 2;
      const int within = last && !moves ? 4 + part - 2 : 2 * part + first % 2;
      place_[k] = mechanism_->chain() ? 8 * (first / 2) + within : k;
      differential[place_[k]] = moves ? 1 : 0;
    }
  }
  void gather(N_Vector from, std::vector<double>& to) const {
    const double* x = N_VGetArrayPointer(from);
    for (int k = 0; k < size_; ++k) to[k] = x[place_[k]];
  }
  void scatter(const std::vector<double>& from, N_Vector to) const {
    double* x = N_VGetArrayPointer(to);
    for (int k = 0; k < size_; ++k) x[place_[k]] = from[k];
  }

  void begin() {
    std::fill(state_.begin(), state_.end(), 0);
    std::fill(rates_.begin(), rates_.end(), 0);
    double* q = state_.data();
    mechanism_->start(q, q + n_);
    if (!mechanism_->accelerate(q, q + n_, &rates_[n_], &state_[2 * n_]))
      throw std::runtime_error("the start is singular");
    std::copy_n(q + n_, n_, rates_.begin());
    scatter(state_, y_);
    scatter(rates_, ydot_);
  }

  static int residual(realtype, N_Vector y, N_Vector ydot, N_Vector out, void* self) {
    auto& me = *static_cast<Ida*>(self);
    me.gather(y, me.state_);
    me.gather(ydot, me.rates_);
    const int n = me.n_, m = me.m_;
    const double *x = me.state_.data(), *r = me.rates_.data();
    double* F = me.result_.data();
    me.mechanism_->residual(x, x + n, x + 2 * n, x + 2 * n + m, r, r + n, F, F + n, F + 2 * n, F + 2 * n + m);
    me.scatter(me.result_, out);
    return 0;
  }

  std::unique_ptr<Mechanism> mechanism_;
  Request request_;
  int n_, m_, size_;
  std::vector<double> state_, rates_, result_;
  std::vector<int> place_;
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr, ydot_ = nullptr, differential_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  void* memory_ = nullptr;
};

}  // namespace

std::unique_ptr<Solver> make_ida(std::unique_ptr<Mechanism> mechanism, const Request& request) {
  return std::make_unique<Ida>(std::move(mechanism), request);
}

}  // namespace peer
