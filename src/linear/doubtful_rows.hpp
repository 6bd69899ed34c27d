#pragma once

#include <vector>

#include "taut/vector.hpp"

namespace taut {

/// What rows leave beside those that count, in the metric M.
class RowComplement {
 public:
  virtual ~RowComplement() = default;
  /// x of M x + Hᵀμ = b, H x = 0 over the rows that count: what they leave of M⁻¹b. Returns about how large, in the
  /// metric M, the rounding errors of x are.
  virtual double project(const Vector& b, Vector& x) = 0;
  /// out = M x.
  virtual void multiply(const Vector& x, Vector& out) = 0;
  /// b = Hᵀ factors.
  virtual void combine(const Vector& factors, Vector& b) = 0;
};

/// Decides on rows that a factor of squares cannot tell from implied ones. A pivot of such a factor is a difference of
/// squares: it loses half of the digits, and whatever growth costs beside. What a row leaves beside the others as a
/// vector loses only what the others' condition costs.
class DoubtfulRows {
 public:
  /// Makes room, unless there are so many that it is better made when a row is in doubt.
  void resize(int speeds, int rows);
  void clear() { rows_.clear(); }
  /// A row of size 1 / scale, of which the factor says that it leaves this square, relative.
  void add(int row, double scale, double square) { rows_.push_back({row, scale, square, 0}); }

  struct Row {
    int row;
    double scale;
    double square;
    double pivot;  ///< what it has of its own beside those that count, and those found before it; 0: it is implied
  };
  const std::vector<Row>& rows() const { return rows_; }
  bool empty() const { return rows_.empty(); }
  /// So many vectors that telling them apart would take more time and memory than a factor.
  bool too_many() const;

  /// Are all of them implied by the rows that count? One vector tells: a combination of all with factors that nothing
  /// in a mechanism could make cancel.
  bool all_implied(RowComplement& complement, double tolerance);
  /// Finds the pivot of each, the largest first. False where one cannot be told from rounding errors.
  bool measure(RowComplement& complement, double tolerance);

 private:
  int next(int found) const;
  void remove_direction(RowComplement& complement, int found);

  void make_room();

  int speeds_ = 0, all_rows_ = 0;
  std::vector<Row> rows_;
  std::vector<double> noise_, sizes_;
  Vector factors_, b_, x_, Mx_, direction_;
  Matrix left_;  ///< a column for each
};

}  // namespace taut
