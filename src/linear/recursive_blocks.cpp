#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "linear/dense_kernel.hpp"
#include "linear/eigenvalues.hpp"
#include "linear/householder.hpp"
#include "linear/list.hpp"

namespace taut {
namespace {

/// The recursion of Orsino & de Oliveira over blocks of rows: with Z = P H_Bᵀ and S = H_B Z of a block B,
///   x += Z S⁺(r_B − H_B x),   P −= Z S⁺Zᵀ.
/// Blocks are made of the rows that count, in the order of the decision, so that rank is as frozen as
/// elsewhere; the pseudoinverse inside a block drops what falls below rounding at a singular position. The same
/// solution as row by row.
class RecursiveBlocks : public DenseKernel {
 public:
  RecursiveBlocks(RowOrder order, int block) : share_(share_of(order)), block_(block) {}

 private:
  void resize_rows() override {
    rows_.resize(n_, m_);
    Z_.setZero(n_, m_);
    inverse_.setZero(m_, block_);
    factors_.setZero(m_, m_);
    rest_.setZero(block_);
    gamma_.setZero(m_);
    solver_ = std::make_unique<SymmetricEigenvalues>(block_);
    S_.setZero(block_, block_);
  }

  void factor_rows(bool deciding) override {
    if (deciding) {
      rows_.decide(Ct_, tolerance_, order_, rank_, share_);
    } else {
      rows_.factor(Ct_, order_, rank_, rank_);
    }
    smallest_pivot_ = rank_ == 0 && m_ > 0 ? 0 : 1;
    for (int k = 0; k < rank_; ++k) smallest_pivot_ = std::min(smallest_pivot_, std::abs(rows_.pivot(k)));
    for (int k = 0; k < rank_; ++k) Z_.col(k) = Ct_.col(order_[k]);
    for (int first = 0; first < rank_; first += block_) eliminate(first, size_of_block(first));
  }

  /// The recursion measures rows by squares, Householder's reflections by lengths.
  static double share_of(RowOrder order) {
    return order == RowOrder::greedy ? 1 : order == RowOrder::natural ? 0 : std::sqrt(0.1);
  }

  int size_of_block(int first) const { return std::min(block_, rank_ - first); }

  /// S⁺ of one block, and the deflation of all rows after it.
  void eliminate(int first, int size) {
    S_.setZero();
    S_.topLeftCorner(size, size).noalias() = Z_.middleCols(first, size).transpose() * Z_.middleCols(first, size);
    solver_->compute(S_);
    inverse_.middleRows(first, size).setZero();
    for (int k = 0; k < block_; ++k) {
      const double eigenvalue = solver_->values()[k];
      if (eigenvalue <= noise) continue;  // a square: that is where its own rounding errors begin
      const auto w = solver_->vectors().col(k).head(size);
      inverse_.block(first, 0, size, size).noalias() += w * w.transpose() / eigenvalue;
    }
    for (int j = first + size; j < rank_; ++j) {
      rest_.head(size).noalias() = Z_.middleCols(first, size).transpose() * Z_.col(j);
      factors_.col(j).segment(first, size).noalias() = inverse_.block(first, 0, size, size) * rest_.head(size);
      Z_.col(j).noalias() -= Z_.middleCols(first, size) * factors_.col(j).segment(first, size);
    }
  }

  void solve_rows(const Vector& r, Vector& y, Vector& lambda) override {
    y.setZero();
    for (int first = 0; first < rank_; first += block_) {
      const int size = size_of_block(first);
      for (int k = 0; k < size; ++k) rest_[k] = r[order_[first + k]] - Ct_.col(order_[first + k]).dot(y);
      gamma_.segment(first, size).noalias() = inverse_.block(first, 0, size, size) * rest_.head(size);
      y.noalias() += Z_.middleCols(first, size) * gamma_.segment(first, size);
    }
    // Z of a block is Cᵀ of its rows less those before it: undo that for the multipliers.
    for (int first = ((rank_ - 1) / block_) * block_; first >= 0; first -= block_) {
      const int size = size_of_block(first);
      for (int j = first + size; j < rank_; ++j)
        gamma_.segment(first, size) -= factors_.col(j).segment(first, size) * gamma_[j];
    }
    lambda.setZero();
    for (int k = 0; k < rank_; ++k) lambda[order_[k]] = gamma_[k];
  }

  double share_;
  int block_;
  Householder rows_;  ///< decides on the rows that count, and finds their pivots
  Matrix Z_, inverse_, factors_, S_;
  Vector rest_, gamma_;
  std::unique_ptr<SymmetricEigenvalues> solver_;
};

}  // namespace

std::unique_ptr<LinearKernel> make_recursive_blocks(RowOrder order, int block) {
  return std::make_unique<RecursiveBlocks>(order, block);
}

}  // namespace taut
