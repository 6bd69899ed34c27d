#include "linear/dense_kernel.hpp"
#include "linear/householder.hpp"
#include "linear/list.hpp"

namespace taut {
namespace {

/// Householder QR of Cᵀ over the rows that count: CᵀΠ = Q R, so C x = r is Rᵀ(Qᵀx) = Πᵀr.
/// Rows that do not count are ignored; the multipliers of those are zero.
class Qr : public DenseKernel {
  void resize_rows() override { qr_.resize(n_, m_); }

  void factor_rows(bool deciding) override {
    if (deciding) {
      qr_.decide(Ct_, tolerance_, order_, rank_);
    } else {
      qr_.factor(Ct_, order_, rank_, rank_);
    }
    smallest_pivot_ = 1;
    for (int k = 0; k < rank_; ++k) smallest_pivot_ = std::min(smallest_pivot_, std::abs(qr_.pivot(k)));
    if (rank_ == 0 && m_ > 0) smallest_pivot_ = 0;
  }

  void solve_rows(const Vector& r, Vector& y, Vector& lambda) override {
    const Matrix& R = qr_.matrix();
    y.setZero();
    lambda.setZero();
    for (int k = 0; k < rank_; ++k) {  // Rᵀ y = r
      if (std::abs(R(k, k)) <= noise) continue;
      y[k] = (r[order_[k]] - R.col(k).head(k).dot(y.head(k))) / R(k, k);
    }
    for (int k = rank_ - 1; k >= 0; --k) {  // R λ = y
      if (std::abs(R(k, k)) <= noise) continue;
      double sum = y[k];
      for (int j = k + 1; j < rank_; ++j) sum -= R(k, j) * lambda[order_[j]];
      lambda[order_[k]] = sum / R(k, k);
    }
    qr_.apply(y);
  }

  Householder qr_;
};

}  // namespace

std::unique_ptr<LinearKernel> make_qr() { return std::make_unique<Qr>(); }

}  // namespace taut
