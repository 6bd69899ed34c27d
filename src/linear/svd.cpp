#include <Eigen/SVD>

#include "linear/dense_kernel.hpp"
#include "linear/householder.hpp"
#include "linear/list.hpp"

namespace taut {
namespace {

/// Cᵀ = U S Vᵀ: the dearest kernel and the plainest; the rank that is kept is a number of singular values.
class Svd : public DenseKernel {
  bool gives_smallest_multipliers() const override { return true; }

  void resize_rows() override {
    if (m_ > 0) svd_ = Eigen::JacobiSVD<Matrix>(n_, m_, Eigen::ComputeThinU | Eigen::ComputeThinV);
    rows_.resize(n_, m_);
    coefficients_.setZero(std::min(n_, m_));
  }

  void factor_rows(bool deciding) override {
    if (m_ == 0) return;
    svd_.compute(Ct_);
    const auto& s = svd_.singularValues();
    if (deciding) rows_.factor_revealing_rank(Ct_, tolerance_, order_, rank_);
    smallest_pivot_ = rank_ > 0 ? s[rank_ - 1] : 0;
  }

  void solve_rows(const Vector& r, Vector& y, Vector& lambda) override {
    const auto& s = svd_.singularValues();
    y.setZero();
    lambda.setZero();
    for (int k = 0; k < rank_; ++k) {
      if (s[k] <= noise * s[0]) continue;
      const double share = svd_.matrixV().col(k).dot(r) / s[k];
      y += share * svd_.matrixU().col(k);
      lambda += share / s[k] * svd_.matrixV().col(k);
    }
  }

  Eigen::JacobiSVD<Matrix> svd_;
  Householder rows_;  ///< decides as the other kernels do, and names the dependent rows, which singular values cannot
  Vector coefficients_;
};

}  // namespace

std::unique_ptr<LinearKernel> make_svd() { return std::make_unique<Svd>(); }

}  // namespace taut
