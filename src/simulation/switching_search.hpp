#pragma once

#include "integration/ode_extensions.hpp"
#include "simulation/event_watch.hpp"
#include "simulation/sliding.hpp"

namespace taut {

/// Where a switching function becomes zero within a step, or the sign of one that is slid along comes to its bounds:
/// the step is to end there. Integrators show it every step that has passed its error test; it looks for zeros on the
/// states within, has the step repeated until it ends on the first of them, and marks the functions that have arrived.
class SwitchingSearch final : public Switching {
 public:
  /// On states of so many entries.
  SwitchingSearch(Switches& switches, SwitchingFunctions& functions, Sliding& sliding, int entries);

  double step_end(double t0, double t1, const Between& between) override;

  /// Has the step ended where a function is zero? Which of them, if several have.
  bool has_arrived() const { return arrived_; }
  int last_arrived() const { return last_; }
  /// Functions that are free at the start of a run are to find their sides.
  void arrive_at_free();
  /// The functions that have arrived are dealt with; …
  void leave_zero();
  /// … or have not arrived: the step was refused.
  void forget_arrival();

  /// The step last shown: where it began, and how long it was.
  double from() const { return shown_from_; }
  double width() const { return width_; }

 private:
  void find_values(double t, const Vector& y, Vector& values);
  void find_offsets(double t);
  double nearest_turn(double t0, double t1) const;
  double aim(double t0, double t1, int which, double at);
  double arrive(double t0, double t1);
  double time_to_zero(std::size_t which) const;
  bool ends_at_zero(double tolerance);
  void mark_arrived(std::size_t which);
  double change_at_start(double t0, double t1, std::size_t which);
  double release(double t0, double t1, std::size_t which);
  double release_all(double t0, double t1);

  Switches& switches_;
  SwitchingFunctions& functions_;
  Sliding& sliding_;
  EventWatch watch_;
  const Between* between_ = nullptr;
  double from_ = 0, width_ = 1;
  bool arrived_ = false;
  int last_ = 0;                             ///< that arrived at zero
  int aimed_ = -1;                           ///< the function whose zero the step is to end on; none: −1
  int attempts_ = 0, repetitions_ = 0;       ///< of the step that begins at shown_from_
  double shown_from_ = 0, changed_at_ = -1;  ///< the latter: when a branch last changed at the beginning of a step
  Vector y_, values_, found_;
};

}  // namespace taut
