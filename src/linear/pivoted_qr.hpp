#pragma once

#include <memory>

#include "taut/vector.hpp"

namespace taut {

/// A P = Q R by Householder reflections, next always the column that stands out most of those before it. It is Eigen's,
/// which takes seconds to compile wherever it is included; so it is in one file.
class PivotedQr {
 public:
  PivotedQr();
  explicit PivotedQr(const Matrix& A);
  ~PivotedQr();
  PivotedQr(PivotedQr&& other) noexcept;
  PivotedQr& operator=(PivotedQr&& other) noexcept;

  /// R on the diagonal and above it; what is below belongs to Q.
  const Matrix& R() const;
  /// Which column of A each column of R is.
  const Eigen::VectorXi& order() const;
  Matrix Q() const;
  Matrix first_columns_of_Q(Eigen::Index count) const;
  Matrix last_columns_of_Q(Eigen::Index count) const;
  /// Q x
  Vector apply_Q(const Vector& x) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

/// The X that makes |A X − B| least, for an A of full rank.
Matrix solve_least_squares(const Matrix& A, const Matrix& B);

}  // namespace taut
