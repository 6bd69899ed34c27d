#include "simulation/formula_stages.hpp"

#include "integration/tableau.hpp"

namespace taut {

bool FormulaStages::all_slopes(const Tableau& tableau, double t, const Vector& y, double h, std::vector<Vector>& k) {
  if (terms_.are_separated() || !evaluation_.knows(t, y)) return false;
  Manifold& manifold = evaluation_.manifold();
  FormulaSolver* formulas = manifold.formulas_here();
  if (!formulas || formulas != &manifold.formulas().decided()) return false;
  ViolationNow& violation = terms_.begin_step_of_others(h);
  formulas->violations(violation.Phi, violation.chi);
  for (double& value : violation.Phi) value /= h;
  for (double& value : violation.chi) value /= h;
  for (int i = 0; i < tableau.stages(); ++i) {
    if (i > 0) {
      combine(tableau.a[i], h, y, k, stage_);
      ++manifold.counts.evaluations;
      if (!manifold.formulas().evaluate_at(t + tableau.c[i] * h, stage_)) return false;
      formulas = &manifold.formulas().current();
    }
    formulas->held_rates(violation.Phi, violation.chi, k[i]);
    if (manifold.shape().plain_rates)
      terms_.measure(h, k[i].data(), (i > 0 ? stage_ : y).data() + evaluation_.layout().n_q);
  }
  return true;
}

}  // namespace taut
