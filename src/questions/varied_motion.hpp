#pragma once

#include <memory>
#include <string>
#include <vector>

#include "integration/tableau.hpp"
#include "questions/variation.hpp"
#include "questions/varied_state.hpp"

namespace taut {

/// The variational equations on the constraints: beside q̇ = r, v̇ = a of a motion
///   δq̇ = r_q δq + r_v δv + r_p,    M δa − Hᵀδλ = −(F_q δq + F_v δv + F_p),    H δa = −(G_q δq + G_v δv + G_p),
/// with Φ_q δq + Φ_p = 0 and χ_q δq + H δv + χ_p = 0, onto which every stage is put before it is evaluated, as the
/// motion itself is. Which rows count is decided where a step begins, and stays.
class VariedMotion {
 public:
  /// `parameter_slopes` has a column for each parameter that is varied: see Subject::parameter_slopes.
  VariedMotion(const Subject& subject, const Matrix& parameter_slopes, const std::vector<std::string>& outputs);

  /// Decides which rows count, on the constraints, and puts the slopes onto them. Rows that count are kept where their
  /// number falls for a moment, as at a singular position.
  void begin(VariedState& state);
  /// One step of the eighth order by Dormand and Prince, from where it was begun.
  void step(VariedState& state, double h);
  /// The outputs and their slopes.
  struct Shown {
    Vector value;
    Matrix slopes;
    Vector rates;  ///< along the motion
  };
  Shown show(VariedState& state);
  /// Chooses the side of every kink, from here on; none: as it is where the equations are evaluated.
  void set_branches(const std::vector<System::Branch>& branches);
  /// Switching functions, with their slopes by the parameters, and their rates, where the state stands.
  Shown switching(VariedState& state);
  /// The accelerations there.
  Vector accelerations(VariedState& state);
  /// Moves changes of the initial state, in the metric of the masses, to where the constraints leave them.
  void make_consistent(VariedState& state);

 private:
  struct Solution {
    Matrix a, lambda;
  };
  void put_on_constraints(VariedState& state);
  void put_slopes_on_constraints(VariedState& state, const Matrix& position_inverse, const Matrix& inverse);
  Solution solve(const Matrix& r, const Matrix& s) const;
  void find_accelerations(VariedState& state);
  Vector rates(VariedState& state);
  Matrix H() const;
  Shown shown(const Slopes& y, const Vector& by_time, VariedState& state);
  Matrix by_parameters(const Slopes& slopes) const { return slopes.by_p * parameter_slopes_; }

  const Subject& subject_;
  Matrix parameter_slopes_;
  Variation variation_;
  std::unique_ptr<System> system_;
  Tableau tableau_;
  Point point_;
  MotionPoint here_;
  std::vector<int> rows_;  ///< that count; those of position constraints first
  int position_rows_ = 0;  ///< how many of them are
  Matrix free_, inverse_;  ///< of the rows that count at the stage: H W = 0, H⁺
};

}  // namespace taut
