#include "simulation/state_questions.hpp"

#include <fmt/format.h>

namespace taut {

Manifold& StateQuestions::observation(const RunParts& parts) {
  if (observation_) return *observation_;
  std::string kernel;
  observation_ = std::make_unique<Manifold>(
      system_, [&] { return parts.make_kernel(kernel); }, parts.rank_tolerance);
  return *observation_;
}

const StateEquations& StateQuestions::equations(const Standing& standing) {
  const auto& [t, q, v, parameters] = standing.at;
  const Shape& shape = system_.shape();
  Manifold& manifold = observation(standing.parts);
  StateEquations& e = equations_;
  e = {Matrix::Zero(shape.n_v(), shape.n_v()), Matrix::Zero(shape.rows(), shape.n_v())};
  e.acceleration.setZero(shape.n_v());
  e.multipliers.setZero(shape.rows());
  e.qdot.setZero(shape.n_q());
  if (!manifold.evaluate(t, q, v, Manifold::Factoring::at_decision) ||
      !manifold.determine_rank_afresh(t, q, v, standing.parts.rank_tolerance)) {
    rethrow();
    throw InputError(fmt::format("the equations have no value at t = {:.9g}", t), "set another state");
  }
  const Point& point = manifold.point();
  manifold.here().accelerate(point.b, e.acceleration, e.multipliers);
  point.M.to_dense(e.M);
  point.H.to_dense(e.H);
  e.f = e.M * e.acceleration - e.H.transpose() * e.multipliers;
  e.b = point.b;
  e.Phi = point.Phi;
  e.chi = point.chi;
  system_.rates(t, q, v, e.qdot);
  e.energy = shape.has_energy ? system_.energy(t, q, v) : 0;
  e.kinetic = 0.5 * v.dot(e.M * v);
  e.potential = shape.has_energy ? e.energy - e.kinetic : 0;
  return e;
}

double StateQuestions::value(const std::string& name, const Standing& standing) {
  if (!named_) named_.emplace(given_, prepared_ ? &prepared_->model() : nullptr, system_);
  if (named_->needs_accelerations(name)) equations(standing);
  const auto& [t, q, v, parameters] = standing.at;
  const double found = named_->find(name, {t, q, v, equations_.acceleration, equations_.multipliers, parameters});
  rethrow();
  return found;
}

OutputJacobian StateQuestions::output_jacobian(const std::vector<std::string>& names, const State& at) {
  if (!prepared_)
    throw InputError("a system that was written in C++ has no formulas", "differentiate where it is written");
  if (!output_slopes_ || names != sloped_) {
    output_slopes_.emplace(prepared_->model(), names);
    sloped_ = names;
  }
  return output_slopes_->evaluate(at.t, at.q, at.v, at.parameters);
}

BodyKinematics& StateQuestions::kinematics() {
  if (!prepared_)
    throw InputError("a system that was written in C++ has no bodies", "compute its places where it is written");
  if (!kinematics_) kinematics_.emplace(prepared_->model(), system_);
  return *kinematics_;
}

}  // namespace taut
