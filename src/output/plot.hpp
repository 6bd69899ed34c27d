#pragma once

#include <string>
#include <vector>

/// Figures for a paper or a page: axes with units, a legend, colours that a colour-blind reader can tell
/// apart, as SVG text.
namespace taut {

enum class Line { solid, dashed, none };
enum class Mark { none, dot, circle, plus };

struct Curve {
  std::string label;
  std::vector<double> x, y;
  Mark mark = Mark::none;  ///< at each point
  Line line = Line::solid;
  double faint = 1;   ///< opacity
  int colour = -1;    ///< which of the palette; −1: the next one
  std::string paint;  ///< a CSS colour in place of the palette's
};

struct Plot {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  bool equal_axes = false;  ///< one metre is as long upwards as sideways
  std::vector<Curve> curves;
};

/// The plot as an SVG document. Points that have no place on it (not finite, or not positive on a
/// logarithmic axis) are left out; long curves are thinned without losing extremes; what would be drawn twice at one
/// place is drawn once.
std::string to_svg(const Plot& plot);

/// Several plots below one another over one x axis: title, label and scale of that axis are the first plot's. A legend
/// that says what the first one says already is left out; where curves leave the first no room, it stands below.
std::string to_svg(const std::vector<Plot>& panels);

/// A curve with at most about `most` points that still shows every extreme.
Curve thinned(const Curve& curve, std::size_t most);

}  // namespace taut
