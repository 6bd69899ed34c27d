#pragma once

#include <Eigen/Cholesky>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "taut/system.hpp"

/// The constrained least-squares problem that everything comes down to (Gauss's principle):
///   min ‖x − a‖_M  subject to  H x = c,      solution  x = a + P(c − H a),   P(r) = R⁻¹ C⁺ r,
/// with M = RᵀR and C = H R⁻¹. A kernel factors (M, H) once and then serves accelerations, velocity
/// and position corrections, and multipliers.
///
/// Rank is a decision, not a by-product: decide() makes it, factor() keeps it. Rows are measured
/// against the largest size they have had, so that scaling a row changes nothing, and a row that
/// vanishes for a moment is recognised.
namespace taut {

class LinearKernel {
 public:
  virtual ~LinearKernel() = default;

  /// Can rows be soft? Such a row is met up to σ² times its multiplier, H x = c − σ²λ: with all rows soft,
  /// (M + HᵀH/σ²) x = f + Hᵀc/σ² (Orsino & de Oliveira, Eq. (8)-(10)).
  virtual bool carries_soft_rows() const { return false; }
  /// σ² of each row, zero for those that hold exactly; to be said before start().
  void set_softness(std::vector<double> squares) { softness_ = std::move(squares); }

  /// Prepares for `rows` constraints (the first rows of every H given later) on `speeds` unknowns.
  void start(int speeds, int rows, double rank_tolerance);

  /// Factors, and decides anew which rows count and in which order. False: M and H leave some
  /// direction without inertia, or a number is not finite.
  bool decide(const SparseValues& M, const SparseValues& H);
  /// Factors with the rank and order last decided.
  bool factor(const SparseValues& M, const SparseValues& H);

  /// x = a + P(c − H a) with a = M⁻¹f, and the multipliers: M x = f + Hᵀλ.
  void accelerate(const Vector& f, const Vector& c, Vector& x, Vector& lambda);
  /// x = P(r): the smallest x in the metric M with H x = r, where r may be longer than the rows.
  void correct(const Vector& r, Vector& x);

  /// out = M⁻¹x.
  void divide_by_mass(const Vector& x, Vector& out) const;

  /// Takes a decision made earlier; factor() then keeps it.
  void keep(const std::vector<int>& order, int rank) {
    order_ = order;
    rank_ = rank;
  }
  /// Takes rank, order and the sizes of the rows from another kernel, to look at the same constraints elsewhere.
  void follow(const LinearKernel& other) {
    keep(other.order_, other.rank_);
    scale_ = other.scale_;
  }
  /// Changes how small a pivot may be before the next decision drops its row.
  void set_rank_tolerance(double tolerance) { tolerance_ = tolerance; }

  int rank() const { return rank_; }
  int rows() const { return m_; }
  /// Rows in the order of the decision: the first rank() count, the others are implied by them.
  const std::vector<int>& order() const { return order_; }
  /// The smallest pivot that counts, relative to its row's largest size; 1 without constraints.
  double smallest_pivot() const { return smallest_pivot_; }
  /// M alone is singular, the constraints complete it.
  bool mass_completed() const { return mass_completed_; }
  /// A direction in which neither M nor H resists, after decide() or factor() returned false.
  Vector missing_direction() const;

 protected:
  bool is_soft(int row) const { return row < static_cast<int>(softness_.size()) && softness_[row] > 0; }
  /// σ of a row, scaled as the row is.
  double soft_size(int row) const { return std::sqrt(softness_[row]) * scale_[row]; }

  /// A pivot below this is rounding error, whatever was decided.
  static constexpr double noise = 1e-14;

  virtual void resize() = 0;
  /// Factors Ct_ (n × m: L⁻¹Hᵀ with columns scaled), deciding order_ and rank_ first if asked.
  virtual void factor_rows(bool deciding) = 0;
  /// y = C⁺ r and lambda with Cᵀlambda = y, both for scaled rows. Entries of lambda that do not
  /// count are zero, except where the kernel spreads it over all rows.
  virtual void solve_rows(const Vector& r, Vector& y, Vector& lambda) = 0;

  int n_ = 0, m_ = 0;
  double tolerance_ = 1e-10;
  int rank_ = 0;
  std::vector<int> order_;
  double smallest_pivot_ = 1;
  Matrix Ct_;

 private:
  bool prepare(const SparseValues& M, const SparseValues& H, bool deciding);
  bool factor_mass(const SparseValues& M);

  Eigen::LLT<Matrix> mass_;
  Matrix M_, H_;
  Vector scale_;  ///< 1 / largest size of each row so far
  Vector scaled_, y_, free_, residual_;
  std::vector<double> softness_;  ///< σ² of each row; may be shorter
  Vector weights_;                ///< W of the completed mass M + HᵀWH
  bool mass_completed_ = false;
};

}  // namespace taut
