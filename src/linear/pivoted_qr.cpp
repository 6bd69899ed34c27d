#include "linear/pivoted_qr.hpp"

#include <Eigen/QR>

namespace taut {

struct PivotedQr::Factor {
  explicit Factor(const Matrix& A) : qr(A) {}
  Eigen::ColPivHouseholderQR<Matrix> qr;
};

PivotedQr::PivotedQr() = default;
PivotedQr::PivotedQr(const Matrix& A) : factor_(std::make_unique<Factor>(A)) {}
PivotedQr::~PivotedQr() = default;
PivotedQr::PivotedQr(PivotedQr&& other) noexcept = default;
PivotedQr& PivotedQr::operator=(PivotedQr&& other) noexcept = default;

const Matrix& PivotedQr::R() const { return factor_->qr.matrixQR(); }

const Eigen::VectorXi& PivotedQr::order() const { return factor_->qr.colsPermutation().indices(); }

Matrix PivotedQr::Q() const { return factor_->qr.householderQ(); }

Matrix PivotedQr::first_columns_of_Q(Eigen::Index count) const {
  return factor_->qr.householderQ() * Matrix::Identity(R().rows(), count);
}

Matrix PivotedQr::last_columns_of_Q(Eigen::Index count) const {
  return factor_->qr.householderQ() * Matrix::Identity(R().rows(), R().rows()).rightCols(count);
}

Vector PivotedQr::apply_Q(const Vector& x) const { return factor_->qr.householderQ() * x; }

Matrix solve_least_squares(const Matrix& A, const Matrix& B) { return Eigen::HouseholderQR<Matrix>(A).solve(B); }

}  // namespace taut
