#pragma once

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
/// Rank is a decision, not a by-product: determine_rank() makes it, factor() keeps it. Rows are measured
/// against the largest size they have had, so that scaling a row changes nothing, and a row that
/// vanishes for a moment is recognised.
namespace taut {

class LinearKernel {
 public:
  virtual ~LinearKernel() = default;

  /// Can rows be soft? Such a row is met up to σ² times its multiplier, H x = c − σ²λ: with all rows soft,
  /// (M + HᵀH/σ²) x = f + Hᵀc/σ² (Orsino & de Oliveira, Eq. (8)-(10)).
  virtual bool carries_soft_rows() const { return false; }
  /// Where multipliers are not unique, are they the smallest? Else constraints that others imply have none.
  virtual bool gives_smallest_multipliers() const { return false; }
  /// Could the last decision tell every row that counts from those that others imply?
  virtual bool is_sure() const { return true; }
  /// How often another kernel was asked, since this one would not have served.
  virtual long hand_overs() const { return 0; }
  /// How often a part of the model was to be solved, and how often its solution was at hand, since nothing in it had
  /// changed.
  struct PartSolutions {
    long asked = 0, kept = 0;
  };
  virtual PartSolutions part_solutions() const { return {}; }
  /// How often an iteration ended before it had converged.
  virtual long unconverged() const { return 0; }
  /// σ² of each row, zero for those that hold exactly; to be said before start().
  void set_softness(std::vector<double> squares) { softness_ = std::move(squares); }
  /// W of the rows, positive definite, for H with all its rows: M + HᵀWH and f + HᵀWc stand in place of M and f, be M
  /// singular or not, and the solution is the same (Orsino & de Oliveira, note 2). Soft rows, which do not meet c, have
  /// no part in it. To be said before start(); without it, W is found where M needs it. A kernel that is not dense
  /// takes none.
  void set_weights(Matrix W) { given_weights_ = std::move(W); }
  /// The part of the model that each row belongs to, inner ones before outer ones; to be said before start(). A kernel
  /// that goes part by part uses it.
  void set_blocks(std::vector<int> blocks) { blocks_ = std::move(blocks); }

  /// Prepares for `rows` constraints (the first rows of every H given later) on `speeds` unknowns. The `further`
  /// rows of H that follow them are no constraints here, but complete M where it is singular: a kernel with such
  /// rows corrects and does not accelerate.
  void start(int speeds, int rows, double rank_tolerance, int further = 0);
  /// Which entries M and H will have, said after start(): what a kernel makes of them is then made before the first
  /// step. Without it, that happens when the first values come.
  virtual void reserve_patterns(const Pattern& M, const Pattern& H);
  /// Takes what another kernel of the same kind has made of the patterns, for the same sizes; between start() and
  /// reserve_patterns().
  virtual void share(const LinearKernel& other);

  /// Factors, and decides anew which rows count and in which order. False: M and H leave some
  /// direction without inertia, or a number is not finite.
  virtual bool determine_rank(const SparseValues& M, const SparseValues& H) = 0;
  /// Factors with the rank and order last decided.
  virtual bool factor(const SparseValues& M, const SparseValues& H) = 0;

  /// x = a + P(c − H a) with a = M⁻¹f, and the multipliers: M x = f + Hᵀλ.
  virtual void accelerate(const Vector& f, const Vector& c, Vector& x, Vector& lambda) = 0;
  /// x = P(r): the smallest x in the metric M with H x = r, where r may be longer than the rows.
  virtual void correct(const Vector& r, Vector& x) = 0;

  /// out = M⁻¹x.
  virtual void divide_by_mass(const Vector& x, Vector& out) const = 0;
  /// It will be asked for: what it takes is made now. Without this, that happens when it first is.
  virtual void reserve_mass_division() {}

  /// Takes a decision made earlier; factor() then keeps it.
  void keep(const std::vector<int>& order, int rank) {
    order_ = order;
    rank_ = rank;
  }
  /// Takes rank, order, the sizes of the rows and whether M needs completing from another kernel, to look at the
  /// same constraints elsewhere. A wild guess of where that is leaves nothing behind.
  void follow(const LinearKernel& other) {
    keep(other.order_, other.rank_);
    scale_ = other.scale_;
    mass_completed_ = other.mass_completed_;
    arrange();
  }
  /// Takes note of sizes that rows have had elsewhere, given as squares.
  void remember_sizes(const Vector& squares) {
    for (int i = 0; i < m_; ++i) measure_row(i, std::sqrt(squares[i]));
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
  /// A direction in which neither M nor H resists, after determine_rank() or factor() returned false.
  virtual Vector missing_direction() const = 0;

 protected:
  bool is_soft(int row) const { return row < static_cast<int>(softness_.size()) && softness_[row] > 0; }
  double softness(int row) const { return is_soft(row) ? softness_[row] : 0; }
  const Matrix& given_weights() const { return given_weights_; }
  bool has_blocks() const { return !blocks_.empty(); }
  int block_of(int row) const { return has_blocks() ? blocks_[row] : 0; }
  /// σ of a row, scaled as the row is.
  double soft_size(int row) const { return std::sqrt(softness_[row]) * scale_[row]; }
  /// Remembers how large a row is, if it has never been larger.
  void measure_row(int row, double size) {
    if (size * scale_[row] > 1 || (scale_[row] == 0 && size > 0)) scale_[row] = 1 / size;
  }

  /// Makes room for n_ unknowns, m_ rows and further_ ones.
  virtual void resize() = 0;
  /// Makes room for what follow() has brought.
  virtual void arrange() {}

  int n_ = 0, m_ = 0, further_ = 0;
  double tolerance_ = 1e-10;
  int rank_ = 0;
  std::vector<int> order_;
  double smallest_pivot_ = 1;
  Vector scale_;  ///< 1 / largest size of each row so far
  bool mass_completed_ = false;

 private:
  std::vector<double> softness_;  ///< σ² of each row; may be shorter
  Matrix given_weights_;          ///< empty: none are given
  std::vector<int> blocks_;       ///< of each row; empty: all belong together
};

}  // namespace taut
