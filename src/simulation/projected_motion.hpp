#pragma once

#include "simulation/motion.hpp"

namespace taut {

/// A motion whose equations are evaluated on the constraints alone: every stage at its projection
/// (docs/theory/auto.md), and the result of a step is replaced by its own. Where the system's own solver serves, it
/// projects and evaluates at one go.
class ProjectedMotion final : public Motion, private StageShortcuts, private ErrorCorrection {
 public:
  ProjectedMotion(Manifold& manifold, Method& method, EnergyLaw* law, const Settings& settings);

  void start_formulas(double t, const Vector& q, const Vector& v) override;
  void stand_at(double t, const Vector& y) override;
  bool evaluate(double t, const Vector& y) override;
  void mark_start(double t, const Vector& y) override;
  bool derivative(double t, const Vector& y, double h, Vector& ydot) override;
  OdeExtensions extensions() override;

 private:
  void take_first_decision(double /*t*/) override { has_result_rates_ = false; }
  void correct_all_results() override { stages_are_results_ = false; }
  bool all_slopes(const Tableau& tableau, double t, const Vector& y, double h, std::vector<Vector>& k) override;
  void correct_error(double t, const Vector& y, Vector& error) override;
  bool correct_by_method(double t, Vector& y, Correction& result) override;

  bool find_rates_at_once(double t, const Vector& y, Vector& ydot);
  void take_what_was_found(Vector& y);
  bool evaluate_result(double t, Vector& y, Correction& result);
  double reach(double t, double& size);

  EnergyLaw* law_;
  double start_t_ = 0;  ///< where the step began
  Vector start_q_, start_v_, start_qdot_;
  bool stages_are_results_ = true;  ///< the last of a step may be
  Vector stage_;                    ///< of all_slopes()
  Vector result_rates_;             ///< rates at the point last evaluated, found along with the result of a step …
  bool has_result_rates_ = false;   ///< … if they were
};

}  // namespace taut
