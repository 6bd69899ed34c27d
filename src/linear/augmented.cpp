#include <Eigen/Cholesky>
#include <algorithm>

#include "linear/dense_kernel.hpp"
#include "linear/householder.hpp"
#include "linear/list.hpp"

namespace taut {
namespace {

/// The penalty iteration of the augmented Lagrangian (Bayo & Ledesma), in the coordinates of C = H R⁻¹:
///   (I + α CᵀC) yₖ₊₁ = yₖ + α Cᵀr,     λₖ₊₁ = λₖ + α (r − C yₖ₊₁),     y₀ = 0, λ₀ = 0
/// It converges to C⁺r at the rate 1/(1 + α σ²) for each singular value σ, and needs neither a factor of
/// C Cᵀ nor a decision on rank: rows that others imply share the load. Rank and pivots are found for the record.
class Augmented : public DenseKernel {
 public:
  Augmented(double penalty, int iterations) : penalty_(penalty), iterations_(iterations) {}

 private:
  void resize_rows() override {
    rows_.resize(n_, m_);
    system_.setZero(n_, n_);
    factor_ = Eigen::LLT<Matrix>(n_);
    step_.setZero(n_);
    rest_.setZero(m_);
  }

  void factor_rows(bool deciding) override {
    if (deciding) {
      rows_.decide(Ct_, tolerance_, order_, rank_);
    } else {
      rows_.factor(Ct_, order_, rank_, rank_);
    }
    smallest_pivot_ = rank_ == 0 && m_ > 0 ? 0 : 1;
    for (int k = 0; k < rank_; ++k) smallest_pivot_ = std::min(smallest_pivot_, std::abs(rows_.pivot(k)));
    system_.setIdentity();
    system_.noalias() += penalty_ * Ct_ * Ct_.transpose();
    factor_.compute(system_);
  }

  void solve_rows(const Vector& r, Vector& y, Vector& lambda) override {
    y.setZero();
    lambda.setZero();
    const double enough = 1e-15 * r.cwiseAbs().maxCoeff();
    double last = 0;
    for (int k = 0; k < iterations_; ++k) {
      step_.noalias() = penalty_ * (Ct_ * r);
      step_ += y;
      factor_.matrixL().solveInPlace(step_);
      factor_.matrixU().solveInPlace(step_);
      y = step_;
      rest_.noalias() = r - Ct_.transpose() * y;
      lambda += penalty_ * rest_;
      const double size = rest_.cwiseAbs().maxCoeff();
      if (size <= enough || (k > 1 && size > 0.5 * last)) break;
      last = size;
    }
  }

  double penalty_;
  int iterations_;
  Householder rows_;
  Matrix system_;
  Eigen::LLT<Matrix> factor_;
  Vector step_, rest_;
};

}  // namespace

std::unique_ptr<LinearKernel> make_augmented(double penalty, int iterations) {
  return std::make_unique<Augmented>(penalty, iterations);
}

}  // namespace taut
