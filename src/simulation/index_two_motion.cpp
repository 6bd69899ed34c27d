#include "simulation/index_two_motion.hpp"

#include "linear/orthogonal_decomposition.hpp"

namespace taut {

IndexTwoMotion::IndexTwoMotion(Manifold& manifold, Method& method, const Settings& settings)
    : Motion(manifold, method, nullptr, settings),
      point_(manifold.system().make_point()),
      reactions_(manifold.system().make_reaction_forces()) {
  const Shape& shape = manifold.shape();
  mu_ = Vector::Zero(shape.rows());
  force_ = shift_ = Vector::Zero(shape.n_v());
  dq_ = Vector::Zero(shape.n_q());
}

void IndexTwoMotion::take_first_decision(double /*t*/) {
  const LinearKernel& all = manifold_.kernel();
  const LinearKernel& positions = manifold_.decided_matrices().position_kernel();
  rows_.assign(all.order().begin(), all.order().begin() + all.rank());
  const int count = manifold_.shape().velocity_rows() > 0 ? positions.rank() : all.rank();
  position_rows_.assign(positions.order().begin(), positions.order().begin() + count);
}

OdeExtensions IndexTwoMotion::extensions() {
  OdeExtensions all = Motion::extensions();
  all.implicit = this;
  return all;
}

void IndexTwoMotion::mark_differential(Vector& id) const {
  id.setZero();
  id.head(layout_.size()).setOnes();
}

void IndexTwoMotion::find_violations(double t, Vector& Phi, Vector& chi) {
  system().position(t, at_.q, Phi);
  system().velocity(t, at_.q, at_.v, chi);
}

/// y' of the differential unknowns, and the multipliers that belong to y in place of their derivatives: what an
/// integrator needs to begin consistently.
bool IndexTwoMotion::derivative(double t, const Vector& y, double, Vector& ydot) {
  physical(t, y);
  if (!manifold_.evaluate(t, at_.q, at_.v)) return false;
  manifold_.here().accelerate(manifold_.point().b, at_.a, at_.lambda);
  system().rates(t, at_.q, at_.v, at_.qdot);
  at_.power = layout_.does_work ? system().power(t, at_.q, at_.v, at_.a, at_.lambda) : 0;
  ydot.setZero();
  const auto multipliers = static_cast<Eigen::Index>(rows_.size());
  ydot.segment(first_lambda(), multipliers) = multipliers_of_rows();
  return write_slopes(ydot);
}

/// Those of the rows that count, by which they pull as all rows do by λ.
Vector IndexTwoMotion::multipliers_of_rows() {
  const Shape& shape = manifold_.shape();
  const auto count = static_cast<Eigen::Index>(rows_.size());
  Matrix H = Matrix::Zero(shape.rows(), shape.n_v()), own(shape.n_v(), count);
  manifold_.point().H.to_dense(H);
  for (Eigen::Index k = 0; k < count; ++k) own.col(k) = H.row(rows_[static_cast<std::size_t>(k)]).transpose();
  if (count == 0 || count == shape.rows()) {
    Vector picked(count);
    for (Eigen::Index k = 0; k < count; ++k) picked[k] = at_.lambda[rows_[static_cast<std::size_t>(k)]];
    return picked;
  }
  return OrthogonalDecomposition(own, 1e-12).solve(H.transpose() * at_.lambda);
}

bool IndexTwoMotion::residual(double t, const Vector& y, const Vector& ydot, Vector& F) {
  const int n_q = layout_.n_q, n_v = layout_.n_v;
  physical(t, y);
  ++manifold_.counts.evaluations;
  system().at_position(t, at_.q, point_);
  system().at_velocity(t, at_.q, at_.v, point_);
  unpack_multipliers(y);

  system().rates(t, at_.q, at_.v, at_.qdot);
  point_.H.multiply_transposed(mu_, shift_);
  system().spread(t, at_.q, shift_, dq_);
  F.head(n_q) = ydot.head(n_q) - at_.qdot - dq_;
  at_.a = ydot.segment(n_q, n_v);
  point_.M.multiply(at_.a, shift_);
  point_.H.multiply_transposed(at_.lambda, force_);
  F.segment(n_q, n_v) = shift_ - point_.f - force_;
  if (system().shape().forces_need_multipliers) {
    system().react_at(t, at_.q, at_.v);
    system().reaction_forces(at_.lambda, reactions_);
    F.segment(n_q, n_v) -= reactions_.R;
  }
  if (layout_.does_work)
    F[layout_.moving()] = ydot[layout_.moving()] - system().power(t, at_.q, at_.v, at_.a, at_.lambda);
  write_violations(F);
  return F.allFinite();
}

void IndexTwoMotion::unpack_multipliers(const Vector& y) {
  mu_.setZero();
  at_.lambda.setZero();
  for (std::size_t k = 0; k < position_rows_.size(); ++k) mu_[position_rows_[k]] = y[first_mu() + static_cast<int>(k)];
  for (std::size_t k = 0; k < rows_.size(); ++k) at_.lambda[rows_[k]] = y[first_lambda() + static_cast<int>(k)];
}

void IndexTwoMotion::write_violations(Vector& F) const {
  for (std::size_t k = 0; k < position_rows_.size(); ++k)
    F[first_mu() + static_cast<int>(k)] = point_.Phi[position_rows_[k]];
  for (std::size_t k = 0; k < rows_.size(); ++k) F[first_lambda() + static_cast<int>(k)] = point_.chi[rows_[k]];
}

/// Rank is determined for the sake of passages, bends and the record: the rows that have multipliers stay.
Acceptance IndexTwoMotion::accept(double t, Vector& y) {
  approval().accept(t, y);
  report_.passed.reset();
  report_.rank_changed = false;
  if (!evaluate(t, y)) return Acceptance::same_derivative;
  manifold_.here().accelerate(manifold_.point().b, at_.a, at_.lambda);
  determine_rank(t, y, true);
  return Acceptance::same_derivative;
}

}  // namespace taut
