#include "simulation/unprojected_motion.hpp"

namespace taut {

UnprojectedMotion::UnprojectedMotion(Manifold& manifold, Method& method, EnergyLaw* law, const Settings& settings)
    : Motion(manifold, method, law, settings) {
  const bool are_held = method.formulas_give_held_terms() && !law && settings.control == Control::euler;
  if (!are_held || manifold.shape().retracts) return;
  stages_.emplace(*this, terms_);
  if (settings.fixed_steps) manifold.formulas().serve_near_singular_positions();
}

OdeExtensions UnprojectedMotion::extensions() {
  OdeExtensions all = Motion::extensions();
  if (stages_) all.stages = &*stages_;
  return all;
}

bool UnprojectedMotion::evaluate_to_decide(double t, const Vector& y) {
  if (knows(t, y)) return evaluate(t, y);
  load(t, y);
  return manifold_.evaluate(t, at_.q, at_.v, Manifold::Factoring::at_decision) && remember(t, y);
}

bool UnprojectedMotion::correct_by_method(double t, Vector& y, Correction& result) {
  return method_.corrects() ? apply_correction(t, y, result) : Motion::correct_by_method(t, y, result);
}

}  // namespace taut
