#pragma once

#include <vector>

namespace taut {

/// A curve between recorded rows, for the eye: an integrator of high order takes steps within which a rod swings
/// visibly, and straight lines between them would show the steps and not the motion.
struct DenseTimes {
  std::vector<double> t;            ///< the rows' own times, and more between them
  std::vector<std::size_t> before;  ///< the row that each lies behind, or at
};

/// Times so that there are about `wanted` of them; the rows' own where there are as many already.
DenseTimes dense_times(const std::vector<double>& t, std::size_t wanted);

/// Values at these times, on the cubics that have the values and the slopes of the rows (Hermite's). A gap stays where
/// a value is missing.
std::vector<double> dense_values(const DenseTimes& times, const std::vector<double>& t, const std::vector<double>& y,
                                 const std::vector<double>& slopes);

/// Slopes where nothing is known but values: Akima's, modified as by Ionita so that flat parts stay flat. They are
/// exact for a parabola, and do not ring beside a corner.
std::vector<double> estimated_slopes(const std::vector<double>& t, const std::vector<double>& y);

}  // namespace taut
