#include "linear/deflation.hpp"

namespace taut {

void Deflation::resize(int speeds, int rows, std::vector<int> soft_rows) {
  n_ = speeds;
  soft_rows_ = std::move(soft_rows);
  Z_.setZero(n_ + soft(), rows);
  U_.setZero(rows, rows);
  s_.setZero(rows);
  squares_.setZero(rows);
  gamma_.setZero(rows);
  given_.assign(rows, {0, n_});
  left_.assign(rows, {0, n_ + soft()});
}

void Deflation::find_span(const Matrix& Ct, int row) {
  Span& span = given_[row] = {0, n_};
  while (span.end > 0 && Ct(span.end - 1, row) == 0) --span.end;
  while (span.first < span.end && Ct(span.first, row) == 0) ++span.first;
  left_[row] = span;
  const auto soft = std::ranges::find(soft_rows_, row);
  if (soft != soft_rows_.end()) left_[row].end = n_ + 1 + static_cast<int>(soft - soft_rows_.begin());
}

void Deflation::measure(int k, int row, double noise) {
  squares_[k] = remainder(row);
  s_[k] = squares_[k] <= noise * noise ? 0 : squares_[k];
}

void Deflation::take_out(int k, int row_k, int j, int row_j) {
  const Span own = left_[row_k];
  Span& other = left_[row_j];
  const Span both = common(own, other);
  U_(k, j) = 0;
  if (both.size() == 0) return;
  U_(k, j) = over(Z_.col(row_k), both).dot(over(Z_.col(row_j), both)) / s_[k];
  over(Z_.col(row_j), own) -= U_(k, j) * over(Z_.col(row_k), own);
  other = hull(own, other);
}

void Deflation::solve(const Matrix& Ct, const std::vector<int>& order, int rank, const Vector& r, Vector& y,
                      Vector& lambda) {
  y.setZero();
  lambda.setZero();
  for (int k = 0; k < rank; ++k) {  // a soft row's own unknown stays at zero until its turn comes
    const Span given = given_[order[k]], left = common(left_[order[k]], {0, n_});
    const double met = over(Ct.col(order[k]), given).dot(over(y.head(n_), given));
    gamma_[k] = s_[k] > 0 ? (r[order[k]] - met) / s_[k] : 0;
    over(y.head(n_), left) += gamma_[k] * over(Z_.col(order[k]), left);
  }
  for (int k = rank - 1; k >= 0; --k) {  // y = Z γ = Cᵀ U⁻¹ γ
    double sum = gamma_[k];
    for (int j = k + 1; j < rank; ++j) sum -= U_(k, j) * lambda[order[j]];
    lambda[order[k]] = s_[k] > 0 ? sum : 0;
  }
}

}  // namespace taut
