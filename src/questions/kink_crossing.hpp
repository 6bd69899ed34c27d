#pragma once

#include <string>
#include <vector>

#include "questions/adjoint.hpp"

namespace taut {

/// Kinks that a motion comes to between two steps. Where rates jump from r⁻ to r⁺ as a switching function s becomes
/// zero, slopes of the state jump by (r⁻ − r⁺) dt/dp, with the change dt of the time of that, ds + ṡ dt = 0. Of several
/// kinks at one moment each counts by itself, as long as none changes what another does.
class KinkCrossing {
 public:
  KinkCrossing(VariedMotion& motion, const Shape& shape) : motion_(motion), shape_(shape) {}

  /// Chooses the branches of the step from a state to the next, and lets the slopes of the former jump where it stands
  /// at kinks. Says what is not varied; "": nothing.
  std::string cross(VariedState& state, const VariedState& next);
  /// Of the step at hand.
  const std::vector<System::Branch>& branches() const { return branches_; }
  /// Before the step at hand, for the way back.
  const std::vector<MotionTape::Jump>& jumps() const { return jumps_; }

 private:
  std::string choose(const VariedState& state, const VariedState& next, std::vector<Eigen::Index>& changed);
  VariedMotion::Rates flipped(const VariedState& at, const std::vector<Eigen::Index>& kinks);
  std::string jump(VariedState& state, const VariedMotion::Shown& s, const std::vector<Eigen::Index>& changed);
  std::string name(Eigen::Index k) const { return shape_.switches[static_cast<std::size_t>(k)]; }

  VariedMotion& motion_;
  const Shape& shape_;
  std::vector<System::Branch> branches_, before_;
  std::vector<MotionTape::Jump> jumps_;
  Vector largest_;  ///< that each switching function has been
};

}  // namespace taut
