#pragma once

#include "simulation/motion.hpp"

namespace taut {

/// The switching functions s of a system and their rates, at states of a motion. Owns the room for what is found, which
/// holds until the next question.
class SwitchingFunctions {
 public:
  SwitchingFunctions(Motion& motion, System& system);

  /// s at a state. False where that stands for no point.
  bool find(double t, const Vector& y);
  void find(double t, const Vector& q, const Vector& v) { system_.switching(t, q, v, s_); }
  const Vector& values() const { return s_; }
  double operator[](std::size_t which) const { return s_[static_cast<Eigen::Index>(which)]; }
  /// Speeds there.
  const Vector& speeds() const { return v_; }
  double fastest() const { return v_.lpNorm<Eigen::Infinity>(); }

  /// ṡ at a state, by the accelerations there. False where there are none.
  bool find_rates(double t, const Vector& y, Vector& rates);
  const Vector& accelerations() const { return a_; }

  /// How much accelerations change ṡ: |∂s/∂v|₁ of each function, at the state whose rates were last found; …
  void find_reach(double t);
  /// … as they were when last found.
  const Vector& reach() const { return reach_; }

  /// Of all: s = 0 for each.
  Vector zeros() const { return Vector::Zero(s_.size()); }

 private:
  Motion& motion_;
  System& system_;
  Vector q_, v_, a_, lambda_, s_;
  Vector reach_, unit_, with_unit_, without_;
};

}  // namespace taut
