#pragma once

#include "enforcement/energy.hpp"
#include "simulation/evaluation.hpp"
#include "simulation/motion_settings.hpp"

namespace taut {

/// The energy balance E − E₀ − work of a motion. Many ask for it at one and the same state, so it remembers the last.
class EnergyBalance {
 public:
  explicit EnergyBalance(Evaluation& evaluation) : evaluation_(evaluation) {}

  void start(double energy) { E0_ = energy; }
  /// The energy has jumped where the equations were changed, which was work: the error is what it was before.
  void keep_error(double t, const Vector& y, double error);
  /// What the energy of a state should be.
  double target(const Vector& y) const { return E0_ + evaluation_.layout().work(y); }
  /// E − E₀ − work at a state, and at the point of the evaluation, which is where the state stands.
  double error(double t, const Vector& y);
  double error_here(double t, const Vector& y);

 private:
  Evaluation& evaluation_;
  double E0_ = 0;
  /// The balance last found, and the time and the sum over the state by which it is known again.
  double t_ = 0, sum_ = 0, error_ = 0;
};

/// What an energy law does to the result of a step. A motion asks for it after the method's own correction.
class EnergyCorrection {
 public:
  /// Without a law it does nothing.
  EnergyCorrection(Evaluation& evaluation, EnergyLaw* law, const EnergyBalance& balance,
                   const MotionSettings& settings);

  bool exists() const { return law_ && law_->corrects(); }
  /// False where the equations cannot be factored there.
  bool apply(double t, Vector& y);

 private:
  bool changes_speeds_too_much(const Vector& y) const;

  Evaluation& evaluation_;
  EnergyLaw* law_;
  const EnergyBalance& balance_;
  MotionSettings settings_;
};

}  // namespace taut
