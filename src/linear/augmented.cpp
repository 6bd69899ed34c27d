#include <Eigen/Cholesky>
#include <algorithm>

#include "linear/dense_kernel.hpp"
#include "linear/householder.hpp"
#include "linear/list.hpp"

namespace taut {
namespace {

/// The penalty iteration of the augmented Lagrangian (Bayo & Ledesma), in the coordinates of C = H R⁻¹:
///   (I + α CᵀC) yₖ₊₁ = yₖ + α Cᵀr,     λₖ₊₁ = λₖ + α (r − C yₖ₊₁),     y₀ = 0, λ₀ = 0
/// converges to C⁺r at the rate 1/(1 + α σ²) for each singular value σ, and needs neither a factor of C Cᵀ nor a
/// decision on rank: rows that others imply share the load. Where some σ are small, it all but stands still. So its
/// steps are taken as what they are, gradients of ‖r − C y‖² preconditioned by I + α CᵀC, and made conjugate: all σ
/// with α σ² ≫ 1 are then done with in one iteration, and each smaller one in about one more. Rank and pivots are found
/// for the record.
class Augmented : public DenseKernel {
 public:
  Augmented(double penalty, int iterations) : penalty_(penalty), iterations_(iterations) {}
  long unconverged() const override { return unconverged_; }

 private:
  void resize_rows() override {
    rows_.resize(n_, m_);
    system_.setZero(n_, n_);
    factor_ = Eigen::LLT<Matrix>(n_);
    step_.setZero(n_);
    direction_.setZero(n_);
    gradient_.setZero(n_);
    for (Vector* rows : {&rest_, &image_, &step_lambda_, &direction_lambda_}) rows->setZero(m_);
  }

  void factor_rows(bool deciding) override {
    if (deciding) {
      rows_.factor_revealing_rank(Ct_, tolerance_, order_, rank_);
    } else {
      rows_.factor(Ct_, order_, rank_, rank_);
    }
    smallest_pivot_ = rank_ == 0 && m_ > 0 ? 0 : 1;
    for (int k = 0; k < rank_; ++k) smallest_pivot_ = std::min(smallest_pivot_, std::abs(rows_.pivot(k)));
    system_.setIdentity();
    system_.noalias() += penalty_ * Ct_ * Ct_.transpose();
    factor_.compute(system_);
  }

  /// Conjugate gradients for CᵀC y = Cᵀr; y = Cᵀλ all along.
  void solve_rows(const Vector& r, Vector& y, Vector& lambda) override {
    y.setZero();
    lambda.setZero();
    direction_.setZero();
    direction_lambda_.setZero();
    rest_ = r;
    gradient_.noalias() = Ct_ * rest_;
    const double first = gradient_.cwiseAbs().maxCoeff();
    double size = first, last = first, product = 0;
    bool weak = false;
    for (int k = 0; k < iterations_ && size > finest * first; ++k) {
      find_step();
      const double next = step_.dot(gradient_);
      turn(k > 0 ? next / product : 0);
      product = next;
      weak = k > 0 && is_weak();
      if (weak) break;
      move(y, lambda, r);
      size = gradient_.cwiseAbs().maxCoeff();
      if (size > 0.5 * last && size < enough * first) break;  // rounding is all that is left
      last = size;
    }
    unconverged_ += weak ? rest_.norm() > unmet * r.norm() : !(size <= enough * first);
  }

  void turn(double share) {
    direction_ = step_ + share * direction_;
    direction_lambda_ = step_lambda_ + share * direction_lambda_;
    image_.noalias() = Ct_.transpose() * direction_;
  }

  /// The penalty's part in what resists the direction is α σ²/(1 + α σ²) with the σ that it is made of.
  bool is_weak() const {
    const double square = image_.squaredNorm();
    return square < weakest * (square + direction_.squaredNorm() / penalty_);
  }

  /// The step of the penalty iteration: (I + α CᵀC) z = α Cᵀρ, where z = Cᵀ α(ρ − C z).
  void find_step() {
    step_ = penalty_ * gradient_;
    factor_.matrixL().solveInPlace(step_);
    factor_.matrixU().solveInPlace(step_);
    image_.noalias() = Ct_.transpose() * step_;
    step_lambda_ = penalty_ * (rest_ - image_);
  }

  void move(Vector& y, Vector& lambda, const Vector& r) {
    const double square = image_.squaredNorm(), length = square > 0 ? direction_.dot(gradient_) / square : 0;
    y += length * direction_;
    lambda += length * direction_lambda_;
    rest_.noalias() = r - Ct_.transpose() * y;
    gradient_.noalias() = Ct_ * rest_;
  }

  /// Changes of the gradient, relative: nothing is left; good enough, where rounding lets it be no better.
  static constexpr double finest = 1e-15, enough = 1e-10;
  /// Directions with α σ² below the first are left out; if more than the second of what was asked is then left over, it
  /// was asked of them.
  static constexpr double weakest = 1e-4, unmet = 1e-2;

  double penalty_;
  int iterations_;
  Householder rows_;
  Matrix system_;
  Eigen::LLT<Matrix> factor_;
  Vector step_, direction_, gradient_, rest_, image_, step_lambda_, direction_lambda_;
  long unconverged_ = 0;
};

}  // namespace

std::unique_ptr<LinearKernel> make_augmented(double penalty, int iterations) {
  return std::make_unique<Augmented>(penalty, iterations);
}

}  // namespace taut
