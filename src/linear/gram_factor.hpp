#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "linear/mass_factor.hpp"
#include "linear/short_rows.hpp"

namespace taut {

/// Rows C of a small problem, in the order of a decision, by the Gram matrix S of those that count:
///
///   S = C₁C₁ᵀ = UᵀD⁻¹U;   C₂ = X C₁ for the rows that they imply:
///   C = [I; X] C₁,   C⁺ = C₁ᵀ S⁻¹ (I + XᵀX)⁻¹ [I Xᵀ],   λ = [I; X] (I + XᵀX)⁻¹ S⁻¹ C₁ y    (the smallest ones)
///
/// Products of rows square their pivots. It says when these are too small to be taken from such products, and what then
/// is to be done is for others to say. Memory is sized once; whoever fills in Cᵀ scales its columns.
class GramFactor {
 public:
  /// At most so many unknowns and rows.
  static constexpr int most = 64;
  /// A pivot below this is not taken from a product C Cᵀ, which squares it: what it would lose, ε/safe², is 2e-13.
  static constexpr double safe = 0.03;

  void resize(int unknowns, int rows) {
    n_ = unknowns;
    m_ = rows;
    width_ = (m_ + 3) / 4 * 4;
    Ct_.assign(static_cast<std::size_t>(n_) * width_, 0);
    U_.assign(static_cast<std::size_t>(m_) * width_, 0);
    Xt_.assign(static_cast<std::size_t>(m_) * width_, 0);
    W_.assign(static_cast<std::size_t>(m_) * width_, 0);
  }

  // ---- the rows -----------------------------------------------------------------------------------
  /// Cᵀ, row by row, in the order of the mass factor.
  void clear() { std::fill(Ct_.begin(), Ct_.end(), 0); }
  double* unknown(int i) { return &Ct_[i * width_]; }
  const double* unknown(int i) const { return &Ct_[i * width_]; }
  void divide_by(const MassFactor& mass) { mass.lower_rows(Ct_.data(), width_); }
  /// |c|² of each row.
  void measure(double* squares) const {
    std::fill_n(squares, m_, 0);
    for (int i = 0; i < n_; ++i)
      for (int k = 0; k < m_; ++k) squares[k] += Ct_[i * width_ + k] * Ct_[i * width_ + k];
  }

  // ---- factoring ----------------------------------------------------------------------------------
  int rank() const { return rank_; }
  /// Of the rows that count.
  double smallest_pivot() const { return smallest_pivot_; }

  /// Chooses the rows that count, the largest pivot first, among rows that stand as they are given, and sorts them so.
  void decide(std::vector<int>& order, double tolerance) {
    multiply();
    rank_ = std::min(n_, m_);
    smallest_pivot_ = 0;
    for (int k = 0; k < m_; ++k) order[k] = k;
    for (int k = 0; k < rank_; ++k)
      if (!bring_largest(k, order, std::max(safe, tolerance))) {
        rank_ = k;
      } else {
        eliminate(k);
      }
    sort_columns(order);
  }

  /// Cᵀ := L⁻¹Hᵀ, factored with rows that stand in the order of a decision, of which so many count. False where one of
  /// their pivots is not safe.
  bool factor(const MassFactor& mass, int rank) {
    rank_ = rank;
    return width_ <= short_rows::longest ? factor_short_rows(mass) : factor_long_rows(mass);
  }

  /// ‖C₁⁺‖ in the sense of Frobenius, squared: that of U⁻¹D^½, column by column.
  double inverse_square() const {
    double sum = 0, column[most];
    for (int j = 0; j < rank_; ++j) {
      double squares = 0;
      for (int i = j; i >= 0; --i) {
        double value = i == j ? 1 : 0;
        for (int k = i + 1; k <= j; ++k) value -= U_[i * width_ + k] * column[k];
        column[i] = value * inverse_[i];
        squares += column[i] * column[i];
      }
      sum += squares * U_[j * width_ + j];
    }
    return sum;
  }

  /// Xᵀ = U₁₁⁻¹U₁₂, and I + X Xᵀ = WᵀW. False if one is not finite.
  bool find_implied() {
    for (int i = rank_ - 1; i >= 0; --i) {
      double* target = &Xt_[i * width_];
      for (int j = rank_; j < m_; ++j) target[j] = U_[i * width_ + j];
      for (int k = i + 1; k < rank_; ++k)
        for (int j = rank_; j < m_; ++j) target[j] -= U_[i * width_ + k] * Xt_[k * width_ + j];
      for (int j = rank_; j < m_; ++j) target[j] *= inverse_[i];
    }
    for (int i = rank_; i < m_; ++i)
      for (int j = i; j < m_; ++j) {
        double sum = i == j ? 1 : 0;
        for (int k = 0; k < rank_; ++k) sum += Xt_[k * width_ + i] * Xt_[k * width_ + j];
        for (int k = rank_; k < i; ++k) sum -= W_[k * width_ + i] * W_[k * width_ + j];
        W_[i * width_ + j] = i == j ? std::sqrt(sum) : sum / W_[i * width_ + i];
      }
    for (int j = rank_; j < m_; ++j)
      if (!std::isfinite(W_[j * width_ + j])) return false;
    return true;
  }

  /// Is what the rows that count leave of the others below the tolerance? Found as vectors, not as a difference of
  /// squares.
  bool leaves_nothing(double tolerance) const {
    for (int j = rank_; j < m_; ++j) {
      double square = 0;
      for (int i = 0; i < n_; ++i) {
        double rest = Ct_[i * width_ + j];
        for (int k = 0; k < rank_; ++k) rest -= Ct_[i * width_ + k] * Xt_[k * width_ + j];
        square += rest * rest;
      }
      if (!(square <= tolerance * tolerance)) return false;
    }
    return true;
  }

  // ---- solving ------------------------------------------------------------------------------------
  /// r −= C y.
  void subtract(const double* y, double* r) const {
    for (int i = 0; i < n_; ++i) {
      const double* row = &Ct_[i * width_];
      for (int k = 0; k < m_; ++k) r[k] -= row[k] * y[i];
    }
  }

  /// z = S⁻¹ (I + XᵀX)⁻¹ [I Xᵀ] r.
  void solve(const double* r, double* z) const {
    for (int k = 0; k < rank_; ++k) z[k] = r[k];
    if (rank_ < m_) {
      for (int k = 0; k < rank_; ++k)
        for (int j = rank_; j < m_; ++j) z[k] += Xt_[k * width_ + j] * r[j];
      share(z);
    }
    for (int k = 0; k < rank_; ++k) {  // UᵀD⁻¹
      const double value = z[k] * inverse_[k];
      for (int j = k + 1; j < rank_; ++j) z[j] -= U_[k * width_ + j] * value;
    }
    for (int k = rank_ - 1; k >= 0; --k) {  // U
      double sum = z[k];
      for (int j = k + 1; j < rank_; ++j) sum -= U_[k * width_ + j] * z[j];
      z[k] = sum * inverse_[k];
    }
  }

  /// y += C₁ᵀ z.
  void add_rows(const double* z, double* y) const {
    for (int i = 0; i < n_; ++i) {
      const double* row = &Ct_[i * width_];
      double sum = y[i];
      for (int k = 0; k < rank_; ++k) sum += row[k] * z[k];
      y[i] = sum;
    }
  }

  /// λ = [I; X] (I + XᵀX)⁻¹ z.
  void multipliers(const double* z, double* lambda) const {
    for (int k = 0; k < rank_; ++k) lambda[k] = z[k];
    if (rank_ == m_) return;
    share(lambda);
    for (int j = rank_; j < m_; ++j) {
      lambda[j] = 0;
      for (int k = 0; k < rank_; ++k) lambda[j] += Xt_[k * width_ + j] * lambda[k];
    }
  }

 private:
  /// The upper triangle of S = C Cᵀ, in U_.
  void multiply() {
    std::fill(U_.begin(), U_.end(), 0);
    for (int i = 0; i < n_; ++i) {
      const double* row = &Ct_[i * width_];
      for (int k = 0; k < m_; ++k) {
        const double factor = row[k];
        if (factor == 0) continue;
        double* __restrict target = &U_[k * width_];
        for (int j = k; j < m_; ++j) target[j] += factor * row[j];
      }
    }
  }

  /// Moves the largest remaining pivot to place k; false if it is not above `least`.
  bool bring_largest(int k, std::vector<int>& order, double least) {
    int best = k;
    for (int j = k + 1; j < m_; ++j)
      if (U_[j * width_ + j] > U_[best * width_ + best]) best = j;
    if (!(U_[best * width_ + best] > least * least)) return false;
    if (best == k) return true;
    std::swap(order[best], order[k]);
    swap_rows(k, best);
    return true;
  }

  void swap_rows(int k, int best) {
    const auto at = [&](int i, int j) -> double& { return U_[i * width_ + j]; };
    std::swap(at(best, best), at(k, k));
    for (int j = 0; j < k; ++j) std::swap(at(j, best), at(j, k));
    for (int j = k + 1; j < best; ++j) std::swap(at(k, j), at(j, best));
    for (int j = best + 1; j < m_; ++j) std::swap(at(k, j), at(best, j));
  }

  void eliminate(int k) {
    const double* row = &U_[k * width_];
    const double pivot = std::sqrt(row[k]), inverse = 1 / row[k];
    smallest_pivot_ = k == 0 ? std::min(pivot, 1.0) : std::min(smallest_pivot_, pivot);
    inverse_[k] = inverse;
    for (int i = k + 1; i < m_; ++i) {
      const double factor = row[i] * inverse;
      if (factor == 0) continue;
      double* __restrict target = &U_[i * width_];
      for (int j = i; j < m_; ++j) target[j] -= factor * row[j];
    }
  }

  bool factor_short_rows(const MassFactor& mass) {
    short_rows::Problem problem{mass, n_, rank_, safe, Ct_.data(), U_.data(), inverse_, 1};
    if (!short_rows::factor_anywhere(problem, width_)) return false;
    smallest_pivot_ = rank_ > 0 ? std::sqrt(problem.smallest_square) : 0;
    return true;
  }

  bool factor_long_rows(const MassFactor& mass) {
    divide_by(mass);
    multiply();
    smallest_pivot_ = 0;
    for (int k = 0; k < rank_; ++k) {
      const double square = U_[k * width_ + k];
      if (!(square > safe * safe) || std::isinf(square)) return false;
      eliminate(k);
    }
    return true;
  }

  void sort_columns(const std::vector<int>& order) {
    double row[most];
    for (int i = 0; i < n_; ++i) {
      double* given = &Ct_[i * width_];
      for (int k = 0; k < m_; ++k) row[k] = given[order[k]];
      std::copy_n(row, m_, given);
    }
  }

  /// w := (I + XᵀX)⁻¹ w = w − Xᵀ (I + X Xᵀ)⁻¹ X w
  void share(double* w) const {
    double u[most];
    for (int j = rank_; j < m_; ++j) {
      u[j] = 0;
      for (int k = 0; k < rank_; ++k) u[j] += Xt_[k * width_ + j] * w[k];
    }
    for (int j = rank_; j < m_; ++j) {
      for (int k = rank_; k < j; ++k) u[j] -= W_[k * width_ + j] * u[k];
      u[j] /= W_[j * width_ + j];
    }
    for (int j = m_ - 1; j >= rank_; --j) {
      for (int k = j + 1; k < m_; ++k) u[j] -= W_[j * width_ + k] * u[k];
      u[j] /= W_[j * width_ + j];
    }
    for (int k = 0; k < rank_; ++k)
      for (int j = rank_; j < m_; ++j) w[k] -= Xt_[k * width_ + j] * u[j];
  }

  int n_ = 0, m_ = 0;
  int width_ = 0;  ///< of a row in memory
  int rank_ = 0;
  double smallest_pivot_ = 1;
  std::vector<double> Ct_;          ///< n × m, rows in the order of the mass factor
  std::vector<double> U_, Xt_, W_;  ///< m × m: S, then U; Xᵀ in its place beside U₁₁; W in the corner
  double inverse_[most] = {};       ///< of the diagonal of U
};

}  // namespace taut
