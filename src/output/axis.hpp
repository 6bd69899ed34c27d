#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace taut {

/// One axis of a plot: from values to places.
struct Axis {
  bool logarithmic = false;
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  double from = 0, to = 1;  ///< places of low and high

  bool shows(double value) const;
  double place(double value) const;
  void include(double value);
  /// Rounds the range off, once all values are included.
  void finish();
  /// Round values, at most about `most` of them, as they are and as they are written.
  std::vector<std::pair<double, std::string>> ticks(int most) const;

 private:
  double scaled(double value) const;
};

/// Makes one unit as long on both axes, by widening the one that has room.
void equalise(Axis& x, Axis& y);

}  // namespace taut
