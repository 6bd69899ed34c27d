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
      qr_.factor_revealing_rank(Ct_, tolerance_, order_, rank_);
    } else {
      qr_.factor(Ct_, order_, rank_, rank_);
    }
    smallest_pivot_ = 1;
    for (int k = 0; k < rank_; ++k) smallest_pivot_ = std::min(smallest_pivot_, std::abs(qr_.pivot(k)));
    if (rank_ == 0 && m_ > 0) smallest_pivot_ = 0;
  }

  void solve_rows(const Vector& r, Vector& y, Vector& lambda) override { qr_.solve(order_, noise, r, y, lambda); }

  Householder qr_;
};

}  // namespace

std::unique_ptr<LinearKernel> make_qr() { return std::make_unique<Qr>(); }

}  // namespace taut
