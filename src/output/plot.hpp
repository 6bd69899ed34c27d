#pragma once

#include <string>
#include <vector>

/// Figures for a paper or a page: axes with units, a legend, colours that a colour-blind reader can tell
/// apart, as SVG text.
namespace taut {

struct Curve {
  std::string label;
  std::vector<double> x, y;
  bool markers = false;  ///< a dot at each point, for studies with few points
  double faint = 1;      ///< opacity
  int colour = -1;       ///< which of the palette; −1: the next one
};

struct Plot {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  bool equal_axes = false;  ///< one metre is as long upwards as sideways
  std::vector<Curve> curves;
};

/// The plot as an SVG document. Points that have no place on it (not finite, or not positive on a
/// logarithmic axis) are left out; long curves are thinned without losing extremes.
std::string to_svg(const Plot& plot);

/// A curve with at most about `most` points that still shows every extreme.
Curve thinned(const Curve& curve, std::size_t most);

}  // namespace taut
