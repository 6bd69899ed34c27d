#include "system/compiled_dynamics.hpp"

#include <utility>

#include "system/driven_inputs.hpp"

namespace taut {
namespace {

/// The power comes along: an integrated work asks for it wherever the equations are evaluated.
CompactFormulas dynamics_of(Equations& eq, bool taking) {
  std::vector<Expression> power(eq.power.is_zero() ? 0 : 1, eq.power);
  CompactFormulas all;
  all.reserve(eq.M.entries.size() + eq.Phi.size() + eq.H.entries.size() + eq.f.size() + eq.b.size() + eq.chi.size() +
              power.size());
  for (auto* part : {&eq.M.entries, &eq.Phi, &eq.H.entries, &eq.f, &eq.b, &eq.chi, &power}) {
    all.add(*part);
    if (taking && part != &eq.Phi && part != &eq.chi) *part = std::vector<Expression>();  // those two come again
  }
  return all;
}

}  // namespace

CompiledDynamics::CompiledDynamics(Equations& eq, const FormulaCompiler& compiler)
    : M_(std::move(eq.M.pattern)), H_(std::move(eq.H.pattern)), N_(std::move(eq.N.pattern)) {
  shape_ = std::move(eq.shape);
  if (compiler.is_large() && shape_.plain_rates) {
    for (auto* unused : {&eq.rates, &eq.N.entries}) *unused = std::vector<Expression>();
    N_ = Pattern();
  }
  // The longest first, while nothing else takes room. Others may be evaluated between its positions and velocities.
  dynamics_ = compiler.compile_apart(dynamics_of(eq, compiler.is_large()));
  position_ = compiler.compile(compiler.take(eq.Phi));
  velocity_ = compiler.compile(compiler.take(eq.chi));
  if (!shape_.plain_rates) {
    N_values_.setZero(static_cast<Eigen::Index>(eq.N.entries.size()));
    rates_ = compiler.compile(compiler.take(eq.rates));
    N_program_ = compiler.compile(compiler.take(eq.N.entries));
  }
  if (!shape_.retracts) return;
  retraction_ = compiler.compile(compiler.take(eq.retractions));
  retracted_ = eq.retracted;
}

Point CompiledDynamics::make_point() const {
  const auto zero = [](const Pattern& pattern) {
    return SparseValues{pattern, Vector::Zero(static_cast<Eigen::Index>(pattern.entries.size()))};
  };
  const int n = shape_.n_v(), m = shape_.rows();
  return {zero(M_), zero(H_), Vector::Zero(n), Vector::Zero(m), Vector::Zero(m), Vector::Zero(shape_.position_rows)};
}

void CompiledDynamics::position(double t, const Vector& q, Vector& Phi) {
  position_.at_position(t, q);
  position_.copy(0, Phi);
}

void CompiledDynamics::velocity(double t, const Vector& q, const Vector& v, Vector& chi) {
  velocity_.at_position(t, q);
  velocity_.at_velocity(v);
  velocity_.copy(0, chi);
}

void CompiledDynamics::at_position(double t, const Vector& q, Point& point) {
  dynamics_.at_position(t, q);
  dynamics_.copy(0, point.M.values);
  dynamics_.copy(first_Phi(), point.Phi);
  dynamics_.copy(first_H(), point.H.values);
}

void CompiledDynamics::at_velocity(double, const Vector&, const Vector& v, Point& point) {
  dynamics_.at_velocity(v);
  if (shape_.jacobian_of_speeds) dynamics_.copy(first_H(), point.H.values);
  dynamics_.copy(first_f(), point.f);
  dynamics_.copy(first_f() + shape_.n_v(), point.b);
  dynamics_.copy(first_f() + shape_.n_v() + shape_.rows(), point.chi);
}

void CompiledDynamics::rates(double t, const Vector& q, const Vector& v, Vector& qdot) {
  if (shape_.plain_rates) {
    qdot = v;
    return;
  }
  rates_.at_position(t, q);
  rates_.at_velocity(v);
  rates_.copy(0, qdot);
}

void CompiledDynamics::spread(double t, const Vector& q, const Vector& dv, Vector& dq) {
  if (shape_.plain_rates) {
    dq = dv;
    return;
  }
  N_program_.at_position(t, q);
  N_program_.copy(0, N_values_);
  dq.setZero();
  for (std::size_t k = 0; k < N_.entries.size(); ++k)
    dq[N_.entries[k].first] += N_values_[static_cast<Eigen::Index>(k)] * dv[N_.entries[k].second];
}

void CompiledDynamics::retract(double t, Vector& q) {
  if (!shape_.retracts) return;
  retraction_.at_position(t, q);
  for (std::size_t k = 0; k < retracted_.size(); ++k) q[retracted_[k]] = retraction_.value(static_cast<int>(k));
}

void find_driven(System& system, double t, const Vector& q, const Vector& v, std::vector<double>& values) {
  if (auto* of_a_model = dynamic_cast<ParametrisedSystem*>(&system)) of_a_model->find_driven(t, q, v, values);
}

void CompiledDynamics::find_driven(double t, const Vector& q, const Vector& v, std::vector<double>& values) {
  if (driven_) driven_->write(t, q, v, values);
}

void CompiledDynamics::rethrow() {
  if (driven_) driven_->rethrow();
}

}  // namespace taut
