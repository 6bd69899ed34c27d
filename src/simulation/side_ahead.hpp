#pragma once

#include <vector>

#include "simulation/switches.hpp"
#include "simulation/switching_functions.hpp"

namespace taut {

/// A function may be zero with all the rates that are known, and yet leave zero: the slip of a hinge between a slider
/// and a rod that is about to pass its dead centre from rest. No sign steers it there. The motion a little later tells
/// its side. A switched motion asks where functions are at zero, and their rates are rounding.
class SideAhead {
 public:
  /// Follows the motion as an integrator would.
  SideAhead(Ode& motion, Switches& switches, SwitchingFunctions& functions, const Shape& shape);

  /// Of functions that are free at a state, those that are clearly off zero soon after are held on their side there.
  /// How soon is for the motion to say, but within `most`. Are there any?
  bool hold(double t, const Vector& y, double most);

 private:
  void gather_undecided(double t, const Vector& y);
  bool go(double t, const Vector& y, double time);
  bool has_left(int which) const;
  double time_scale(const Vector& y, double most) const;

  Ode& motion_;
  Switches& switches_;
  SwitchingFunctions& functions_;
  const Shape& shape_;
  std::vector<int> undecided_;
  Vector near_, far_;  ///< the functions half the way ahead, and at its end
  Vector y_, middle_, slope_;
};

}  // namespace taut
