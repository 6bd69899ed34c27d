#pragma once

#include <Eigen/Cholesky>
#include <array>
#include <vector>

#include "taut/system.hpp"

namespace taut {

/// Does a combination of the position constraints' gradients turn round within a step, so that at its end it points
/// against what it was at the beginning? It does where a singular position, or a sharp bend next to one, lies between
/// the two, and nowhere else in steps that resolve the motion.
///
/// It does not where x·A₁M⁻¹A₀ᵀx > 0 for all x, with rows A₀ and A₁, or where that holds from the beginning to the
/// middle and from there to the end, which is soon seen. Where that fails, the eigenvalues of A₁A₀⁺ tell. Of rows that
/// depend on each other as many as are independent are looked at first, and then all of them.
///
/// Nothing is allocated but for the eigenvalues. M is taken by its diagonal where the motion begins.
class RowTurn {
 public:
  explicit RowTurn(System& system);

  /// Is looking cheap, compared to a step?
  bool is_cheap() const;
  /// The rows of a position are no longer what they were.
  void forget();
  /// Where a step begins; so many of the rows are independent there.
  void begin(double t, const Vector& q, int rank);
  /// Up to where it ends.
  bool turns(double t, const Vector& q);
  /// The largest angle by which a row was found to have turned.
  double angle() const;
  /// How often a factorisation or eigenvalues were needed, which takes memory.
  long closer_looks() const { return closer_looks_; }
  /// Of the angle between two motions.
  double cosine(const Vector& v, const Vector& w) const;

 private:
  /// Entries of two rows in one column.
  struct Pair {
    int row, other_row;      ///< row ≥ other_row
    int entry, other_entry;  ///< among those of H
    int column;
  };

  void list_pairs();
  void weigh();
  void choose_rows(int rank);
  Matrix directions(const Vector& values) const;
  bool all_turn() const;
  void multiply(const Vector& before, const Vector& after);
  bool turns_little_in_parts(const Vector& q);
  bool turns_little(double from, double to, const Vector& before, const Vector& after, const Vector& q,
                    std::size_t depth);
  bool is_positive();

  System& system_;
  Point point_;
  std::vector<Pair> pairs_;
  Vector inverse_inertia_;
  double before_t_, after_t_;  ///< where rows are known; not a number: nowhere
  Vector before_, after_;      ///< entries of H
  Vector before_q_, stage_q_;
  std::array<Vector, 3> stages_;           ///< entries of H within the step
  Vector squares_before_, squares_after_;  ///< of the rows' lengths
  Matrix products_;                        ///< A₁M⁻¹A₀ᵀ + A₀M⁻¹A₁ᵀ, its lower triangle
  Matrix chosen_;                          ///< of the independent rows; others are those of a unit matrix
  std::vector<int> rows_;                  ///< that are independent
  Eigen::LLT<Matrix> factor_;
  long closer_looks_ = 0;
};

}  // namespace taut
