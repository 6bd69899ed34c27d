#pragma once

#include "integration/ode_extensions.hpp"
#include "simulation/correction_terms.hpp"

namespace taut {

/// The stages of a method whose terms are held, one after the other in the system's own solver: what
/// Motion::derivative does, without the way through the manifold. A Runge–Kutta formula with given steps asks for them.
class FormulaStages final : public StageShortcuts {
 public:
  FormulaStages(Evaluation& evaluation, CorrectionTerms& terms)
      : evaluation_(evaluation), terms_(terms), stage_(Vector::Zero(evaluation.layout().size())) {}

  /// A stage that the solver does not trust sends the whole step the other way.
  bool all_slopes(const Tableau& tableau, double t, const Vector& y, double h, std::vector<Vector>& k) override;

 private:
  Evaluation& evaluation_;
  CorrectionTerms& terms_;
  Vector stage_;
};

}  // namespace taut
