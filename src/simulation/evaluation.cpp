#include "simulation/evaluation.hpp"

#include "base/finite.hpp"

namespace taut {

EvaluatedPoint::EvaluatedPoint(const Shape& shape) {
  q = qdot = Vector::Zero(shape.n_q());
  v = a = scratch_v = Vector::Zero(shape.n_v());
  lambda = c = Vector::Zero(shape.rows());
}

Evaluation::Evaluation(Manifold& manifold)
    : manifold_(manifold), layout_(manifold.shape()), memory_(layout_), at_(manifold.shape()) {}

bool Evaluation::evaluate(double t, const Vector& y) {
  if (knows(t, y)) {
    restore();
    return true;
  }
  load(t, y);
  return manifold_.evaluate(t, at_.q, at_.v) && remember(t, y);
}

bool Evaluation::physical(double /*t*/, const Vector& y, Vector& q, Vector& v) {
  q.resize(layout_.n_q);
  v.resize(layout_.n_v);
  const bool known = copy_finite(y.data(), q);
  return copy_finite(y.data() + layout_.n_q, v) && known;
}

void Evaluation::find_violations(double t, Vector& Phi, Vector& chi) {
  const Vector& found = memory_.found();
  const bool known =
      memory_.is_valid_at(t) && at_.q == found.head(layout_.n_q) && at_.v == found.segment(layout_.n_q, layout_.n_v);
  if (known) {
    Phi = manifold_.point().Phi;
    chi = manifold_.point().chi;
    return;
  }
  system().position(t, at_.q, Phi);
  system().velocity(t, at_.q, at_.v, chi);
}

void Evaluation::restore() {
  if (memory_.is_valid()) layout_.unpack(memory_.found(), at_.q, at_.v);
}

void Evaluation::load(double t, const Vector& y) {
  layout_.unpack(y, at_.q, at_.v);
  if (manifold_.shape().retracts) system().retract(t, at_.q);
  forget();
}

bool Evaluation::retract(double t, Vector& y) {
  if (!manifold_.shape().retracts) return false;
  at_.q = y.head(layout_.n_q);
  system().retract(t, at_.q);
  y.head(layout_.n_q) = at_.q;
  return true;
}

bool Evaluation::remember(double t, const Vector& y) {
  layout_.pack(at_.q, at_.v, memory_.found());
  memory_.remember(t, y);
  return true;
}

bool Evaluation::write_slopes(Vector& ydot) const {
  ydot.head(layout_.n_q) = at_.qdot;
  ydot.segment(layout_.n_q, layout_.n_v) = at_.a;
  if (layout_.does_work) ydot[layout_.moving()] = at_.power;
  return is_finite(ydot);
}

}  // namespace taut
