#pragma once

#include <limits>
#include <optional>

#include "output/plot.hpp"
#include "taut/simulation.hpp"

namespace taut {

/// Where a drawing is seen from, in degrees: turned about z from the x axis, and above the x-y plane. Straight from
/// above, x goes to the right and y upwards.
struct View {
  double azimuth = -90, elevation = 90;
};

/// When the light flashes, and how what it shows is drawn.
struct Flashes {
  int count = 12;               ///< spread evenly from the first moment to the last
  std::optional<double> every;  ///< s between flashes, in place of their count
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();  ///< s
  bool fade = true;  ///< earlier ones are fainter
  Line line = Line::solid;
  View view;
};

/// What a model draws, at equal intervals of a recorded run, as curves in the plane, over one another; between two
/// recorded rows on the cubic through them. What has not moved since the flash before is drawn once. `parameters` are
/// the values the run was made with. Throws InputError where the run has nothing between `from` and `to`.
std::vector<Curve> stroboscope(const Model& model, const std::vector<double>& parameters, const Trajectory& trajectory,
                               const Flashes& flashes);

}  // namespace taut
