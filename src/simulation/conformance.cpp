#include "simulation/conformance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {

Conformance::Conformance(System& system, Motion& motion, double settle)
    : system_(system), motion_(motion), settle_(settle) {
  const Shape& shape = system.shape();
  q_ = Vector::Zero(shape.n_q());
  v_ = Vector::Zero(shape.n_v());
  Phi_ = max_Phi_ = Vector::Zero(shape.position_rows);
  chi_ = max_chi_ = Vector::Zero(shape.rows());
}

bool Conformance::look(double t, const Vector& y) {
  if (!motion_.physical(t, y, q_, v_)) {
    energy_now_ = std::numeric_limits<double>::quiet_NaN();
    Phi_.setConstant(energy_now_);
    chi_.setConstant(energy_now_);
    return false;
  }
  if (system_.shape().has_energy) energy_now_ = motion_.energy_error(t, y);
  if (t >= settle_) energy_error_ = std::max(energy_error_, std::abs(energy_now_));
  if (chi_.size() == 0) return true;
  motion_.violations(t, q_, v_, Phi_, chi_);
  if (t < settle_) return Phi_.allFinite() && chi_.allFinite();
  max_Phi_ = max_Phi_.cwiseMax(Phi_.cwiseAbs());
  max_chi_ = max_chi_.cwiseMax(chi_.cwiseAbs());
  Eigen::Index at = 0;
  double worst = chi_.cwiseAbs().maxCoeff(&at);
  if (Eigen::Index row = 0; Phi_.size() > 0 && Phi_.cwiseAbs().maxCoeff(&row) > worst) {
    worst = std::abs(Phi_[row]);
    at = row;
  }
  if (worst > largest_) {
    largest_ = worst;
    worst_ = static_cast<int>(at);
  }
  return Phi_.allFinite() && chi_.allFinite();
}

void Conformance::look_at_rank(int rank) {
  rank_min_ = any_ ? std::min(rank_min_, rank) : rank;
  rank_max_ = any_ ? std::max(rank_max_, rank) : rank;
  any_ = true;
}

void Conformance::fill(Summary& summary) const {
  const Shape& shape = system_.shape();
  summary.rank_min = rank_min_;
  summary.rank_max = rank_max_;
  summary.degrees_of_freedom = shape.n_v() - rank_max_;
  if (Phi_.size() > 0) summary.max_position_violation = max_Phi_.maxCoeff();
  if (chi_.size() > 0) summary.max_velocity_violation = max_chi_.maxCoeff();
  if (shape.has_energy) summary.max_energy_error = energy_error_;
  for (int i = 0; i < shape.rows(); ++i) {
    Violation violation{shape.constraints[i], std::nullopt, max_chi_[i]};
    if (i < shape.position_rows) violation.position = max_Phi_[i];
    summary.violations.push_back(violation);
  }
}

}  // namespace taut
