#pragma once

#include "enforcement/energy.hpp"
#include "enforcement/method.hpp"
#include "integration/ode_extensions.hpp"
#include "simulation/energy_balance.hpp"
#include "simulation/evaluation.hpp"
#include "simulation/motion_settings.hpp"

namespace taut {

/// The terms that a method or an energy law adds while integrating, and when (--control): in every stage, held through
/// a step, or added to its result. Owns the violation that they act on. A motion asks it for its slopes, with the
/// terms or without; a formula with a memory asks it for the held ones by themselves.
class CorrectionTerms final : public StepTerms {
 public:
  /// Those who add terms; the law may be none.
  struct Sources {
    Method& method;
    EnergyLaw* law;
  };
  CorrectionTerms(Evaluation& evaluation, const Sources& sources, const MotionSettings& settings,
                  EnergyBalance& balance, MotionReport& report);

  bool exist() const;
  /// Are they added to each stage, or to the result of a step?
  bool in_stages() const { return exist() && !in_result() && !separated_; }
  bool in_result() const;
  bool are_separated() const { return separated_; }
  /// Terms that are held bound the length of the steps that are chosen.
  double longest_step() const;

  bool depends_on_step() const override;
  void separate_held_terms() override { separated_ = settings_.control == Control::euler; }
  bool held_terms(double t, const Vector& y, double h, Vector& rate) override;

  /// Holds what is held through a step of h from (t, y).
  void begin_step(double t, const Vector& y, double h);
  double step() const { return h_; }
  /// Takes the violation that the terms of a stage act on, at the point just evaluated for y.
  void enter_stage(double t, const Vector& y);
  /// q̇, v̇, λ and power at the evaluated point, without terms, and with those of a step of h.
  void find_slopes(double t);
  void find_slopes_with_terms(double t, double h);
  /// The terms alone, at a state, acting on the violation there. False where they have no value.
  bool find(double t, const Vector& y, double h, Vector& rate);
  /// The same, kept here; null where they have no value.
  const Vector* find(double t, const Vector& y, double h) { return find(t, y, h, rate_) ? &rate_ : nullptr; }
  /// Have they been found at the result of the step, and which were they?
  bool act_at_end() const { return exist() && settings_.control == Control::backward_euler; }
  const Vector& added() const { return rate_; }
  /// False where the terms have no value.
  bool add_to_result(double t, Vector& y);

  /// A step of h whose terms others add, acting on this violation; and what they made of the rates of coordinates.
  ViolationNow& begin_step_of_others(double h);
  void measure(double h, const double* rates, const double* plain_rates);

 private:
  void reserve();
  void see_violation(double t, const Vector& y);
  void solve(double t);

  Evaluation& evaluation_;
  Method& method_;
  EnergyLaw* law_;
  MotionSettings settings_;
  EnergyBalance& balance_;
  MotionReport& report_;
  bool bounds_steps_;       ///< terms are held through steps that are chosen
  bool separated_ = false;  ///< the integrator adds held terms by itself
  double h_ = 0;
  ViolationNow violation_;  ///< what the terms act on
  Vector rate_;             ///< terms to be added to the result of the step
  Vector plain_rates_;      ///< q̇ without terms
};

}  // namespace taut
