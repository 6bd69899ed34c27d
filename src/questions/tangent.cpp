#include "questions/tangent.hpp"

#include <algorithm>
#include <cmath>

#include "linear/orthogonal_decomposition.hpp"
#include "linear/pivoted_qr.hpp"
#include "questions/matrix_parts.hpp"

namespace taut {
namespace {

/// Preferred rows will do if they stand out at least as much as this.
constexpr double good_choice = 1e-2;

int count_pivots(const PivotedQr& qr, double tolerance, double& kept, double& dropped) {
  const Matrix& R = qr.R();
  const auto most = std::min(R.rows(), R.cols());
  int rank = 0;
  for (Eigen::Index k = 0; k < most; ++k) {
    const double pivot = std::abs(R(k, k)) / std::max(std::abs(R(0, 0)), 1e-300);
    if (pivot > tolerance && rank == k) {
      ++rank;
      kept = pivot;
    } else {
      dropped = std::max(dropped, pivot);
    }
  }
  return rank;
}

std::vector<int> pivot_rows(const Matrix& basis, double& last_pivot) {
  const PivotedQr qr(basis.transpose());
  const auto count = basis.cols();
  last_pivot = count > basis.rows() ? 0 : std::abs(qr.R()(count - 1, count - 1));
  std::vector<int> rows(qr.order().data(), qr.order().data() + std::min(count, basis.rows()));
  std::ranges::sort(rows);
  return rows;
}

}  // namespace

FreeDirections::FreeDirections(const Matrix& A, double tolerance) : scale_(Vector::Zero(A.rows())) {
  const auto n = A.cols();
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    if (const double length = A.row(i).norm(); length > 0) scale_[i] = 1 / length;
  basis_ = Matrix::Identity(n, n);
  inverse_ = Matrix::Zero(n, A.rows());
  if (A.rows() == 0 || n == 0 || scale_.maxCoeff() == 0) return;
  const Matrix scaled = scale_.asDiagonal() * A;
  const PivotedQr qr(scaled.transpose());
  rank_ = count_pivots(qr, tolerance, smallest_kept_, largest_dropped_);
  basis_ = qr.last_columns_of_Q(n - rank_);
  inverse_ = OrthogonalDecomposition(scaled, tolerance).pseudo_inverse();
}

Matrix FreeDirections::particular(const Matrix& B) const { return inverse_ * (scale_.asDiagonal() * B); }

Matrix FreeDirections::weights(const Matrix& B) const { return scale_.asDiagonal() * (inverse_.transpose() * B); }

std::vector<int> independent_rows(const Matrix& basis, const std::vector<int>& preferred) {
  if (basis.cols() == 0) return {};
  double pivot = 0;
  if (preferred.size() >= static_cast<std::size_t>(basis.cols())) {
    std::vector<int> rows = pivot_rows(rows_of(basis, preferred), pivot);
    for (int& row : rows) row = preferred[static_cast<std::size_t>(row)];
    if (pivot > good_choice) return rows;
  }
  return pivot_rows(basis, pivot);
}

Matrix pseudo_inverse(const Matrix& A, double threshold) {
  return A.size() == 0 ? Matrix(A.cols(), A.rows()) : OrthogonalDecomposition(A, threshold).pseudo_inverse();
}

Matrix normalised(const Matrix& basis, const std::vector<int>& rows) {
  if (basis.cols() == 0) return basis;
  return basis * OrthogonalDecomposition(rows_of(basis, rows), 1e-14).pseudo_inverse();
}

}  // namespace taut
