#include "simulation/motion.hpp"

#include <utility>

#include "simulation/chart_motion.hpp"
#include "simulation/index_two_motion.hpp"
#include "simulation/projected_motion.hpp"
#include "simulation/unprojected_motion.hpp"

namespace taut {

MethodNorm::MethodNorm(Manifold& manifold, Method& method) : manifold_(manifold), method_(method) {
  if (!exists()) return;
  dq_ = Vector::Zero(manifold.shape().n_q());
  dv_ = Vector::Zero(manifold.shape().n_v());
}

double MethodNorm::norm(const Vector& error) {
  dq_ = error.head(dq_.size());
  dv_ = error.segment(dq_.size(), dv_.size());
  return method_.error_size(manifold_, dq_, dv_);
}

std::unique_ptr<Motion> make_motion(Manifold& manifold, Method& method, EnergyLaw* law,
                                    const MotionSettings& settings) {
  switch (method.kind()) {
    case Method::Kind::projected:
      return std::make_unique<ProjectedMotion>(manifold, method, law, settings);
    case Method::Kind::chart:
      return std::make_unique<ChartMotion>(manifold, method, law, settings);
    case Method::Kind::index_two:
      return std::make_unique<IndexTwoMotion>(manifold, method, settings);
    case Method::Kind::uncorrected:
    case Method::Kind::terms:
    case Method::Kind::corrected:
      break;
  }
  return std::make_unique<UnprojectedMotion>(manifold, method, law, settings);
}

Motion::Motion(Manifold& manifold, Method& method, EnergyLaw* law, const Settings& settings)
    : Evaluation(manifold),
      method_(method),
      settings_(settings),
      passages_(manifold, {method.corrects() || method.is_dae(), settings.fixed_steps, method.is_dae()}),
      balance_(*this),
      terms_(*this, {method, law}, settings, balance_, report_),
      energy_(*this, law, balance_, settings),
      jumps_(*this),
      approval_(*this, method, {passages_, balance_, terms_, report_}, settings),
      observation_(*this, method, terms_, balance_, report_),
      norm_(manifold, method) {
  // Room for what not every run does.
  if (method.corrects()) report_.moved = at_.q;
  if (!settings.fixed_steps) at_.scratch_q = at_.q;
  if (law || method.reads_matrices()) manifold.decided_matrices().kernel().reserve_mass_division();
}

bool Motion::start(double t, const Vector& q, const Vector& v, double rank_tolerance) {
  if (!manifold_.evaluate(t, q, v) || !manifold_.determine_rank_afresh(t, q, v, rank_tolerance)) return false;
  at_.q = q;
  at_.v = v;
  take_first_decision(t);
  manifold_.see_coordinates(q);
  layout_.pack(q, v, memory_.found());
  mark_start(t, memory_.found());
  memory_.remember(t, memory_.found());
  begin_energy_balance(t, q, v);
  passages_.start(t, q, v);
  approval_.start(t);
  return true;
}

void Motion::start_formulas(double t, const Vector& q, const Vector& v) {
  if (!manifold_.evaluate(t, q, v, Manifold::Factoring::at_decision)) return forget();
  const bool factored = manifold_.determine_rank(t, q, v).factored;
  layout_.pack(q, v, memory_.found());
  memory_.remember(t, memory_.found());
  if (!factored) forget();
  manifold_.formulas().pivot_measure_changed();  // passages are measured by them from the start
  passages_.start(t, q, v);
}

void Motion::begin_energy_balance(double t, const Vector& q, const Vector& v) {
  balance_.start(system().energy(t, q, v));
}

OdeExtensions Motion::extensions() {
  OdeExtensions all;
  if (terms_.exist()) all.terms = &terms_;
  if (norm_.exists()) all.norm = &norm_;
  all.judge = &approval_;
  all.stops = &jumps_;
  all.singular = &passages_;
  return all;
}

// ---- within a step --------------------------------------------------------------------------------

void Motion::begin_step(double t, const Vector& y, double h) {
  mark_start(t, y);
  terms_.begin_step(t, y, h);
}

bool Motion::derivative(double t, const Vector& y, double h, Vector& ydot) {
  if (!evaluate(t, y)) return false;
  if (terms_.in_stages()) {
    terms_.enter_stage(t, y);
    terms_.find_slopes_with_terms(t, h);
    return write_slopes(ydot);
  }
  if (FormulaSolver* formulas = manifold_.formulas_here()) {
    formulas->rates(ydot);
    std::copy_n(ydot.data() + layout_.n_q, layout_.n_v, at_.a.data());
    return ydot.allFinite();
  }
  terms_.find_slopes(t);
  return write_slopes(ydot);
}

// ---- correcting -----------------------------------------------------------------------------------

Correction Motion::correct(double t, Vector& y) {
  const long before = manifold_.counts.factorisations;
  const Correction result = correct_result(t, y);
  // What is factored at the result itself serves the derivative there, which is wanted next.
  const bool serves = knows(t, y) && manifold_.counts.factorisations > before;
  report_.correcting_factorisations += manifold_.counts.factorisations - before - serves;
  return result;
}

Correction Motion::correct_result(double t, Vector& y) {
  report_.correction = 0;
  Correction result = Correction::none;
  if (terms_.in_result()) {
    if (!terms_.add_to_result(t, y)) return Correction::failed;
    result = Correction::new_derivative;
  }
  if (!correct_by_method(t, y, result)) return Correction::failed;
  if (energy_.exists()) {
    if (!energy_.apply(t, y)) return Correction::failed;
    result = Correction::new_derivative;
  }
  return result;
}

bool Motion::correct_by_method(double t, Vector& y, Correction& result) {
  if (retract(t, y) && result == Correction::none) result = Correction::same_derivative;
  return true;
}

bool Motion::apply_correction(double t, Vector& y, Correction& result) {
  load(t, y);
  const Projection projection = method_.correct(manifold_, t, at_.q, at_.v);
  report_.correction = projection.change;
  system().retract(t, at_.q);
  report_.note_moved(y, at_.q);
  layout_.pack(at_.q, at_.v, y);
  result = Correction::new_derivative;
  return projection.ok;
}

// ---- accepting ------------------------------------------------------------------------------------

Acceptance Motion::accept(double t, Vector& y) {
  const bool derivative_known = knows(t, y);
  mark_start(t, y);
  approval_.accept(t, y);
  report_.passed.reset();
  report_.rank_changed = std::exchange(rank_change_pending_, false);
  if (!evaluate_to_decide(t, y)) return Acceptance::new_derivative;
  return determine_rank(t, y, derivative_known);
}

Acceptance Motion::determine_rank(double t, Vector& /*y*/, bool derivative_known) {
  const auto [same, factored] = manifold_.determine_rank(t, at_.q, at_.v);
  if (!factored) forget();
  if (!same) report_.rank_changed = true;
  if (!same || manifold_.formulas().pivot_measure_changed()) passages_.reset();
  report_.passed = passages_.accept(t, at_.q, at_.v, at_.a);
  return derivative_known && same ? Acceptance::same_derivative : Acceptance::new_derivative;
}

void Motion::change_equations(double t, Vector& y, const std::function<void()>& change) {
  const double error = balance_.error(t, y);
  jumps_.change_equations(t, y, change);
  balance_.keep_error(t, y, error);
  begin_anew(t, y);
  passages_.restart(t, at_.q, at_.v);
  approval_.accept_features(t, y);
}

void Motion::begin_anew(double t, const Vector& y) {
  forget();
  if (!evaluate_to_decide(t, y)) return;
  const auto [same, factored] = manifold_.determine_rank(t, at_.q, at_.v);
  rank_change_pending_ = !same;
  if (!factored) forget();
}

}  // namespace taut
