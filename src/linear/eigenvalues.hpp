#pragma once

#include <complex>
#include <memory>
#include <optional>
#include <vector>

#include "taut/vector.hpp"

/// Eigenvalues, in one file because Eigen's take seconds to compile wherever they are included.
namespace taut {

/// The smallest real part of any eigenvalue; nothing where they cannot be found.
std::optional<double> least_real_part_of_eigenvalues(const Matrix& A);

/// The eigenvalues of a square matrix, and their vectors by columns. The matrix is balanced first, so that units in
/// which some of its entries are large cost no digits. Nothing where they cannot be found.
struct Eigenpairs {
  std::vector<std::complex<double>> values;
  Eigen::MatrixXcd vectors;
};
std::optional<Eigenpairs> eigenpairs(const Matrix& A);

/// A = V diag(values) Vᵀ for symmetric A of one size, the smallest value first. Only making it allocates.
class SymmetricEigenvalues {
 public:
  explicit SymmetricEigenvalues(Eigen::Index size);
  ~SymmetricEigenvalues();

  void compute(const Matrix& A);
  const Vector& values() const;
  const Matrix& vectors() const;

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace taut
