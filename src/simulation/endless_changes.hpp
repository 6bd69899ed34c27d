#pragma once

#include <cmath>
#include <limits>
#include <utility>

namespace taut {

/// Tells changes of branch without end: one after the other in steps as short as the resolution of time, or too many
/// within a short part of the run. A switched motion counts them here; the loop ends a run that has no end of them.
class EndlessChanges {
 public:
  /// Steps of the given length, one after the other, lead nowhere.
  explicit EndlessChanges(double least_step) : least_step_(least_step) {}

  /// A step from t0 ended at t1 for a change of branch.
  void count_change(double t0, double t1) {
    ++changes_;
    short_steps_ = t1 - t0 <= least_step_ ? short_steps_ + 1 : 0;
    no_steps_ = t1 - t0 <= rounding * std::abs(t1) ? no_steps_ + 1 : 0;
    endless_ = endless_ || short_steps_ >= most_short_steps || no_steps_ >= most_no_steps;
    if (changes_ % many_changes != 0) return;
    endless_ = endless_ || t1 - std::exchange(many_changes_ago_, t1) <= 1e4 * least_step_;
  }
  /// A step ended for another reason.
  void count_step() { short_steps_ = no_steps_ = 0; }

  long changes() const { return changes_; }
  bool is_endless() const { return endless_; }
  void give_up() { endless_ = true; }
  double least_step() const { return least_step_; }

  /// Changes in short steps, so many in a row, lead to one point.
  static constexpr int to_gather = 8;
  bool gathers() const { return short_steps_ >= to_gather; }

 private:
  static constexpr int most_short_steps = 50;
  /// Steps that time does not resolve.
  static constexpr int most_no_steps = 12;
  static constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  /// Without end are as many as this within a millionth of the run, too.
  static constexpr long many_changes = 1000;

  double least_step_;
  long changes_ = 0;
  int short_steps_ = 0, no_steps_ = 0;
  double many_changes_ago_ = -std::numeric_limits<double>::infinity();  ///< when that was
  bool endless_ = false;
};

}  // namespace taut
