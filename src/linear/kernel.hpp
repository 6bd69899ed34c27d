#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "linear/row_decision.hpp"
#include "linear/row_traits.hpp"
#include "taut/system.hpp"

/// The constrained least-squares problem that everything comes down to (Gauss's principle):
///   min ‖x − a‖_M  subject to  H x = c,      solution  x = a + P(c − H a),   P(r) = R⁻¹ C⁺ r,
/// with M = RᵀR and C = H R⁻¹. A kernel factors (M, H) once and then serves accelerations, velocity
/// and position corrections, and multipliers.
///
/// Rank is a decision, not a by-product: determine_rank() makes it, factor() keeps it (RowDecision). What rows are like
/// is said before start() (RowTraits).
namespace taut {

class LinearKernel : public RowDecision, public RowTraits {
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

  /// Takes rank, order, the sizes of the rows and whether M needs completing from another kernel, to look at the
  /// same constraints elsewhere. A wild guess of where that is leaves nothing behind.
  void follow(const LinearKernel& other) {
    keep(other.order_, other.rank_);
    scale_ = other.scale_;
    mass_completed_ = other.mass_completed_;
    arrange();
  }
  /// M alone is singular, the constraints complete it.
  bool mass_completed() const { return mass_completed_; }
  /// A direction in which neither M nor H resists, after determine_rank() or factor() returned false.
  virtual Vector missing_direction() const = 0;

 protected:
  /// σ of a row, scaled as the row is.
  double soft_size(int row) const { return std::sqrt(softness(row)) * scale_[row]; }

  /// Makes room for n_ unknowns, m_ rows and further_ ones.
  virtual void resize() = 0;
  /// Makes room for what follow() has brought.
  virtual void arrange() {}

  int n_ = 0, further_ = 0;
  bool mass_completed_ = false;
};

}  // namespace taut
