#include "simulation/motion.hpp"

#include <algorithm>
#include <cmath>

namespace taut {

Motion::Motion(Manifold& manifold, Method& method, EnergyLaw* law, const Settings& settings)
    : manifold_(manifold), method_(method), law_(law), settings_(settings) {
  const Shape& shape = manifold.shape();
  n_q_ = shape.n_q();
  n_v_ = shape.n_v();
  does_work_ = shape.does_work;
  q_ = qdot_ = start_q_ = Vector::Zero(n_q_);
  v_ = a_ = Vector::Zero(n_v_);
  lambda_ = c_ = violation_.chi = Vector::Zero(shape.rows());
  violation_.Phi = Vector::Zero(shape.position_rows);
  asked_ = found_ = Vector::Zero(size());
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

void Motion::split(const Vector& y, Vector& q, Vector& v) const {
  q = y.head(n_q_);
  v = y.segment(n_q_, n_v_);
}

Vector Motion::state(const Vector& q, const Vector& v) const {
  Vector y = Vector::Zero(size());
  y.head(n_q_) = q;
  y.segment(n_q_, n_v_) = v;
  return y;
}

bool Motion::start(double t, const Vector& q, const Vector& v, double rank_tolerance) {
  const Vector y = state(q, v);
  if (!manifold_.evaluate(t, q, v)) return false;
  manifold_.decide_afresh(rank_tolerance);
  start_q_ = q;
  asked_ = found_ = y;
  asked_t_ = t;
  evaluated_ = true;
  E0_ = manifold_.system().energy(t, q, v);
  watch_.reset();
  q_ = q;
  v_ = v;
  manifold_.system().rates(t, q_, v_, now_qdot_);
  now_q_ = q_;
  now_t_ = t;
  watch_.add(t, manifold_.kernel().smallest_pivot(), between_);
  return true;
}

void Motion::begin_step(double t, const Vector& y, double) {
  start_q_ = y.head(n_q_);
  if (!method_.adds_terms() || !settings_.held) return;
  split(y, q_, v_);
  manifold_.system().position(t, q_, violation_.Phi);
  manifold_.system().velocity(t, q_, v_, violation_.chi);
}

bool Motion::is_evaluated(double t, const Vector& y) const {
  return evaluated_ && t == asked_t_ && (y == asked_ || y == found_);
}

/// Evaluates the equations at y, or at its projection. Afterwards q_, v_ hold where.
bool Motion::evaluate(double t, const Vector& y) {
  if (is_evaluated(t, y)) {
    split(found_, q_, v_);
    return true;
  }
  split(y, q_, v_);
  evaluated_ = false;
  bool ok = false;
  if (method_.on_manifold()) {
    // A projection that moves a stage farther than the stage has moved in the step has left the branch.
    const double reach = std::max((q_ - start_q_).cwiseAbs().maxCoeff(), 1e-8 * (1 + q_.cwiseAbs().maxCoeff()));
    ok = manifold_.evaluate_projected(t, q_, v_, reach);
    if (!ok && settings_.fixed_steps) {
      ++unprojected_;
      split(y, q_, v_);
      ok = manifold_.evaluate(t, q_, v_);
    }
  } else {
    ok = manifold_.evaluate(t, q_, v_);
  }
  if (!ok) return false;
  asked_ = y;
  asked_t_ = t;
  found_ = y;
  found_.head(n_q_) = q_;
  found_.segment(n_q_, n_v_) = v_;
  return evaluated_ = true;
}

bool Motion::derivative(double t, const Vector& y, double h, Vector& ydot) {
  if (!evaluate(t, y)) return false;
  const Point& point = manifold_.point();
  if (!settings_.held) {
    violation_.Phi = point.Phi;
    violation_.chi = point.chi;
  }
  c_ = point.b;
  method_.demand(point, violation_, h, c_);
  manifold_.accelerate(c_, a_, lambda_);
  manifold_.system().rates(t, q_, v_, qdot_);
  method_.add_to_rates(manifold_, t, q_, violation_, h, qdot_);
  ydot.head(n_q_) = qdot_;
  ydot.segment(n_q_, n_v_) = a_;
  if (does_work_) ydot[n_q_ + n_v_] = manifold_.system().power(t, q_, v_, a_, lambda_);
  return ydot.allFinite();
}

Correction Motion::correct(double t, Vector& y) {
  last_correction_ = 0;
  if (!method_.corrects() && !law_) return Correction::none;
  Correction result = Correction::none;
  if (method_.corrects()) {
    if (method_.on_manifold() && evaluated_ && t == asked_t_ && y == asked_) {
      last_correction_ = (y.head(n_q_) - found_.head(n_q_)).cwiseAbs().maxCoeff();
      y = found_;
      result = Correction::same_derivative;
    } else {
      split(y, q_, v_);
      evaluated_ = false;
      const Projection projection = method_.correct(manifold_, t, q_, v_);
      if (!projection.ok) return Correction::failed;
      last_correction_ = projection.change;
      y.head(n_q_) = q_;
      y.segment(n_q_, n_v_) = v_;
      result = Correction::new_derivative;
    }
  }
  if (law_) {
    split(y, q_, v_);
    if (!evaluated_ && !manifold_.factor_at(t, q_, v_)) return Correction::failed;
    law_->correct(manifold_, t, q_, v_, energy_target(y));
    y.segment(n_q_, n_v_) = v_;
    evaluated_ = false;
    result = Correction::new_derivative;
  }
  return result;
}

bool Motion::accept(double t, const Vector& y) {
  const bool already = is_evaluated(t, y);
  start_q_ = y.head(n_q_);
  split(y, q_, v_);
  passed_.reset();
  rank_changed_ = false;
  if (!already && !evaluate(t, y)) return false;
  const bool same = manifold_.decide();
  if (!same) {
    rank_changed_ = true;
    watch_.reset();
  }
  watch_passages(t);
  return already && same;
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
  split(y, q_, v_);
  evaluated_ = false;
  if (!manifold_.project(t, q_, v_).ok) return;
  y.head(n_q_) = q_;
  y.segment(n_q_, n_v_) = v_;
}

bool Motion::accelerations(double t, const Vector& y, Vector& a, Vector& lambda) {
  if (!evaluate(t, y)) return false;
  manifold_.accelerate(manifold_.point().b, a, lambda);
  return a.allFinite();
}

double Motion::energy_error(double t, const Vector& y) {
  split(y, q_, v_);
  return manifold_.system().energy(t, q_, v_) - energy_target(y);
}

}  // namespace taut
