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
///
/// A soft row adds its σ² to S. As row by row, that is the row (h, σ) with one more unknown of its own, which stands
/// behind the speeds in Z; soft rows come after those that hold exactly, and are never redundant.
class RecursiveBlocks : public DenseKernel {
 public:
  RecursiveBlocks(RowOrder order, int block) : share_(share_of(order)), block_(block) {}
  bool carries_soft_rows() const override { return true; }

 private:
  void resize_rows() override {
    soft_rows_.clear();
    hard_rows_.clear();
    for (int i = 0; i < m_; ++i) (is_soft(i) ? soft_rows_ : hard_rows_).push_back(i);
    hard_Ct_.setZero(n_, soft() > 0 ? hard() : 0);
    hard_order_.resize(hard());
    rows_.resize(n_, hard());
    Z_.setZero(n_ + soft(), m_);
    inverse_.setZero(m_, block_);
    factors_.setZero(m_, m_);
    rest_.setZero(block_);
    gamma_.setZero(m_);
    solver_ = std::make_unique<SymmetricEigenvalues>(block_);
    S_.setZero(block_, block_);
  }

  void factor_rows(bool deciding) override {
    const int exact = soft() > 0 ? factor_exact_rows(deciding) : factor_all_rows(deciding);
    smallest_pivot_ = exact == 0 && hard() > 0 ? 0 : 1;
    for (int k = 0; k < exact; ++k) smallest_pivot_ = std::min(smallest_pivot_, std::abs(rows_.pivot(k)));
    for (int k = 0; k < rank_; ++k) Z_.col(k).head(n_) = Ct_.col(order_[k]);
    for (int k = 0; k < soft(); ++k) {
      Z_.row(n_ + k).setZero();
      Z_(n_ + k, exact + k) = soft_size(order_[exact + k]);
    }
    for (int first = 0; first < rank_; first += block_) eliminate(first, size_of_block(first));
  }

  int soft() const { return static_cast<int>(soft_rows_.size()); }
  int hard() const { return m_ - soft(); }

  /// Both return how many of the rows that count hold exactly.
  int factor_all_rows(bool deciding) {
    if (deciding) {
      rows_.factor_revealing_rank(Ct_, tolerance_, order_, rank_, share_);
    } else {
      rows_.factor(Ct_, order_, rank_, rank_);
    }
    return rank_;
  }

  int factor_exact_rows(bool deciding) {
    for (int i = 0; i < hard(); ++i) hard_Ct_.col(i) = Ct_.col(hard_rows_[i]);
    int exact = rank_ - soft();
    if (deciding) {
      rows_.factor_revealing_rank(hard_Ct_, tolerance_, hard_order_, exact, share_);
      int place = 0;
      const auto append = [&](int row) { order_[place++] = row; };
      for (int k = 0; k < exact; ++k) append(hard_rows_[hard_order_[k]]);
      for (const int row : soft_rows_) append(row);
      for (int k = exact; k < hard(); ++k) append(hard_rows_[hard_order_[k]]);
      rank_ = exact + soft();
    } else {  // the order may come from another kernel
      for (int k = 0; k < exact; ++k)
        hard_order_[k] = static_cast<int>(std::ranges::lower_bound(hard_rows_, order_[k]) - hard_rows_.begin());
      rows_.factor(hard_Ct_, hard_order_, exact, exact);
    }
    return exact;
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
      y.noalias() += Z_.topRows(n_).middleCols(first, size) * gamma_.segment(first, size);
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
  Householder rows_;  ///< decides on the rows that count of those that hold exactly, and finds their pivots
  std::vector<int> soft_rows_, hard_rows_, hard_order_;
  Matrix hard_Ct_;  ///< where some are soft: Ct_ of the others
  Matrix Z_, inverse_, factors_, S_;
  Vector rest_, gamma_;
  std::unique_ptr<SymmetricEigenvalues> solver_;
};

}  // namespace

std::unique_ptr<LinearKernel> make_recursive_blocks(RowOrder order, int block) {
  return std::make_unique<RecursiveBlocks>(order, block);
}

}  // namespace taut
