#include "simulation/index_two_motion.hpp"

#include "linear/orthogonal_decomposition.hpp"

namespace taut {

IndexTwoMotion::IndexTwoMotion(Manifold& manifold, Method& method, const Settings& settings)
    : Motion(manifold, method, nullptr, settings),
      point_(manifold.system().make_point()),
      reactions_(manifold.system().make_reaction_forces()) {
  const Shape& shape = manifold.shape();
  chi_ = mu_ = Vector::Zero(shape.rows());
  force_ = shift_ = Vector::Zero(shape.n_v());
  dq_ = Vector::Zero(shape.n_q());
}

void IndexTwoMotion::take_rows() {
  const LinearKernel& all = manifold_.kernel();
  const LinearKernel& positions = manifold_.decided_matrices().position_kernel();
  rows_.assign(all.order().begin(), all.order().begin() + all.rank());
  const int count = manifold_.shape().velocity_rows() > 0 ? positions.rank() : all.rank();
  position_rows_.assign(positions.order().begin(), positions.order().begin() + count);
}

Vector IndexTwoMotion::state(const Vector& q, const Vector& v) const {
  Vector y = Vector::Zero(size());
  y.head(n_q_) = q;
  y.segment(n_q_, n_v_) = v;
  return y;
}

void IndexTwoMotion::mark_differential(Vector& id) const {
  id.setZero();
  id.head(differential()).setOnes();
}

/// y' of the differential unknowns, and the multipliers that belong to y in place of their derivatives:
/// what an integrator needs to begin consistently.
bool IndexTwoMotion::derivative(double t, const Vector& y, double, Vector& ydot) {
  physical(t, y, q_, v_);
  if (!manifold_.evaluate(t, q_, v_)) return false;
  manifold_.here().accelerate(manifold_.point().b, a_, lambda_);
  manifold_.system().rates(t, q_, v_, qdot_);
  ydot.setZero();
  ydot.head(n_q_) = qdot_;
  ydot.segment(n_q_, n_v_) = a_;
  if (does_work_) ydot[n_q_ + n_v_] = manifold_.system().power(t, q_, v_, a_, lambda_);
  const auto multipliers = static_cast<Eigen::Index>(rows_.size());
  ydot.segment(differential() + static_cast<Eigen::Index>(position_rows_.size()), multipliers) = multipliers_of_rows();
  return ydot.allFinite();
}

/// Those of the rows that count, by which they pull as all rows do by lambda_.
Vector IndexTwoMotion::multipliers_of_rows() {
  const Shape& shape = manifold_.shape();
  const auto count = static_cast<Eigen::Index>(rows_.size());
  Matrix H = Matrix::Zero(shape.rows(), shape.n_v()), own(shape.n_v(), count);
  manifold_.point().H.to_dense(H);
  for (Eigen::Index k = 0; k < count; ++k) own.col(k) = H.row(rows_[static_cast<std::size_t>(k)]).transpose();
  if (count == 0 || count == shape.rows()) {
    Vector picked(count);
    for (Eigen::Index k = 0; k < count; ++k) picked[k] = lambda_[rows_[static_cast<std::size_t>(k)]];
    return picked;
  }
  return OrthogonalDecomposition(own, 1e-12).solve(H.transpose() * lambda_);
}

bool IndexTwoMotion::residual(double t, const Vector& y, const Vector& ydot, Vector& F) {
  System& system = manifold_.system();
  physical(t, y, q_, v_);
  manifold_.count_evaluation();
  system.at_position(t, q_, point_);
  system.at_velocity(t, q_, v_, point_);
  const int first_mu = differential(), first_lambda = first_mu + static_cast<int>(position_rows_.size());
  mu_.setZero();
  lambda_.setZero();
  for (std::size_t k = 0; k < position_rows_.size(); ++k) mu_[position_rows_[k]] = y[first_mu + static_cast<int>(k)];
  for (std::size_t k = 0; k < rows_.size(); ++k) lambda_[rows_[k]] = y[first_lambda + static_cast<int>(k)];

  system.rates(t, q_, v_, qdot_);
  point_.H.multiply_transposed(mu_, shift_);
  system.spread(t, q_, shift_, dq_);
  F.head(n_q_) = ydot.head(n_q_) - qdot_ - dq_;
  a_ = ydot.segment(n_q_, n_v_);
  point_.M.multiply(a_, shift_);
  point_.H.multiply_transposed(lambda_, force_);
  F.segment(n_q_, n_v_) = shift_ - point_.f - force_;
  if (system.shape().forces_need_multipliers) {
    system.react_at(t, q_, v_);
    system.reaction_forces(lambda_, reactions_);
    F.segment(n_q_, n_v_) -= reactions_.R;
  }
  if (does_work_) F[n_q_ + n_v_] = ydot[n_q_ + n_v_] - system.power(t, q_, v_, a_, lambda_);
  for (std::size_t k = 0; k < position_rows_.size(); ++k)
    F[first_mu + static_cast<int>(k)] = point_.Phi[position_rows_[k]];
  for (std::size_t k = 0; k < rows_.size(); ++k) F[first_lambda + static_cast<int>(k)] = point_.chi[rows_[k]];
  return F.allFinite();
}

Acceptance IndexTwoMotion::accept(double t, Vector& y) {
  if (physical(t, y, q_, v_)) {
    passages_.accept_undecided(t, q_, v_);
    accept_features(t, y);
  }
  return Acceptance::same_derivative;
}

}  // namespace taut
