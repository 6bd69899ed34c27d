#pragma once

#include <optional>

#include "simulation/formula_stages.hpp"
#include "simulation/motion.hpp"

namespace taut {

/// A motion whose equations are evaluated wherever the integrator asks, on the constraints or off them: of methods that
/// add terms while integrating, correct the result of each step, or do neither.
class UnprojectedMotion final : public Motion {
 public:
  UnprojectedMotion(Manifold& manifold, Method& method, EnergyLaw* law, const Settings& settings);

  OdeExtensions extensions() override;

 private:
  bool evaluate_to_decide(double t, const Vector& y) override;
  bool correct_by_method(double t, Vector& y, Correction& result) override;

  std::optional<FormulaStages> stages_;
};

}  // namespace taut
