#pragma once

#include <memory>
#include <string>

#include "integration/ode_extensions.hpp"
#include "simulation/correction_terms.hpp"
#include "simulation/energy_audit.hpp"
#include "simulation/energy_balance.hpp"
#include "simulation/feature_watch.hpp"
#include "simulation/singular_passages.hpp"

namespace taut {

/// The last word on a step that has passed its error test. Refuses steps that leap over a bend of the constraints or
/// over a narrow feature of a formula, whose correction is far larger than their error estimate, or that make or lose
/// energy for which errors do not account. Owns the watch for features and the energy audit. Integrators ask it; a
/// motion tells it of every step that was accepted.
class StepApproval final : public StepJudge {
 public:
  /// What the answers are taken from.
  struct Witnesses {
    SingularPassages& passages;
    EnergyBalance& balance;
    const CorrectionTerms& terms;
    const MotionReport& report;
  };
  StepApproval(Evaluation& evaluation, const Method& method, const Witnesses& witnesses,
               const MotionSettings& settings);

  bool approves(double t, const Vector& y) override;
  std::string objection() const override { return objection_; }
  double longest_step() const override;

  void start(double t) { audit_.start(t, 0); }
  void accept(double t, const Vector& y);
  /// As accept(), for the features alone.
  void accept_features(double t, const Vector& y);
  /// From the last accepted state on, steps do not leap over features of formulas.
  void watch_features(std::unique_ptr<FeatureWatch> features);

  const FeatureWatch* features() const { return features_.get(); }
  const EnergyAudit& audit() const { return audit_; }

 private:
  bool leaps(double t, const Vector& y);
  bool overlooks_feature(double t, const Vector& y);
  bool moves_too_far(const Vector& y) const;
  bool gains_energy(double t, const Vector& y);
  bool show_end(double t, const Vector& y);

  Evaluation& evaluation_;
  Witnesses seen_;
  MotionSettings settings_;
  bool follows_bends_;   ///< the motion keeps to its constraints; others may be anywhere near them
  bool audits_balance_;  ///< there is an energy, and the state has it
  EnergyAudit audit_;
  std::unique_ptr<FeatureWatch> features_;
  std::string objection_;  ///< to the last step that was not approved
};

}  // namespace taut
