#include "linear/householder.hpp"

#include <Eigen/Householder>
#include <algorithm>
#include <numeric>

namespace taut {

void Householder::resize(int n, int m) {
  QR_.setZero(n, m);
  tau_.setZero(std::min(n, m));
  norms_.setZero(m);
  workspace_.setZero(std::max(n, m));
  rank_ = 0;
}

void Householder::factor_revealing_rank(const Matrix& A, double tolerance, std::vector<int>& order, int& rank,
                                        double share) {
  const int n = static_cast<int>(A.rows()), m = static_cast<int>(A.cols());
  QR_ = A;
  std::iota(order.begin(), order.end(), 0);
  const int most = std::min(n, m);
  rank_ = most;
  for (int k = 0; k < most; ++k) {
    // Remainders are computed afresh: down-dated norms lose the digits that a decision on rank needs.
    for (int j = k; j < m; ++j) norms_[j] = QR_.col(j).tail(n - k).norm();
    int best = k;
    for (int j = k + 1; j < m; ++j)
      if (norms_[j] > norms_[best]) best = j;
    if (norms_[best] <= tolerance) {
      rank_ = k;
      break;
    }
    const double enough = std::max(share * norms_[best], tolerance);
    for (int j = k; share < 1 && j < best; ++j)
      if (norms_[j] > enough) best = j;
    if (best != k) {
      QR_.col(best).swap(QR_.col(k));
      std::swap(order[best], order[k]);
    }
    reflect(k, m);
  }
  rank = rank_;
}

void Householder::factor(const Matrix& A, const std::vector<int>& order, int rank, int columns) {
  for (int j = 0; j < columns; ++j) QR_.col(j) = A.col(order[j]);
  rank_ = rank;
  for (int k = 0; k < rank; ++k) reflect(k, columns);
}

void Householder::reflect(int k, int columns) {
  const Eigen::Index n = QR_.rows();
  double beta = 0;
  QR_.col(k).tail(n - k).makeHouseholderInPlace(tau_[k], beta);
  QR_(k, k) = beta;
  const auto essential = QR_.col(k).tail(n - k - 1);
  for (int j = k + 1; j < columns; ++j) {
    const double dot = tau_[k] * (QR_(k, j) + essential.dot(QR_.col(j).tail(n - k - 1)));
    QR_(k, j) -= dot;
    QR_.col(j).tail(n - k - 1) -= dot * essential;
  }
}

void Householder::apply_transposed(Vector& x) const {
  const Eigen::Index n = QR_.rows();
  for (int k = 0; k < rank_; ++k) {
    const auto essential = QR_.col(k).tail(n - k - 1);
    const double dot = tau_[k] * (x[k] + essential.dot(x.tail(n - k - 1)));
    x[k] -= dot;
    x.tail(n - k - 1) -= dot * essential;
  }
}

void Householder::apply(Vector& x) const {
  const Eigen::Index n = QR_.rows();
  for (int k = rank_ - 1; k >= 0; --k) {
    const auto essential = QR_.col(k).tail(n - k - 1);
    const double dot = tau_[k] * (x[k] + essential.dot(x.tail(n - k - 1)));
    x[k] -= dot;
    x.tail(n - k - 1) -= dot * essential;
  }
}

/// A = Q R over the pivot columns, so that Aᵀy = r is Rᵀ(Qᵀy) = r.
void Householder::solve(const std::vector<int>& order, double noise, const Vector& r, Vector& y, Vector& lambda) const {
  y.setZero();
  lambda.setZero();
  for (int k = 0; k < rank_; ++k) {  // Rᵀ y = r
    if (std::abs(QR_(k, k)) <= noise) continue;
    y[k] = (r[order[k]] - QR_.col(k).head(k).dot(y.head(k))) / QR_(k, k);
  }
  for (int k = rank_ - 1; k >= 0; --k) {  // R λ = y
    if (std::abs(QR_(k, k)) <= noise) continue;
    double sum = y[k];
    for (int j = k + 1; j < rank_; ++j) sum -= QR_(k, j) * lambda[order[j]];
    lambda[order[k]] = sum / QR_(k, k);
  }
  apply(y);
}

}  // namespace taut
