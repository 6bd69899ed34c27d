#pragma once

#include <vector>

#include "simulation/sliding_signs.hpp"
#include "simulation/switches.hpp"
#include "simulation/switching_functions.hpp"

namespace taut {

/// The motion along surfaces s = 0 (Filippov 1960): the signs between −1 and 1 that keep ṡ = 0, and the way back onto
/// the surfaces. Owns how rates and accelerations depend on the signs, where that was last found. A switched motion
/// asks it where functions have arrived at zero, at each stage, and after each step.
class Sliding {
 public:
  Sliding(Switches& switches, SwitchingFunctions& functions, const Shape& shape);

  /// Functions that are at zero, and those that are slid along, find their sides together, by the rates that follow
  /// from the signs; see SlidingSigns. The signs of some may just have come to their bounds. False where there are no
  /// such sides.
  bool choose_sides(const std::vector<int>& at_zero, double t, const Vector& y);
  /// How rates depend on the signs of those that are slid along, at a state where a step begins.
  void begin_step(double t, const Vector& y);
  /// Their signs there are those to return to.
  void keep_signs();
  /// The signs that keep ṡ = 0 at a state. False where there are none.
  bool solve_signs(double t, const Vector& y);
  /// Takes speeds of y back to the surfaces. False where nothing had to be done, or nothing could.
  bool return_to_surfaces(double t, Vector& y);
  /// Functions that have been held at zero by signs of which only their sum of effects is known.
  const std::vector<char>& shared() const { return shared_; }
  /// Is a rate rounding, compared to what accelerations here could make of it, or signs?
  bool is_rounding(double rate, std::size_t which) const;
  /// Of the signs on accelerations, the largest so far.
  double pull() const { return pull_; }

 private:
  bool linearize(const std::vector<int>& which, double t, const Vector& y);
  bool find_rates(double t, const Vector& y) { return functions_.find_rates(t, y, rates_); }
  void note_shared();
  bool leaves(std::size_t which, double sign) const;
  bool holds(std::size_t which, Eigen::Index place, double sign) const;
  void choose_side(std::size_t which, Eigen::Index place, double sign, bool others_hold, double t);
  void gather(const std::vector<int>& which, Vector& signs, Vector& rates) const;
  double update_signs();
  bool search_signs(double t, const Vector& y);
  double largest_rate() const;

  Switches& switches_;
  SwitchingFunctions& functions_;
  const Shape& shape_;
  SlidingSigns signs_;
  Matrix slopes_;    ///< of rates by signs
  Matrix pulls_;     ///< of each sign that slides on accelerations, where the step began
  double pull_ = 0;  ///< see pull()
  std::vector<char> shared_;
  Vector rates_, before_, unpulled_;
  Vector start_signs_;  ///< of those that slide, where the step began
  Vector good_signs_, signs_now_, rates_now_;
};

}  // namespace taut
