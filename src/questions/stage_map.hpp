#pragma once

#include <vector>

#include "questions/variation.hpp"

namespace taut {

/// Rows of the constraints that count, those of position constraints first.
struct CountingRows {
  std::vector<int> all, positions;
};

/// Changes of coordinates and speeds: a column for each of what they are changes with.
struct Changes {
  Matrix q, v;
};

/// How results depend on coordinates, speeds and all parameters of a model: a column for each result.
struct Gradients {
  Matrix q, v, p;

  Gradients& operator+=(const Gradients& other) {
    q += other.q;
    v += other.v;
    p += other.p;
    return *this;
  }
};

/// Solves M a − Rλ = r, H a = s with the rows that count, where R = Hᵀ + ∂R/∂λ: a and λ are linear in r and s.
class StageSolver {
 public:
  StageSolver(const Variation& at, const CountingRows& rows, const Matrix& H);

  Matrix a(const Matrix& r, const Matrix& s) const { return a_by_r_ * r + a_by_s_ * s; }
  Matrix lambda(const Matrix& r, const Matrix& s) const { return lambda_by_r_ * r + lambda_by_s_ * s; }
  /// Gradients by r and by s, of results with these by a and by λ.
  Matrix by_r(const Matrix& by_a, const Matrix& by_lambda) const;
  Matrix by_s(const Matrix& by_a, const Matrix& by_lambda) const;

 private:
  Matrix a_by_r_, a_by_s_, lambda_by_r_, lambda_by_s_;
};

/// The variational equations at one stage of a motion, as a linear map of changes of the state and of the parameters:
///   δq̇ = r_q δq + r_v δv + r_p δp,    M δa − Rδλ = −(F_q δq + F_v δv + F_p δp),    H δa = −(G_q δq + G_v δv + G_p δp),
/// after δq and δv were put onto Φ_q δq + Φ_p δp = 0 and χ_q δq + H δv + χ_p δp = 0. Forward it is applied to changes,
/// and transposed to gradients of results, which is the adjoint of the former to the last digits.
class StageMap {
 public:
  /// Where the variation stands, with the accelerations and multipliers that belong to the state.
  StageMap(const Variation& at, const CountingRows& rows, const Matrix& H);

  void put_on_constraints(Changes& state, const Matrix& p) const;
  /// Of changes on the constraints.
  Changes rates(const Changes& state, const Matrix& p) const;
  /// How formulas change that were evaluated there.
  Matrix varied(const Slopes& y, const Changes& state, const Matrix& p) const;

  /// Gradients by changes on the constraints, of results with these by the rates; and by formulas evaluated there.
  Gradients by_rates(const Changes& gradients) const;
  Gradients by_formulas(const Slopes& y, const Matrix& gradients) const;
  /// By changes before they were put there.
  void pull_through_constraints(Gradients& gradients) const;

 private:
  Gradients by_motion(const Matrix& by_a, const Matrix& by_lambda) const;

  StageSolver solver_;
  Slopes r_, F_, G_, Phi_, chi_;  ///< of the last two the rows that count
  Matrix retraction_, retraction_by_p_, position_correction_, velocity_correction_;
};

/// Some rows of a list of formulas.
Slopes chosen(const Slopes& all, const std::vector<int>& rows);

/// A⁺, with all pivots that are not rounding.
Matrix inverse_of(const Matrix& A);

}  // namespace taut
