#include "simulation/motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "integration/tableau.hpp"

namespace taut {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
/// Stages within a step are no results: they may miss the constraints by this share of what the result of a step may
/// err.
constexpr double stage_slack = 1e-3;
constexpr double infinity = std::numeric_limits<double>::infinity();
/// The correction of a step is taken for an error that its test did not see where it is that many times what the test
/// lets pass.
constexpr double too_far = 1e3;
/// … and more than this share of the sizes: less may be rounding of rows whose inertias differ much.
constexpr double least_leap = 1e-6;
/// An energy law changes speeds by at most this many times what the error test of a step lets pass.
constexpr double most_for_energy = 30;
/// Newton finds coordinates of a chart to this share of the largest, or better.
constexpr double lift_rounding = 1e-10;
/// At a stop, prescribed rates jump that change by more than this share of the largest speed; less is rounding, or what
/// a smooth drive does in the time between both sides of the stop. Only larger changes are told.
constexpr double least_jump = 1e-14;
constexpr double told_jump = 1e-9;
/// A stage may be moved so far, relative, however little it has moved itself: implicit formulas differentiate by moving
/// one coordinate at a time by the root of ε, 1.5e-8 of its size, and others follow by what levers and gears make of
/// it.
constexpr double least_reach = 1e-6;

}  // namespace

Motion::Motion(Manifold& manifold, Method& method, EnergyLaw* law, const Settings& settings)
    : manifold_(manifold),
      method_(method),
      passages_(manifold, {method.corrects(), settings.fixed_steps}),
      law_(law),
      chart_(method.chart()),
      settings_(settings),
      // Terms that pull a motion to its constraints do work, and so do constraints that are not met. Those of an energy
      // law do, too, but only to mend the balance.
      audit_(manifold.system(),
             (method.corrects() || method.chart()) && !settings.fixed_steps && !method.adds_terms() ? settings.rtol : 0,
             settings.absolute()) {
  const Shape& shape = manifold.shape();
  n_q_ = shape.n_q();
  n_v_ = shape.n_v();
  does_work_ = shape.does_work;
  holds_rates_ =
      method.has_held_rates() && !law && settings.control == Control::euler && !shape.retracts && !method.chart();
  if (holds_rates_ && settings.fixed_steps) manifold.formulas().serve_near_singular_positions();
  q_ = qdot_ = Vector::Zero(n_q_);
  v_ = a_ = base_a_ = Vector::Zero(n_v_);
  lambda_ = c_ = Vector::Zero(shape.rows());
  asked_ = found_ = Vector::Zero(n_q_ + n_v_ + (does_work_ ? 1 : 0));
  holds_terms_ = !settings.fixed_steps && settings.control != Control::stages && (manifold.shape().rows() > 0 || law);
  // Room for what not every run does.
  if (method.corrects()) moved_ = q_;
  if (method.on_manifold()) {
    start_q_ = start_qdot_ = q_;
    start_v_ = v_;
  }
  if (adds_terms() || holds_rates_) {
    plain_rates_ = q_;
    violation_.chi = c_;
    violation_.Phi = Vector::Zero(shape.position_rows);
    rate_ = stage_ = asked_;
  }
  if (law || method.reads_matrices()) manifold.decided_matrices().kernel().expect_division_by_mass();
  if (!settings.fixed_steps && method.on_manifold()) manifold.expect_removal_of_normal_parts();
  if (!settings.fixed_steps) probe_q_ = q_;
  if (chart_) manifold.pivots().make_own_kernel();
}

Vector Motion::state(const Vector& q, const Vector& v) const {
  Vector y = Vector::Zero(size());
  y.head(n_q_) = q;
  y.segment(n_q_, n_v_) = v;
  return y;
}

void Motion::put(Vector& y) const {
  std::copy_n(q_.data(), n_q_, y.data());
  std::copy_n(v_.data(), n_v_, y.data() + n_q_);
}

bool Motion::start(double t, const Vector& q, const Vector& v, double rank_tolerance) {
  if (!manifold_.evaluate(t, q, v) || !manifold_.decide_afresh(rank_tolerance)) return false;
  if (chart_) chart_->base(manifold_);
  q_ = q;
  v_ = v;
  manifold_.see_coordinates(q);
  if (chart_) mark_lifted(t);
  put(found_);
  mark_start(t, found_);
  asked_ = found_;
  asked_t_ = t;
  evaluated_ = true;
  has_rates_ = false;
  E0_ = manifold_.system().energy(t, q, v);
  outgrown_ = false;
  passages_.start(t, q_, v_);
  audit_.start(t, 0);
  return true;
}

bool Motion::physical(double t, const Vector& y, Vector& q, Vector& v) {
  q = y.head(n_q_);
  v = y.segment(n_q_, n_v_);
  if (chart_ && is_evaluated(t, y)) {
    q = found_.head(n_q_);
    v = found_.segment(n_q_, n_v_);
  } else if (chart_) {
    evaluated_ = false;
    if (!chart_->lift(manifold_, t, q, v)) {
      q.setConstant(not_a_number);
      v.setConstant(not_a_number);
    }
  }
  return q.allFinite() && v.allFinite();
}

bool Motion::depends_on_step() const {
  const bool with_step = method_.uses_step() || (law_ && law_->uses_step());
  return adds_in_stages() && (with_step || settings_.control == Control::euler);
}

// ---- what corrections act on --------------------------------------------------------------------

void Motion::begin_step(double t, const Vector& y, double h) {
  mark_start(t, y);
  step_ = h;
  last_term_ = 0;
  if (outgrown_) take_new_base(t, y);
  if (adds_terms() && settings_.control == Control::forward_euler && !terms(t, y, h, rate_))
    rate_.setConstant(not_a_number);  // no way to say so here: the step fails when they are added
  if (!adds_in_stages() || settings_.control != Control::euler) return;
  physical(t, y, q_, v_);
  violation_.energy = law_ ? manifold_.system().energy(t, q_, v_) - energy_target(y) : 0;
  violations(t, q_, v_, violation_.Phi, violation_.chi);
}

bool Motion::violations(double t, const Vector& y, Vector& Phi, Vector& chi) {
  const bool known = !chart_ && !method_.is_dae() && evaluated_ && t == asked_t_ &&
                     std::equal(y.data(), y.data() + n_q_ + n_v_, found_.data());
  if (known) {
    Phi = manifold_.point().Phi;
    chi = manifold_.point().chi;
    return true;
  }
  if (physical(t, y, q_, v_)) {
    violations(t, q_, v_, Phi, chi);
    return true;
  }
  Phi.setConstant(not_a_number);
  chi.setConstant(not_a_number);
  return false;
}

void Motion::tell_sizes(const Vector& y, ViolationScale& scale) const {
  if (chart_) return scale.see(q_.data(), v_.data());
  scale.see(y.data(), y.data() + n_q_);
}

void Motion::violations(double t, const Vector& q, const Vector& v, Vector& Phi, Vector& chi) {
  if (stands_at(t, q, v)) {
    Phi = manifold_.point().Phi;
    chi = manifold_.point().chi;
    return;
  }
  manifold_.system().position(t, q, Phi);
  manifold_.system().velocity(t, q, v, chi);
}

/// Is the manifold's point that of (q, v)?
bool Motion::stands_at(double t, const Vector& q, const Vector& v) const {
  return evaluated_ && t == asked_t_ && !method_.is_dae() && q == found_.head(n_q_) && v == found_.segment(n_q_, n_v_);
}

bool Motion::held(double t, const Vector& y, double h, Vector& rate) {
  if (!left_out_ || !adds_terms()) return false;
  return terms(t, y, h, rate);
}

/// The correction terms alone, at a state, acting on the violation there.
bool Motion::terms(double t, const Vector& y, double h, Vector& rate) {
  if (!evaluate(t, y)) return false;
  violation_.energy = law_ ? manifold_.system().energy(t, q_, v_) - energy_target(y) : 0;
  violations(t, q_, v_, violation_.Phi, violation_.chi);
  slopes(t, h, false);
  base_a_ = a_;
  rate.setZero();
  rate.head(n_q_) = -qdot_;
  slopes(t, h, true);
  rate.head(n_q_) += qdot_;
  rate.segment(n_q_, n_v_) = a_ - base_a_;
  return rate.allFinite();
}

/// A term that is held through a step decays by gain times h: more than all of it would be too much, and no error test
/// sees what is held.
double Motion::longest_held() const {
  const double gain = holds_terms_ ? std::max(method_.gain(), law_ ? law_->gain() : 0) : 0;
  return gain > 0 ? 1 / gain : infinity;
}

// ---- evaluating ---------------------------------------------------------------------------------

bool Motion::is_evaluated(double t, const Vector& y) const {
  const auto same = [&](const Vector& state) { return std::equal(y.data(), y.data() + n_q_ + n_v_, state.data()); };
  return evaluated_ && t == asked_t_ && (same(asked_) || (!chart_ && same(found_)));
}

/// Evaluates the equations at y, at its projection, or at its lift. Afterwards q_, v_ hold where.
bool Motion::evaluate(double t, const Vector& y) {
  if (is_evaluated(t, y)) {
    split(found_);
    return true;
  }
  take(t, y);
  bool ok = false;
  if (chart_) {
    ok = chart_->lift(manifold_, t, q_, v_) && manifold_.evaluate(t, q_, v_);
  } else if (method_.on_manifold()) {
    double size = 0;
    ok = manifold_.evaluate_projected(t, q_, v_, reach(t, size));
    if (!ok && settings_.fixed_steps) {
      ++unprojected_;
      take(t, y);
      ok = manifold_.evaluate(t, q_, v_);
    }
  } else {
    ok = manifold_.evaluate(t, q_, v_);
  }
  return ok && remember(t, y);
}

/// As evaluate, where rank is decided next: what is factored for the decision need not be factored before it.
bool Motion::evaluate_to_decide(double t, const Vector& y) {
  if (chart_ || method_.on_manifold() || is_evaluated(t, y)) return evaluate(t, y);
  take(t, y);
  return manifold_.evaluate(t, q_, v_, Manifold::Factoring::at_decision) && remember(t, y);
}

/// What derivative() does, at one go where the system's own solver can.
bool Motion::solve(double t, const Vector& y, Vector& ydot) {
  split(y);
  evaluated_ = false;
  double size = 0;
  const double reach = this->reach(t, size);
  const bool may_be_result = stages_are_results_ && t == start_t_ + step_;
  const double atol = settings_.atol.value_or(0.01 * settings_.rtol * size);
  const double slack = may_be_result ? 0 : std::min(settings_.rtol * size, atol) * stage_slack;
  if (!manifold_.projected_rates(t, y, {reach, slack, !stages_are_results_}, found_, ydot)) return false;
  split(found_);
  std::copy_n(ydot.data() + n_q_, n_v_, a_.data());
  mark_evaluated(t, y);
  found_slack_ = stages_are_results_ ? slack : infinity;
  return true;
}

void Motion::take(double t, const Vector& y) {
  split(y);
  if (manifold_.shape().retracts) manifold_.system().retract(t, q_);
  evaluated_ = false;
}

void Motion::split(const Vector& y) {
  std::copy_n(y.data(), n_q_, q_.data());
  std::copy_n(y.data() + n_q_, n_v_, v_.data());
}

/// The manifold stands at q_, v_, which is where y was evaluated.
bool Motion::remember(double t, const Vector& y) {
  put(found_);
  return mark_evaluated(t, y);
}

/// The manifold stands at found_, which is where y was evaluated.
bool Motion::mark_evaluated(double t, const Vector& y) {
  std::copy_n(y.data(), n_q_ + n_v_, asked_.data());
  asked_t_ = t;
  found_slack_ = 0;
  has_rates_ = false;
  return evaluated_ = true;
}

/// How far a projection may move a stage: one that moves it farther than the stage itself has moved since
/// the step began has left the branch. Where driven coordinates set off from rest, what counts is how
/// far their change of speed takes them. `size` becomes that of the largest coordinate.
double Motion::reach(double t, double& size) {
  const bool plain = manifold_.shape().plain_rates;
  if (!plain) manifold_.system().rates(t, q_, v_, qdot_);
  const Vector& rates = plain ? v_ : qdot_;
  double moved = 0, turned = 0;
  size = std::max(size, manifold_.shape().least_size);
  for (int i = 0; i < n_q_; ++i) {
    moved = std::max(moved, std::abs(q_[i] - start_q_[i]));
    turned = std::max(turned, std::abs(rates[i] - start_qdot_[i]));
    size = std::max(size, std::abs(q_[i]));
  }
  return std::max({moved, std::abs(t - start_t_) * turned, least_reach * (size > 0 ? size : 1)});
}

/// Remembers where a step begins, for those who ask how far a stage has moved since.
void Motion::mark_start(double t, const Vector& y) {
  if (!method_.on_manifold()) return;
  start_t_ = t;
  std::copy_n(y.data(), n_q_, start_q_.data());
  std::copy_n(y.data() + n_q_, n_v_, start_v_.data());
  manifold_.system().rates(t, start_q_, start_v_, start_qdot_);
}

/// qdot_, a_, lambda_ and power_ at the evaluated point.
void Motion::slopes(double t, double h, bool with_terms) {
  c_ = manifold_.point().b;
  if (with_terms) method_.demand(manifold_.point(), violation_, h, c_);
  manifold_.here().accelerate(c_, a_, lambda_);
  manifold_.system().rates(t, q_, v_, qdot_);
  power_ = does_work_ ? manifold_.here().power(t, q_, v_, a_, lambda_) : 0;
  if (!with_terms) return;
  plain_rates_ = qdot_;
  method_.add_to_rates(manifold_, t, q_, violation_, h, qdot_);
  if (law_) law_->add(manifold_, t, q_, v_, violation_.energy, power_, h, qdot_, a_);
  measure_term(h, qdot_.data(), plain_rates_.data());
}

void Motion::measure_term(double h, const double* rates, const double* plain) {
  for (int i = 0; i < n_q_; ++i) last_term_ = std::max(last_term_, h * std::abs(rates[i] - plain[i]));
}

bool Motion::derivative(double t, const Vector& y, double h, Vector& ydot) {
  const bool with_terms = adds_in_stages();
  if (method_.on_manifold() && !with_terms && !chart_) {
    const bool known = is_evaluated(t, y);
    if (!known && solve(t, y, ydot)) return true;
    if (known && has_rates_) {
      ydot = result_rates_;
      return true;
    }
  }
  if (!evaluate(t, y)) return false;
  if (with_terms && settings_.control == Control::stages) {
    violation_.Phi = manifold_.point().Phi;
    violation_.chi = manifold_.point().chi;
    if (law_) violation_.energy = manifold_.system().energy(t, q_, v_) - energy_target(y);
  }
  FormulaSolver* formulas = with_terms || chart_ ? nullptr : manifold_.formulas_here();
  if (formulas) {
    formulas->rates(ydot);
    std::copy_n(ydot.data() + n_q_, n_v_, a_.data());
    return ydot.allFinite();
  }
  slopes(t, h, with_terms);
  if (chart_) chart_->restrict(qdot_, a_);
  ydot.head(n_q_) = qdot_;
  ydot.segment(n_q_, n_v_) = a_;
  if (does_work_) ydot[n_q_ + n_v_] = power_;
  return ydot.allFinite();
}

/// The stages of a method whose terms are held, one after the other in the system's own solver: what derivative() does,
/// without the way through the manifold. A stage that the solver does not trust sends the whole step that way.
bool Motion::all_slopes(const Tableau& tableau, double t, const Vector& y, double h, std::vector<Vector>& k) {
  if (!holds_rates_ || left_out_ || !is_evaluated(t, y)) return false;
  FormulaSolver* formulas = manifold_.formulas_at_decision();
  if (!formulas) return false;
  step_ = h;
  last_term_ = 0;
  formulas->violations(violation_.Phi, violation_.chi);
  for (double& value : violation_.Phi) value /= h;
  for (double& value : violation_.chi) value /= h;
  for (int i = 0; i < tableau.stages(); ++i) {
    if (i > 0) {
      combine(tableau.a[i], h, y, k, stage_);
      manifold_.count_evaluation();
      if (!manifold_.formulas().evaluate_at(t + tableau.c[i] * h, stage_)) return false;
      formulas = &manifold_.formulas().current();
    }
    formulas->held_rates(violation_.Phi, violation_.chi, k[i]);
    if (manifold_.shape().plain_rates) measure_term(h, k[i].data(), (i > 0 ? stage_ : y).data() + n_q_);
  }
  return true;
}

// ---- correcting ---------------------------------------------------------------------------------

Correction Motion::correct(double t, Vector& y) {
  const long before = manifold_.effort().factorisations;
  const Correction result = correct_result(t, y);
  // What is factored at the result itself serves the derivative there, which is wanted next.
  const bool serves = is_evaluated(t, y) && manifold_.effort().factorisations > before;
  correcting_factorisations_ += manifold_.effort().factorisations - before - serves;
  return result;
}

Correction Motion::correct_result(double t, Vector& y) {
  last_correction_ = 0;
  Correction result = Correction::none;
  if (adds_to_result()) {
    const bool found = settings_.control == Control::forward_euler ? rate_.allFinite() : terms(t, y, step_, rate_);
    if (!found) return Correction::failed;
    y.head(n_q_ + n_v_) += step_ * rate_.head(n_q_ + n_v_);
    result = Correction::new_derivative;
  }
  if (method_.corrects() && !project_result(t, y, result)) return Correction::failed;
  if (!method_.corrects() && retract(t, y) && result == Correction::none) result = Correction::same_derivative;
  if (law_ && law_->corrects()) {
    if (!apply_energy_law(t, y)) return Correction::failed;
    result = Correction::new_derivative;
  }
  if (chart_ && !stays_on_branch(t, y)) return Correction::failed;
  return result;
}

double Motion::norm(const Vector& error) {
  probe_q_ = error.head(n_q_);
  base_a_ = error.segment(n_q_, n_v_);
  return method_.error_size(manifold_, probe_q_, base_a_);
}

bool Motion::correct_error(double t, const Vector& y, Vector& error) {
  if (!method_.on_manifold()) return false;
  split(y);
  probe_q_ = error.head(n_q_);
  base_a_ = error.segment(n_q_, n_v_);
  manifold_.remove_normal_part(t, q_, v_, probe_q_, base_a_);
  error.head(n_q_) = probe_q_;
  error.segment(n_q_, n_v_) = base_a_;
  return true;
}

/// Branches of the constraints meet at singular positions, and Newton may find the wrong one behind them. Speeds jump
/// there by as much as they are, and by much more than the acceleration accounts for; or Newton goes far, and
/// coordinates jump by much more than speeds and accelerations do.
bool Motion::stays_on_branch(double t, const Vector& y) {
  left_branch_ = false;
  if (!evaluate(t, y)) return false;
  const auto largest = [](const auto& x) { return x.template lpNorm<Eigen::Infinity>(); };
  const double h = std::abs(t - lifted_t_);
  const double jump = largest(v_ - lifted_v_), scale = std::max({largest(v_), largest(lifted_v_), 1e-3});
  manifold_.system().rates(t, q_, v_, qdot_);
  const double way = h * std::max(largest(qdot_), largest(lifted_qdot_));
  const double missed = largest(q_ - lifted_q_ - 0.5 * h * (qdot_ + lifted_qdot_));
  const double rounding = lift_rounding * manifold_.coordinate_scale(q_);
  if (jump < 0.5 * scale && missed <= 0.5 * way + rounding) return true;
  manifold_.here().accelerate(manifold_.point().b, a_, lambda_);
  left_branch_ = jump > 4 * h * largest(a_) && jump >= 0.5 * scale;
  left_branch_ = left_branch_ || missed > 0.75 * way + 2 * h * h * largest(a_) + rounding;
  return !left_branch_;
}

void Motion::mark_lifted(double t) {
  manifold_.see_coordinates(q_);
  lifted_t_ = t;
  lifted_q_ = q_;
  lifted_v_ = v_;
  manifold_.system().rates(t, q_, v_, lifted_qdot_);
}

/// Retracted coordinates mean the same, and the derivative is evaluated at them anyway.
bool Motion::retract(double t, Vector& y) {
  if (!manifold_.shape().retracts) return false;
  q_ = y.head(n_q_);
  manifold_.system().retract(t, q_);
  y.head(n_q_) = q_;
  return true;
}

bool Motion::project_result(double t, Vector& y, Correction& result) {
  const bool just_evaluated = evaluated_ && t == asked_t_ && y.head(n_q_ + n_v_) == asked_.head(n_q_ + n_v_);
  if (method_.on_manifold() && just_evaluated && found_slack_ == 0 && result == Correction::none) {
    last_correction_ = (y.head(n_q_) - found_.head(n_q_)).lpNorm<Eigen::Infinity>();
    moved_ = found_.head(n_q_) - y.head(n_q_);
    y.head(n_q_ + n_v_) = found_.head(n_q_ + n_v_);
    result = Correction::same_derivative;
    return true;
  }
  if (method_.on_manifold() && result == Correction::none && manifold_.formulas().is_serving())
    return move_to_constraints(t, y, result);
  take(t, y);
  const Projection projection = method_.correct(manifold_, t, q_, v_);
  last_correction_ = projection.change;
  manifold_.system().retract(t, q_);
  mark_moved(y);
  put(y);
  result = Correction::new_derivative;
  return projection.ok;
}

/// Where the equations are solved by formulas, evaluating them at the projection is little more than projecting, and
/// the derivative is wanted next.
bool Motion::move_to_constraints(double t, Vector& y, Correction& result) {
  const bool at_one_go = !law_ && manifold_.result_rates(t, y, found_, result_rates_);
  if (at_one_go) {
    split(found_);
  } else {
    take(t, y);
    if (!manifold_.evaluate_result(t, q_, v_)) return false;
    put(found_);
  }
  mark_moved(y);
  last_correction_ = 0;
  for (const double change : moved_) last_correction_ = std::max(last_correction_, std::abs(change));
  put(y);
  result = Correction::new_derivative;
  mark_evaluated(t, y);
  if (at_one_go) std::copy_n(result_rates_.data() + n_q_, n_v_, a_.data());
  has_rates_ = at_one_go;
  return true;
}

/// From y to q_.
void Motion::mark_moved(const Vector& y) {
  for (int i = 0; i < n_q_; ++i) moved_[i] = q_[i] - y[i];
}

bool Motion::apply_energy_law(double t, Vector& y) {
  if (!physical(t, y, q_, v_)) return false;
  if (!is_evaluated(t, y) && !manifold_.factor_at(t, q_, v_)) return false;
  evaluated_ = false;
  law_->correct(manifold_, t, q_, v_, energy_target(y));
  if (changes_speeds_too_much(y)) return true;
  y.segment(n_q_, n_v_) = v_;
  return true;
}

/// Where the free motion turns round it has no kinetic energy, and the error of a step in energy would become its root
/// in speeds. What is not corrected there is corrected after the next steps.
bool Motion::changes_speeds_too_much(const Vector& y) const {
  if (settings_.fixed_steps || settings_.rtol == 0) return false;
  double change = 0, speed = 0;
  for (int i = 0; i < n_v_; ++i) {
    change = std::max(change, std::abs(v_[i] - y[n_q_ + i]));
    speed = std::max(speed, std::abs(v_[i]));
  }
  return change > most_for_energy * settings_.allowed(speed);
}

// ---- accepting ----------------------------------------------------------------------------------

Acceptance Motion::accept(double t, Vector& y) {
  const bool already = is_evaluated(t, y);
  mark_start(t, y);
  const bool audited = manifold_.shape().has_energy && !settings_.fixed_steps && !method_.is_dae();
  audit_.accept(t, audited ? energy_error(t, y) : 0);
  if (settings_.fixed_steps && audit_.counts_given_step() && physical(t, y, q_, v_))
    audit_.look_at_given_step(t, q_, v_, base_a_);
  accept_features(t, y);
  passed_.reset();
  rank_changed_ = std::exchange(rank_changed_at_base_, false);
  if (!evaluate_to_decide(t, y)) return Acceptance::new_derivative;
  if (chart_) {
    mark_lifted(t);
    return move_chart(t, y);
  }
  const bool same = manifold_.decide(t, q_, v_);
  evaluated_ = manifold_.is_factored();
  if (!same) rank_changed_ = true;
  if (!same || manifold_.formulas().measures_otherwise()) passages_.reset();
  passed_ = passages_.accept(t, q_, v_, a_);
  return already && same ? Acceptance::same_derivative : Acceptance::new_derivative;
}

/// Where the chart is outgrown, the present point becomes its new base: when the next step begins, since
/// points within the step just taken are still to be lifted with the old one.
Acceptance Motion::move_chart(double t, Vector& y) {
  passed_ = passages_.accept(t, q_, v_, a_);
  if (!chart_->outgrown(manifold_, v_)) return Acceptance::same_derivative;
  ++charts_;
  outgrown_ = true;
  put(y);
  asked_.head(n_q_ + n_v_) = y.head(n_q_ + n_v_);
  return Acceptance::new_coordinates;
}

void Motion::take_new_base(double t, const Vector& y) {
  outgrown_ = false;
  q_ = y.head(n_q_);
  v_ = y.segment(n_q_, n_v_);
  evaluated_ = manifold_.evaluate(t, q_, v_);
  if (!evaluated_) return;
  const int rank = manifold_.rank();
  manifold_.decide(t, q_, v_);
  rank_changed_at_base_ = manifold_.rank() != rank;
  if (rank_changed_at_base_) passages_.reset();
  chart_->base(manifold_);
  put(found_);
  asked_.head(n_q_ + n_v_) = y.head(n_q_ + n_v_);
  asked_t_ = t;
}

void Motion::begin_anew(double t, const Vector& y) {
  evaluated_ = false;
  if (chart_ || !evaluate_to_decide(t, y)) return;
  rank_changed_at_base_ = !manifold_.decide(t, q_, v_);
  evaluated_ = manifold_.is_factored();
}

/// A drive whose rate jumps takes speeds along by an impulse of its constraint: M Δv = Hᵀμ, H Δv = −Δχ. Left to the
/// next step, the impulse would act along the normals where that step ends. What the drive does at once is work like
/// all it does.
void Motion::leave_stop(double before, double after, Vector& y) {
  evaluated_ = false;
  if (manifold_.shape().rows() == 0 || !physical(before, y, q_, v_)) return;
  manifold_.system().velocity(before, q_, v_, c_);
  manifold_.system().velocity(after, q_, v_, lambda_);
  c_ -= lambda_;
  const double speed = v_.lpNorm<Eigen::Infinity>();
  if (!(c_.lpNorm<Eigen::Infinity>() > least_jump * speed)) return;
  if (!manifold_.evaluate_by_matrices(after, q_, v_)) return;
  manifold_.here().correct_velocity(c_, a_);
  if (!a_.allFinite()) return;
  const double energy = manifold_.system().energy(after, q_, v_);
  v_ += a_;
  const double work = manifold_.system().energy(after, q_, v_) - energy;
  if (does_work_) y[n_q_ + n_v_] += work;
  put(y);
  mark_start(after, y);
  if (chart_) {
    mark_lifted(after);
    outgrown_ = true;
  }
  const double largest = a_.lpNorm<Eigen::Infinity>();
  if (!(largest > told_jump * speed)) return;
  ++speed_jumps_;
  if (!speed_jump_) speed_jump_ = {after, largest, work};
}

// ---- the last word on a step ----------------------------------------------------------------------

bool Motion::approves(double t, const Vector& y) {
  if (leaps(t, y)) {
    objection_ = "the step leaps over a sharp bend of the constraints, next to a singular position";
    return false;
  }
  if (overlooks(t, y)) {
    objection_ = "the step leaps over a narrow feature of a formula, however short it is";
    return false;
  }
  if (settings_.fixed_steps || settings_.rtol == 0) return true;
  if (moves_too_far(y)) {
    objection_ = "correcting a step moves it by far more than its error estimate, however short it is";
    return false;
  }
  if (gains_energy(t, y)) {
    objection_ = "the energy jumps by far more than the errors of a step account for";
    return false;
  }
  return true;
}

void Motion::watch_features(std::unique_ptr<FeatureWatch> features) {
  features_ = std::move(features);
  if (!features_) return;
  for (PathPoint* point : {&features_->start(), &features_->end()})
    *point = {passages_.t(), passages_.q(), passages_.qdot(), v_};
}

/// Given steps are taken all the same; what they miss is said.
bool Motion::overlooks(double t, const Vector& y) {
  if (!features_ || !go_to_end(t, y) || !features_->leaps_over()) return false;
  if (settings_.fixed_steps) features_->note_missed();
  return !settings_.fixed_steps;
}

void Motion::accept_features(double t, const Vector& y) {
  if (features_ && go_to_end(t, y)) features_->accept();
}

/// Shows the watch for features where a step ends.
bool Motion::go_to_end(double t, const Vector& y) {
  PathPoint& end = features_->end();
  if (!physical(t, y, end.q, end.v)) return false;
  end.t = t;
  manifold_.system().rates(t, end.q, end.v, end.qdot);
  return true;
}

/// The correction of a step is part of its error: it is of the size of what the error test lets pass, or something
/// happened between the stages that the test did not see.
bool Motion::moves_too_far(const Vector& y) {
  if (last_correction_ == 0) return false;
  double size = manifold_.shape().least_size;
  for (int i = 0; i < n_q_; ++i) size = std::max({size, std::abs(y[i]), std::abs(passages_.q()[i])});
  if (last_correction_ <= least_leap * size) return false;
  return last_correction_ > too_far * settings_.allowed(size);
}

bool Motion::leaps(double t, const Vector& y) {
  // A motion that does not keep its constraints may be anywhere near them.
  if (!method_.corrects() && !chart_ && !method_.uses_step() && !method_.is_dae()) return false;
  if (manifold_.shape().position_rows == 0) return false;
  if (passages_.cannot_leap(t) || !physical(t, y, q_, v_)) return false;
  const bool leaps = passages_.leaps(t, q_);
  if (evaluated_) split(found_);
  return leaps;
}

bool Motion::gains_energy(double t, const Vector& y) {
  if (!manifold_.shape().has_energy || method_.is_dae()) return false;
  const double balance = energy_error(t, y);
  if (!physical(t, y, q_, v_)) return false;
  return !audit_.approves(t, q_, v_, balance, probe_q_, base_a_);
}

bool Motion::project_output(double t, Vector& y) {
  retract(t, y);
  if (!method_.corrects()) return true;
  split(y);
  evaluated_ = false;
  if (!manifold_.project(t, q_, v_).ok) return false;
  put(y);
  return true;
}

bool Motion::accelerations(double t, const Vector& y, Vector& a, Vector& lambda) {
  // Formulas find some multipliers of many, and matrices the smallest.
  const auto find_smallest = [&] {
    const bool some = manifold_.formulas_here() && manifold_.formulas().rows_depend();
    return !some || manifold_.evaluate_by_matrices(t, q_, v_);
  };
  if (evaluate(t, y) && find_smallest()) {
    manifold_.here().accelerate(manifold_.point().b, a, lambda);
    if (a.allFinite()) return true;
  }
  a.setConstant(not_a_number);
  lambda.setConstant(not_a_number);
  return false;
}

bool Motion::constraint_forces(double t, const Vector& y, Vector& Q) {
  const bool known = physical(t, y, q_, v_) && manifold_.evaluate_by_matrices(t, q_, v_);
  evaluated_ = false;
  if (known) {
    manifold_.here().accelerate(manifold_.point().b, a_, lambda_);
    manifold_.point().H.multiply_transposed(lambda_, Q);
    if (Q.allFinite()) return true;
  }
  Q.setConstant(not_a_number);
  return false;
}

bool Motion::impulses(double t, const Vector& y, double h, Vector& mu) {
  if (!has_impulses() || !(h > 0)) return false;
  if (adds_terms() && !terms(t, y, h, rate_)) return false;
  if (!physical(t, y, q_, v_) || !manifold_.evaluate_by_matrices(t, q_, v_)) return false;
  evaluated_ = false;
  qdot_.setZero();
  if (method_.corrects()) qdot_ = moved_ / h;
  if (adds_terms()) qdot_ += rate_.head(n_q_);
  find_position_rates(t, qdot_, mu);
  if (!manifold_.matrices_here().impulses(mu, a_, lambda_)) return false;
  mu = lambda_.head(mu.size());
  return true;
}

/// How fast the position constraints change where coordinates do, at q_: by central differences, over a way at which
/// rounding and curvature count alike.
void Motion::find_position_rates(double t, const Vector& rate, Vector& found) {
  found.setZero();
  const double fastest = rate.lpNorm<Eigen::Infinity>();
  if (!(fastest > 0)) return;
  const double step = std::cbrt(std::numeric_limits<double>::epsilon()) * manifold_.coordinate_scale(q_) / fastest;
  probe_q_ = q_ + step * rate;
  manifold_.system().position(t, probe_q_, found);
  probe_q_ = q_ - step * rate;
  behind_.setZero(found.size());
  manifold_.system().position(t, probe_q_, behind_);
  found = (found - behind_) / (2 * step);
}

double Motion::energy_error(double t, const Vector& y) {
  const double sum = y.sum();
  if (balance_t_ == t && balance_sum_ == sum) return balance_;
  if (!physical(t, y, q_, v_)) return not_a_number;
  balance_sum_ = sum;
  balance_t_ = t;
  return balance_ = manifold_.system().energy(t, q_, v_) - energy_target(y);
}

}  // namespace taut
