#pragma once

#include <vector>

#include "simulation/endless_changes.hpp"
#include "simulation/side_ahead.hpp"
#include "simulation/sliding.hpp"
#include "simulation/switches.hpp"
#include "simulation/switching_functions.hpp"

namespace taut {

/// On which branches the equations go on where a switching function is zero, has jumped past it, or has left it. A
/// switched motion asks between steps; within a step branches stay as they are.
class BranchChoice {
 public:
  /// `switched` follows a motion as an integrator would, to see what lies ahead.
  BranchChoice(Motion& motion, Ode& switched, Switches& switches, SwitchingFunctions& functions, Sliding& sliding,
               EndlessChanges& endless);

  /// Where functions have arrived at zero: all of them, and those that the motion slides along, find their sides
  /// together. The last step was so wide.
  void choose(double t, const Vector& y, double width);
  /// After an impulse, which may tear loose what friction held. What was on one side of zero and is now on the other is
  /// found when the next step begins.
  void tear_loose(double t, const Vector& y);
  /// A function may jump past zero where a formula of time does: the step before has ended there.
  void follow_time_jumps(double t, const Vector& y);
  /// Functions last found that were free at zero and are off it now are held. Are there any?
  bool hold_what_has_left_zero();
  /// The change just counted was one of the functions that have arrived.
  void note_change();

 private:
  void choose_sides(double t, const Vector& y);
  void choose_sides_again(double t, const Vector& y);
  void gather_gathering();
  void check_rest(double t, const Vector& y);
  bool follow_jumps(double t, const Vector& y);
  double time_off_zero(double t, bool rates_known) const;

  Motion& motion_;
  Ode& switched_;
  Switches& switches_;
  SwitchingFunctions& functions_;
  Sliding& sliding_;
  EndlessChanges& endless_;
  SideAhead ahead_;
  std::vector<long> changed_;  ///< which change of all was last one of the function
  std::vector<int> at_zero_;   ///< functions whose sides are chosen together
  Vector sizes_, rates_, slope_;
  double width_ = 1;
};

}  // namespace taut
