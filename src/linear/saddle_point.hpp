#pragma once

#include <utility>
#include <vector>

#include "linear/sparse_matrices.hpp"

namespace taut {

/// The whole matrix of the problem, a saddle-point matrix (Benzi, Golub & Liesen 2005),
///   [ M  Hᵀ ] [  x ]   [ f ]
///   [ H −σ² ] [ −λ ] = [ c ],
/// factored as LDLᵀ in an order found once. A row is eliminated right after the last of its speeds: its pivot is what
/// is left of it after the rows eliminated before it, in the metric of the speeds eliminated so far. No pivot is looked
/// for, so that work and memory are fixed, and for chains and trees of loops they grow like their length. Which rows
/// are left out is for the caller to say.
class SaddlePoint {
 public:
  /// `softness` has σ² of each constraint; `takes_part` says which rows may complete M.
  void resize(int speeds, int rows, int further, std::vector<double> softness, std::vector<char> takes_part);
  /// Patterns and values, which are to be loaded before it is factored.
  SparseMatrices& matrices() { return matrices_; }
  const SparseMatrices& matrices() const { return matrices_; }
  /// Room to work in, which holds nothing from one call to the next.
  SparseRoom& room() const { return matrices_.room(); }
  /// M is completed from now on, or is not.
  void arrange(bool completed);

  /// Puts the values loaded where the factor will be.
  void fill();
  /// Of each constraint as filled in, hᵀD⁻¹h with the diagonal D of M.
  void find_row_squares(Vector& squares) const { matrices_.measure_rows(whole_, squares); }
  /// Factors what fill() has put there. judge_row(i, square, size) is asked about each row: `square` is what is left of
  /// it after those before it, found as a difference of terms of this size. False where nothing resists a speed.
  template <class Judge>
  bool factor(Judge&& judge_row) {
    const int n = matrices_.speeds();
    return whole_.factor([&](int k, double d, double size) {
      const int i = whole_.pattern().at(k) - n;
      if (i >= 0) return judge_row(i, -d, size);
      return is_resisted(k, d) ? SparseFactor::Pivot::use : SparseFactor::Pivot::stop;
    });
  }

  /// x for these f and c, and multipliers(); near a singular position the squares in the pivots have cost digits, which
  /// one step of refinement brings back.
  void solve(const Vector& f, const Vector& c, Vector& x);
  /// x for f = 0, as the factor gives it.
  void solve_rows(const Vector& c, Vector& x);
  /// One step of iterative refinement: what is missing from the equations is solved for once more.
  void refine(const Vector& f, const Vector& c, Vector& x);
  /// From x = 0 and no multipliers, in steps of refinement.
  void begin_refinement(Vector& x);
  /// −λ of the last solution.
  const Vector& multipliers() const { return room().mu; }
  /// The direction that nothing resists, after factor() has returned false.
  Vector missing_direction() const;

 private:
  /// Does anything resist the speed of the k-th pivot, d? One that nothing resists has a pivot of nought, or of
  /// rounding. What else is small is a difference of squares: in doubt the direction itself tells whether M and H
  /// resist it.
  bool is_resisted(int k, double d);
  bool is_direction_resisted(int k);
  void solve_loaded();
  void unload(Vector& x);

  SparseMatrices matrices_;
  SparseFactor whole_;
  std::vector<double> softness_;  ///< empty: all rows hold exactly
};

/// What the rows that count leave of others, by the factor of a saddle-point matrix of which these are left out.
class FactoredComplement final : public RowComplement {
 public:
  /// Rows have the size 1 / row_scale; nought: they vanish.
  FactoredComplement(SaddlePoint& equations, const Vector& row_scale) : equations_(equations), row_scale_(row_scale) {}

  /// Refined until it does not become smaller: nothing is left of a row that others imply.
  double project(const Vector& b, Vector& x) override;
  void multiply(const Vector& x, Vector& out) override { equations_.matrices().multiply(x, out); }
  void combine(const Vector& factors, Vector& b) override;

 private:
  SaddlePoint& equations_;
  const Vector& row_scale_;
};

}  // namespace taut
