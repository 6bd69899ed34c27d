#include "simulation/switching_functions.hpp"

namespace taut {

SwitchingFunctions::SwitchingFunctions(Motion& motion, System& system) : motion_(motion), system_(system) {
  const Shape& shape = system.shape();
  q_ = Vector::Zero(shape.n_q());
  v_ = a_ = Vector::Zero(shape.n_v());
  lambda_ = Vector::Zero(shape.rows());
  unit_ = v_;
  s_ = Vector::Zero(static_cast<Eigen::Index>(shape.switches.size()));
  reach_ = with_unit_ = without_ = s_;
}

bool SwitchingFunctions::find(double t, const Vector& y) {
  const bool known = motion_.physical(t, y, q_, v_);
  find(t, q_, v_);
  return known;
}

bool SwitchingFunctions::find_rates(double t, const Vector& y, Vector& rates) {
  const bool known = motion_.observe().accelerations(t, y, a_, lambda_) && motion_.physical(t, y, q_, v_);
  if (known) system_.switching_rates(t, q_, v_, a_, rates);
  return known && rates.allFinite();
}

/// Rates are linear in accelerations.
void SwitchingFunctions::find_reach(double t) {
  reach_.setZero();
  unit_.setZero();
  system_.switching_rates(t, q_, v_, unit_, without_);
  for (double& one : unit_) {
    one = 1;
    system_.switching_rates(t, q_, v_, unit_, with_unit_);
    reach_ += (with_unit_ - without_).cwiseAbs();
    one = 0;
  }
}

}  // namespace taut
