#pragma once

#include <vector>

#include "taut/vector.hpp"

namespace taut {

struct StepControl;

/// Which entries of a state are of one kind, so that their sizes can be compared.
struct StateGroups {
  /// Of each entry: even for coordinates, and for their speeds the odd one after it. Entries beyond have none.
  std::vector<int> group;
  std::vector<double> least_size;  ///< of each group, where one is known: 1 for turns
  /// Of each group of speeds, those at which what it belongs to turns; -1 for none. What is q away and turns at ω moves
  /// at ω q, and is not known better than ω is.
  std::vector<int> turning;
};

/// What each entry of a state may err in a step: atol + rtol |y|.
///
/// Where no absolute tolerance is given, it is rtol/100 of the largest that the entries of one kind have been, so that
/// it means the same in any unit. Speeds are not resolved to less than rounding makes of the coordinates in a step; and
/// where the error of a step shows that what is left is noise, tolerances are relaxed, at most to rtol/100 itself.
class ErrorScale {
 public:
  ErrorScale() = default;
  ErrorScale(const StepControl& control, const Vector& y);

  /// Told before each attempt at a step.
  void begin(double h);
  /// Of entry i that goes from one value to another.
  double allowed(Eigen::Index i, double from, double to) const;
  /// Told of each accepted state.
  void accept(const Vector& y);
  /// Told where the error of a step does not fall as it should when the step becomes shorter. False if there is nothing
  /// left to relax.
  bool relax();
  /// The state's rates at the beginning tell how large what begins at rest will be.
  void start(const Vector& rates);
  double allowed_at_start(Eigen::Index i, double value) const;
  /// The size of entry i where it has this value: the value's own, or a share of the largest that its kind has had.
  /// Moved by the root of ε of it, rates change by more than their rounding errors, even of what begins at rest.
  double typical_size(Eigen::Index i, double value) const;

 private:
  std::size_t group(Eigen::Index i) const { return static_cast<std::size_t>(group_[static_cast<std::size_t>(i)]); }
  bool has_group(Eigen::Index i) const { return i < static_cast<Eigen::Index>(group_.size()); }

  double rtol_ = 0, atol_ = 0;  ///< atol_ of what has size 1, where it follows sizes
  bool follows_sizes_ = false;
  std::vector<int> group_, turning_;
  std::vector<double> size_;   ///< of each group: the largest so far
  std::vector<double> floor_;  ///< absolute tolerance of each group
  double slack_ = 0;           ///< by which noise has relaxed them
};

}  // namespace taut
