#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "linear/householder.hpp"
#include "linear/list.hpp"

namespace taut {
namespace {

/// The recursion of Orsino & de Oliveira over blocks of rows: with Z = P H_Bᵀ and S = H_B Z of a block B,
///   x += Z S⁺(r_B − H_B x),   P −= Z S⁺Zᵀ.
/// The pseudoinverse inside the block drops what is redundant there: directions of S whose eigenvalue
/// is relatively zero. The same solution as row by row.
class RecursiveBlocks : public LinearKernel {
 public:
  explicit RecursiveBlocks(int block) : block_(block) {}

 private:
  void resize() override {
    rows_.resize(n_, m_);
    Z_.setZero(n_, m_);
    inverse_.setZero(m_, block_);
    factors_.setZero(m_, m_);
    rest_.setZero(block_);
    gamma_.setZero(m_);
    solver_ = Eigen::SelfAdjointEigenSolver<Matrix>(block_);
    S_.setZero(block_, block_);
  }

  void factor_rows(bool deciding) override {
    if (deciding) rows_.decide(Ct_, tolerance_, order_, rank_);
    if (deciding) smallest_pivot_ = rank_ == 0 && m_ > 0 ? 0 : 1;
    if (deciding)
      for (int k = 0; k < rank_; ++k) smallest_pivot_ = std::min(smallest_pivot_, std::abs(rows_.pivot(k)));
    Z_ = Ct_;
    for (int first = 0; first < m_; first += block_) eliminate(first, std::min(block_, m_ - first));
  }

  /// S⁺ of one block, and the deflation of all rows after it.
  void eliminate(int first, int size) {
    S_.setZero();
    S_.topLeftCorner(size, size).noalias() = Z_.middleCols(first, size).transpose() * Z_.middleCols(first, size);
    solver_.compute(S_);
    inverse_.middleRows(first, size).setZero();
    for (int k = 0; k < block_; ++k) {
      const double eigenvalue = solver_.eigenvalues()[k];
      if (eigenvalue <= tolerance_ * tolerance_) continue;
      const auto w = solver_.eigenvectors().col(k).head(size);
      inverse_.block(first, 0, size, size).noalias() += w * w.transpose() / eigenvalue;
    }
    const int after = first + size;
    for (int j = after; j < m_; ++j) {
      rest_.head(size).noalias() = Z_.middleCols(first, size).transpose() * Z_.col(j);
      factors_.col(j).segment(first, size).noalias() = inverse_.block(first, 0, size, size) * rest_.head(size);
      Z_.col(j).noalias() -= Z_.middleCols(first, size) * factors_.col(j).segment(first, size);
    }
  }

  void solve_rows(const Vector& r, Vector& y, Vector& lambda) override {
    y.setZero();
    for (int first = 0; first < m_; first += block_) {
      const int size = std::min(block_, m_ - first);
      rest_.head(size).noalias() = r.segment(first, size) - Ct_.middleCols(first, size).transpose() * y;
      gamma_.segment(first, size).noalias() = inverse_.block(first, 0, size, size) * rest_.head(size);
      y.noalias() += Z_.middleCols(first, size) * gamma_.segment(first, size);
    }
    // Z of a block is Cᵀ of its rows less those before it: undo that for the multipliers.
    lambda = gamma_;
    for (int first = ((m_ - 1) / block_) * block_; first >= 0; first -= block_) {
      const int size = std::min(block_, m_ - first);
      for (int j = first + size; j < m_; ++j)
        lambda.segment(first, size) -= factors_.col(j).segment(first, size) * lambda[j];
    }
  }

  int block_;
  Householder rows_;  ///< names the rows that others imply
  Matrix Z_, inverse_, factors_, S_;
  Vector rest_, gamma_;
  Eigen::SelfAdjointEigenSolver<Matrix> solver_;
};

}  // namespace

std::unique_ptr<LinearKernel> make_recursive_blocks(int block) { return std::make_unique<RecursiveBlocks>(block); }

}  // namespace taut
