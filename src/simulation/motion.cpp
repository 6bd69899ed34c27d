#include "simulation/motion.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {

Motion::Motion(Manifold& manifold, Method& method, EnergyLaw* law, const Settings& settings)
    : manifold_(manifold), method_(method), law_(law), chart_(method.chart()), settings_(settings) {
  const Shape& shape = manifold.shape();
  n_q_ = shape.n_q();
  n_v_ = shape.n_v();
  does_work_ = shape.does_work;
  q_ = qdot_ = start_q_ = start_qdot_ = Vector::Zero(n_q_);
  v_ = a_ = base_a_ = start_v_ = Vector::Zero(n_v_);
  lambda_ = c_ = violation_.chi = Vector::Zero(shape.rows());
  violation_.Phi = Vector::Zero(shape.position_rows);
  asked_ = found_ = rate_ = Vector::Zero(n_q_ + n_v_ + (does_work_ ? 1 : 0));
  before_q_ = before_qdot_ = now_q_ = now_qdot_ = now_qddot_ = jerk_ = probe_q_ = Vector::Zero(n_q_);
  between_ = [this](double t) {  // cubic Hermite between the ends of the step
    const double h = now_t_ - before_t_, x = (t - before_t_) / h;
    probe_q_ = (1 - x) * (1 - x) * ((1 + 2 * x) * before_q_ + (h * x) * before_qdot_) +
               x * x * ((3 - 2 * x) * now_q_ + (h * (x - 1)) * now_qdot_);
    return manifold_.pivot_at(t, probe_q_, v_);
  };
  beyond_ = [this](double t) {  // Taylor
    const double h = t - now_t_;
    probe_q_ = now_q_ + h * (now_qdot_ + 0.5 * h * (now_qddot_ + h / 3 * jerk_));
    return manifold_.pivot_at(t, probe_q_, v_);
  };
}

Vector Motion::state(const Vector& q, const Vector& v) const {
  Vector y = Vector::Zero(size());
  y.head(n_q_) = q;
  y.segment(n_q_, n_v_) = v;
  return y;
}

void Motion::put(Vector& y) const {
  y.head(n_q_) = q_;
  y.segment(n_q_, n_v_) = v_;
}

bool Motion::start(double t, const Vector& q, const Vector& v, double rank_tolerance) {
  if (!manifold_.evaluate(t, q, v)) return false;
  manifold_.decide_afresh(rank_tolerance);
  if (chart_) chart_->base(manifold_);
  q_ = q;
  v_ = v;
  put(found_);
  mark_start(t, found_);
  asked_ = found_;
  asked_t_ = t;
  evaluated_ = true;
  E0_ = manifold_.system().energy(t, q, v);
  outgrown_ = false;
  watch_.reset();
  manifold_.system().rates(t, q_, v_, now_qdot_);
  now_q_ = q_;
  now_t_ = t;
  watch_.add(t, manifold_.kernel().smallest_pivot(), between_);
  return true;
}

void Motion::physical(double t, const Vector& y, Vector& q, Vector& v) {
  q = y.head(n_q_);
  v = y.segment(n_q_, n_v_);
  if (!chart_) return;
  if (is_evaluated(t, y)) {
    q = found_.head(n_q_);
    v = found_.segment(n_q_, n_v_);
  } else {
    evaluated_ = false;
    chart_->lift(manifold_, t, q, v);
  }
}

bool Motion::depends_on_step() const {
  const bool with_step = method_.uses_step() || (law_ && law_->uses_step());
  return adds_in_stages() && (with_step || settings_.control == Control::euler);
}

// ---- what corrections act on --------------------------------------------------------------------

void Motion::begin_step(double t, const Vector& y, double h) {
  mark_start(t, y);
  step_ = h;
  if (outgrown_) take_new_base(t, y);
  if (!adds_in_stages() || settings_.control != Control::euler) return;
  physical(t, y, q_, v_);
  violation_.energy = law_ ? manifold_.system().energy(t, q_, v_) - energy_target(y) : 0;
  see_violation(t);
}

void Motion::see_violation(double t) {
  manifold_.system().position(t, q_, violation_.Phi);
  manifold_.system().velocity(t, q_, v_, violation_.chi);
}

bool Motion::held(double t, const Vector& y, double h, Vector& rate) {
  if (!left_out_ || !adds_terms()) return false;
  return terms(t, y, h, rate);
}

/// The correction terms alone, at a state, acting on the violation there.
bool Motion::terms(double t, const Vector& y, double h, Vector& rate) {
  if (!evaluate(t, y)) return false;
  violation_.energy = law_ ? manifold_.system().energy(t, q_, v_) - energy_target(y) : 0;
  see_violation(t);
  slopes(t, h, false);
  base_a_ = a_;
  rate.setZero();
  rate.head(n_q_) = -qdot_;
  slopes(t, h, true);
  rate.head(n_q_) += qdot_;
  rate.segment(n_q_, n_v_) = a_ - base_a_;
  return rate.allFinite();
}

// ---- evaluating ---------------------------------------------------------------------------------

bool Motion::is_evaluated(double t, const Vector& y) const {
  const auto same = [&](const Vector& state) { return y.head(n_q_ + n_v_) == state.head(n_q_ + n_v_); };
  return evaluated_ && t == asked_t_ && (same(asked_) || (!chart_ && same(found_)));
}

/// Evaluates the equations at y, at its projection, or at its lift. Afterwards q_, v_ hold where.
bool Motion::evaluate(double t, const Vector& y) {
  if (is_evaluated(t, y)) {
    q_ = found_.head(n_q_);
    v_ = found_.segment(n_q_, n_v_);
    return true;
  }
  q_ = y.head(n_q_);
  v_ = y.segment(n_q_, n_v_);
  evaluated_ = false;
  bool ok = false;
  if (chart_) {
    ok = chart_->lift(manifold_, t, q_, v_) && manifold_.evaluate(t, q_, v_);
  } else if (method_.on_manifold()) {
    ok = manifold_.evaluate_projected(t, q_, v_, reach(t));
    if (!ok && settings_.fixed_steps) {
      ++unprojected_;
      q_ = y.head(n_q_);
      v_ = y.segment(n_q_, n_v_);
      ok = manifold_.evaluate(t, q_, v_);
    }
  } else {
    ok = manifold_.evaluate(t, q_, v_);
  }
  if (!ok) return false;
  asked_.head(n_q_ + n_v_) = y.head(n_q_ + n_v_);
  asked_t_ = t;
  put(found_);
  return evaluated_ = true;
}

/// How far a projection may move a stage: one that moves it farther than the stage itself has moved since
/// the step began has left the branch. Where driven coordinates set off from rest, what counts is how
/// far their change of speed takes them.
double Motion::reach(double t) {
  manifold_.system().rates(t, q_, v_, qdot_);
  const double moved = (q_ - start_q_).cwiseAbs().maxCoeff();
  const double turned = std::abs(t - start_t_) * (qdot_ - start_qdot_).cwiseAbs().maxCoeff();
  return std::max({moved, turned, 1e-8 * (1 + q_.cwiseAbs().maxCoeff())});
}

/// Remembers where a step begins.
void Motion::mark_start(double t, const Vector& y) {
  start_t_ = t;
  start_q_ = y.head(n_q_);
  start_v_ = y.segment(n_q_, n_v_);
  manifold_.system().rates(t, start_q_, start_v_, start_qdot_);
}

/// qdot_, a_, lambda_ and power_ at the evaluated point.
void Motion::slopes(double t, double h, bool with_terms) {
  c_ = manifold_.point().b;
  if (with_terms) method_.demand(manifold_.point(), violation_, h, c_);
  manifold_.accelerate(c_, a_, lambda_);
  manifold_.system().rates(t, q_, v_, qdot_);
  power_ = does_work_ ? manifold_.system().power(t, q_, v_, a_, lambda_) : 0;
  if (!with_terms) return;
  method_.add_to_rates(manifold_, t, q_, violation_, h, qdot_);
  if (law_) law_->add(manifold_, t, q_, v_, violation_.energy, power_, h, qdot_, a_);
}

bool Motion::derivative(double t, const Vector& y, double h, Vector& ydot) {
  if (!evaluate(t, y)) return false;
  const bool with_terms = adds_in_stages();
  if (with_terms && settings_.control == Control::stages) {
    violation_.Phi = manifold_.point().Phi;
    violation_.chi = manifold_.point().chi;
    if (law_) violation_.energy = manifold_.system().energy(t, q_, v_) - energy_target(y);
  }
  slopes(t, h, with_terms);
  if (chart_) chart_->restrict(qdot_, a_);
  ydot.head(n_q_) = qdot_;
  ydot.segment(n_q_, n_v_) = a_;
  if (does_work_) ydot[n_q_ + n_v_] = power_;
  return ydot.allFinite();
}

// ---- correcting ---------------------------------------------------------------------------------

Correction Motion::correct(double t, Vector& y) {
  last_correction_ = 0;
  Correction result = Correction::none;
  if (settings_.control == Control::backward_euler && adds_terms()) {
    if (!terms(t, y, step_, rate_)) return Correction::failed;
    y.head(n_q_ + n_v_) += step_ * rate_.head(n_q_ + n_v_);
    result = Correction::new_derivative;
  }
  if (method_.corrects() && !project_result(t, y, result)) return Correction::failed;
  if (law_ && law_->corrects()) {
    if (!apply_energy_law(t, y)) return Correction::failed;
    result = Correction::new_derivative;
  }
  return result;
}

bool Motion::project_result(double t, Vector& y, Correction& result) {
  const bool just_evaluated = evaluated_ && t == asked_t_ && y.head(n_q_ + n_v_) == asked_.head(n_q_ + n_v_);
  if (method_.on_manifold() && just_evaluated && result == Correction::none) {
    last_correction_ = (y.head(n_q_) - found_.head(n_q_)).cwiseAbs().maxCoeff();
    y.head(n_q_ + n_v_) = found_.head(n_q_ + n_v_);
    result = Correction::same_derivative;
    return true;
  }
  q_ = y.head(n_q_);
  v_ = y.segment(n_q_, n_v_);
  evaluated_ = false;
  const Projection projection = method_.correct(manifold_, t, q_, v_);
  last_correction_ = projection.change;
  put(y);
  result = Correction::new_derivative;
  return projection.ok;
}

bool Motion::apply_energy_law(double t, Vector& y) {
  physical(t, y, q_, v_);
  if (!is_evaluated(t, y) && !manifold_.factor_at(t, q_, v_)) return false;
  evaluated_ = false;
  law_->correct(manifold_, t, q_, v_, energy_target(y));
  y.segment(n_q_, n_v_) = v_;
  return true;
}

// ---- accepting ----------------------------------------------------------------------------------

Acceptance Motion::accept(double t, Vector& y) {
  const bool already = is_evaluated(t, y);
  mark_start(t, y);
  passed_.reset();
  rank_changed_ = std::exchange(rank_changed_at_base_, false);
  if (!evaluate(t, y)) return Acceptance::new_derivative;
  if (chart_) return move_chart(t, y);
  const bool same = manifold_.decide();
  if (!same) {
    rank_changed_ = true;
    watch_.reset();
  }
  watch_passages(t);
  return already && same ? Acceptance::same_derivative : Acceptance::new_derivative;
}

/// Where the chart is outgrown, the present point becomes its new base: when the next step begins, since
/// points within the step just taken are still to be lifted with the old one.
Acceptance Motion::move_chart(double t, Vector& y) {
  watch_passages(t);
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
  manifold_.decide();
  rank_changed_at_base_ = manifold_.rank() != rank;
  if (rank_changed_at_base_) watch_.reset();
  chart_->base(manifold_);
  put(found_);
  asked_.head(n_q_ + n_v_) = y.head(n_q_ + n_v_);
  asked_t_ = t;
}

/// Tells the watch of the accepted point, and lets it look ahead about as far as the last step went.
void Motion::watch_passages(double t) {
  if (manifold_.shape().rows() == 0) return;
  before_t_ = now_t_;
  before_q_.swap(now_q_);
  before_qdot_.swap(now_qdot_);
  now_t_ = t;
  now_q_ = q_;
  manifold_.system().rates(t, q_, v_, now_qdot_);
  passed_ = watch_.add(t, manifold_.kernel().smallest_pivot(), between_);
  if (!method_.on_manifold() || settings_.fixed_steps) return;
  const double h = now_t_ - before_t_;
  jerk_ = -now_qddot_;
  if (manifold_.shape().plain_rates) {
    now_qddot_ = a_;
  } else {
    now_qddot_ = (now_qdot_ - before_qdot_) / h;
  }
  jerk_ = (jerk_ + now_qddot_) / h;
  watch_.look_ahead(3 * h, beyond_);
}

Passage Motion::passage(double) const { return watch_.ahead(); }

void Motion::project_output(double t, Vector& y) {
  if (!method_.corrects()) return;
  q_ = y.head(n_q_);
  v_ = y.segment(n_q_, n_v_);
  evaluated_ = false;
  if (manifold_.project(t, q_, v_).ok) put(y);
}

bool Motion::accelerations(double t, const Vector& y, Vector& a, Vector& lambda) {
  if (!evaluate(t, y)) return false;
  manifold_.accelerate(manifold_.point().b, a, lambda);
  return a.allFinite();
}

double Motion::energy_error(double t, const Vector& y) {
  physical(t, y, q_, v_);
  return manifold_.system().energy(t, q_, v_) - energy_target(y);
}

}  // namespace taut
