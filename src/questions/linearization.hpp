#pragma once

#include "questions/variation.hpp"
#include "taut/questions.hpp"

namespace taut {

/// Which quasi-coordinates and speeds are the states.
struct StateChoice {
  std::vector<int> pi, v;
};

/// The equations linearised where a variation stands, on the constraints.
///
/// Small changes are δπ = Z α + s δp and δv = V (α, η, δp), with Φ_q E Z = 0 and χ varied to zero: α are the
/// quasi-coordinates and η the speeds that were chosen, so that α̇ and η̇ are components of π̇ and of the accelerations.
/// Positions are bound by position constraints alone, speeds by all.
class Linearization {
 public:
  /// `parameter_slopes` has a column for each input.
  Linearization(const Variation& at, const Matrix& parameter_slopes, const StateChoice* choice = nullptr);

  const StateChoice& choice() const { return choice_; }
  Matrix A() const { return motion_.leftCols(states()); }
  Matrix B() const { return motion_.rightCols(inputs_); }
  Matrix C() const { return outputs_.leftCols(states()); }
  Matrix D() const { return outputs_.rightCols(inputs_); }
  Matrix coordinate_shapes() const { return (E_ * pi_).leftCols(states()); }
  int positions() const { return static_cast<int>(choice_.pi.size()); }
  int speeds() const { return static_cast<int>(choice_.v.size()); }

  /// How far the varied constraints miss being satisfiable, relative to their terms: they change their rank there.
  double inconsistency() const { return inconsistency_; }
  bool has_inertia() const { return has_inertia_; }
  /// The smallest pivot of the constraints that counts.
  double smallest_pivot() const { return smallest_pivot_; }
  /// Outputs that redundant constraints leave undetermined.
  const std::vector<int>& undetermined() const { return undetermined_; }

 private:
  int states() const { return positions() + speeds(); }
  Matrix by_inputs(const Slopes& slopes) const;
  void vary_positions(const StateChoice* choice);
  void vary_speeds(const StateChoice* choice);
  void vary_accelerations();
  void find_undetermined();
  void check(const Matrix& left, const Matrix& right, const Matrix& slopes);
  std::vector<int> preferred_speeds() const;

  const Variation& at_;
  const Matrix& slopes_;
  Eigen::Index inputs_;
  Matrix E_;
  StateChoice choice_;
  Matrix pi_, v_;  ///< δπ and δv by (α, η, δp)
  Matrix motion_, outputs_;
  double inconsistency_ = 0, smallest_pivot_ = 1;
  bool has_inertia_ = true;
  std::vector<int> undetermined_;
};

}  // namespace taut
