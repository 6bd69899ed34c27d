#include "linear/eigenvalues.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>

namespace taut {

std::optional<double> least_real_part_of_eigenvalues(const Matrix& A) {
  const Eigen::EigenSolver<Matrix> solver(A, false);
  if (solver.info() != Eigen::Success) return std::nullopt;
  return solver.eigenvalues().real().minCoeff();
}

namespace {

/// D⁻¹ A D with rows and columns of like sizes, by powers of two, which round nothing (Parlett & Reinsch 1969).
Vector balance(Matrix& A) {
  Vector D = Vector::Ones(A.rows());
  for (bool changed = true; changed;) {
    changed = false;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const double column = A.col(i).lpNorm<1>() - std::abs(A(i, i)), row = A.row(i).lpNorm<1>() - std::abs(A(i, i));
      if (!(column > 0) || !(row > 0) || !std::isfinite(column + row)) continue;
      const double factor = std::exp2(std::round(std::log2(row / column) / 2));
      if (column * factor + row / factor >= 0.95 * (column + row)) continue;
      A.col(i) *= factor;
      A.row(i) /= factor;
      D[i] *= factor;
      changed = true;
    }
  }
  return D;
}

/// Beside the largest entry, what is no more than this is rounding.
constexpr double nothing = 1e-14;

/// States that nothing depends on, or that depend on nothing but themselves, such as where a vehicle stands: their
/// eigenvalues are on the diagonal, and without them those of the others keep their digits. What is left, in its order.
std::vector<Eigen::Index> coupled_states(const Matrix& A, std::vector<std::complex<double>>& apart) {
  const double least = nothing * A.lpNorm<Eigen::Infinity>();
  std::vector<Eigen::Index> left(static_cast<std::size_t>(A.rows()));
  for (std::size_t k = 0; k < left.size(); ++k) left[k] = static_cast<Eigen::Index>(k);
  const auto is_apart = [&](Eigen::Index i) {
    double row = 0, column = 0;
    for (const Eigen::Index j : left) {
      if (j == i) continue;
      row = std::max(row, std::abs(A(i, j)));
      column = std::max(column, std::abs(A(j, i)));
    }
    return row <= least || column <= least;
  };
  for (auto one = std::ranges::find_if(left, is_apart); one != left.end(); one = std::ranges::find_if(left, is_apart)) {
    apart.emplace_back(std::abs(A(*one, *one)) <= least ? 0 : A(*one, *one));
    left.erase(one);
  }
  return left;
}

/// The eigenvalues alone, as exact as can be.
std::optional<std::vector<std::complex<double>>> exact_eigenvalues(const Matrix& A) {
  std::vector<std::complex<double>> values;
  const std::vector<Eigen::Index> coupled = coupled_states(A, values);
  if (coupled.empty()) return values;
  Matrix core = A(coupled, coupled);
  balance(core);
  const Eigen::EigenSolver<Matrix> solver(core, false);
  if (solver.info() != Eigen::Success) return std::nullopt;
  values.insert(values.end(), solver.eigenvalues().begin(), solver.eigenvalues().end());
  return values;
}

/// Gives each value that was found with a vector the nearest exact one.
void refine(std::vector<std::complex<double>>& values, std::vector<std::complex<double>> exact) {
  std::vector<std::size_t> order(values.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t k) { return std::abs(values[k]); });
  for (const std::size_t k : order) {
    const auto nearest = std::ranges::min_element(exact, {}, [&](const auto& e) { return std::abs(e - values[k]); });
    values[k] = *nearest;
    exact.erase(nearest);
  }
}

}  // namespace

std::optional<Eigenpairs> eigenpairs(const Matrix& A) {
  if (A.size() == 0) return Eigenpairs{};
  Matrix balanced = A;
  const Vector D = balance(balanced);
  const Eigen::EigenSolver<Matrix> solver(balanced);
  if (solver.info() != Eigen::Success) return std::nullopt;
  const auto exact = exact_eigenvalues(A);
  if (!exact) return std::nullopt;
  Eigenpairs pairs{{solver.eigenvalues().begin(), solver.eigenvalues().end()}, D.asDiagonal() * solver.eigenvectors()};
  refine(pairs.values, *exact);
  return pairs;
}

struct SymmetricEigenvalues::Solver {
  explicit Solver(Eigen::Index size) : eigen(size) {}
  Eigen::SelfAdjointEigenSolver<Matrix> eigen;
};

SymmetricEigenvalues::SymmetricEigenvalues(Eigen::Index size) : solver_(std::make_unique<Solver>(size)) {}

SymmetricEigenvalues::~SymmetricEigenvalues() = default;

void SymmetricEigenvalues::compute(const Matrix& A) { solver_->eigen.compute(A); }

const Vector& SymmetricEigenvalues::values() const { return solver_->eigen.eigenvalues(); }

const Matrix& SymmetricEigenvalues::vectors() const { return solver_->eigen.eigenvectors(); }

}  // namespace taut
