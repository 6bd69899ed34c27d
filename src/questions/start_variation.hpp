#pragma once

#include "questions/stage_map.hpp"
#include "questions/varied_state.hpp"
#include "simulation/start.hpp"

namespace taut {

/// How the state that a run starts from changes with what is varied. A run moves the values given onto the constraints
/// by the least change in the metric of the masses, without what is fixed; these corrections are taken again, and each
/// is varied: M w = H'ν, H w = −Φ, and so M δw − H'δν = −δ(M w − H'ν) with w and ν held, H δw = −δΦ − δ(H w).
class StartVariation {
 public:
  StartVariation(Variation& variation, System& system, const Matrix& parameter_slopes, const CountingRows& rows,
                 const Claims& claims);

  /// Takes the values given, with their slopes, to where the run starts.
  void move(VariedState& given);

 private:
  struct Correction {
    Vector w, multipliers;
  };
  Slopes difference(const MotionPoint& with, const MotionPoint& without, const Slopes& (Variation::*part)() const);
  Matrix along(const Slopes& of, const Matrix& q) const { return of.by_q * q + of.by_p * parameter_slopes_; }
  void prepare(const std::vector<int>& rows, const std::vector<bool>& held);
  Correction correct(const Vector& violation) const;
  Matrix vary(const Matrix& balance, const Matrix& violation) const;
  void retract(VariedState& state) const;
  double move_position(VariedState& state, const std::vector<bool>& held);
  void move_speeds(VariedState& state, const std::vector<bool>& held);
  MotionPoint at(const VariedState& state) const;

  Variation& variation_;
  System& system_;
  const Matrix& parameter_slopes_;
  const CountingRows& rows_;
  Claims claims_;
  Matrix inverse_mass_;  ///< of what is not held; zeros for the rest
  Matrix H_;             ///< the rows that count
  Matrix weighted_;      ///< M⁻¹Hᵀ(H M⁻¹Hᵀ)⁻¹
};

}  // namespace taut
