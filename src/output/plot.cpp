#include "output/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace taut {
namespace {

// Okabe & Ito's palette: distinct for all common kinds of colour vision.
constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31"};
constexpr double width = 760, height = 420, left = 84, right = 20, top = 40, bottom = 56;
constexpr std::size_t most_points = 1500;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// One axis: from values to places.
struct Axis {
  bool logarithmic = false;
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  double from = 0, to = 1;  ///< places of low and high

  double scaled(double value) const { return logarithmic ? std::log10(value) : value; }
  bool shows(double value) const { return std::isfinite(value) && (!logarithmic || value > 0); }
  double place(double value) const { return from + (to - from) * (scaled(value) - low) / (high - low); }

  void include(double value) {
    if (!shows(value)) return;
    low = std::min(low, scaled(value));
    high = std::max(high, scaled(value));
  }

  void finish() {
    if (!(low <= high)) low = 0, high = 1;
    if (logarithmic) {
      low = std::floor(low);
      high = std::max(std::ceil(high), low + 1);
    } else {
      const double margin = high > low ? 0.04 * (high - low) : std::max(1e-12, 0.5 * std::abs(high));
      low -= margin;
      high += margin;
    }
  }

  /// Round values about six to an axis, as they are and as they are written.
  std::vector<std::pair<double, std::string>> ticks() const {
    std::vector<std::pair<double, std::string>> list;
    if (logarithmic) {
      const int every = std::max(1, static_cast<int>(std::ceil((high - low) / 8)));
      for (int k = static_cast<int>(low); k <= high + 1e-9; k += every)
        list.emplace_back(std::pow(10.0, k), fmt::format("1e{}", k));
      return list;
    }
    const double raw = (high - low) / 6, power = std::pow(10.0, std::floor(std::log10(raw)));
    double step = 10 * power;
    for (const double nice : {1.0, 2.0, 5.0})
      if (raw <= nice * power) {
        step = nice * power;
        break;
      }
    for (double value = std::ceil(low / step) * step; value <= high + 1e-9 * step; value += step)
      list.emplace_back(value, fmt::format("{:.6g}", std::abs(value) < 1e-9 * step ? 0 : value));
    return list;
  }
};

const char* colour_of(const Plot& plot, std::size_t k) {
  const int own = plot.curves[k].colour;
  return colours[(own >= 0 ? static_cast<std::size_t>(own) : k) % colours.size()];
}

/// Past the palette, curves are dashed.
const char* dashes_of(const Plot& plot, std::size_t k) {
  return plot.curves[k].colour < 0 && (k / colours.size()) % 2 == 1 ? " stroke-dasharray='6 4'" : "";
}

void draw_axes(const Plot& plot, const Axis& x, const Axis& y, std::string& out) {
  for (const auto& [value, text] : x.ticks()) {
    const double at = x.place(value);
    out +=
        fmt::format("<line x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}' stroke='#e2e2e2'/>", at, top, height - bottom);
    out += fmt::format("<text x='{:.1f}' y='{}' text-anchor='middle'>{}</text>\n", at, height - bottom + 18, text);
  }
  for (const auto& [value, text] : y.ticks()) {
    const double at = y.place(value);
    out += fmt::format("<line x1='{1}' x2='{2}' y1='{0:.1f}' y2='{0:.1f}' stroke='#e2e2e2'/>", at, left, width - right);
    out += fmt::format("<text x='{}' y='{:.1f}' text-anchor='end'>{}</text>\n", left - 8, at + 4, text);
  }
  out += fmt::format("<rect x='{}' y='{}' width='{}' height='{}' fill='none' stroke='#888'/>\n", left, top,
                     width - left - right, height - top - bottom);
  out += fmt::format("<text x='{}' y='22' font-size='15'>{}</text>\n", left, escaped(plot.title));
  out += fmt::format("<text x='{}' y='{}' text-anchor='middle'>{}</text>\n", (left + width - right) / 2, height - 14,
                     escaped(plot.x_label));
  out += fmt::format("<text transform='translate(18 {}) rotate(-90)' text-anchor='middle'>{}</text>\n",
                     (top + height - bottom) / 2, escaped(plot.y_label));
}

void draw_curve(const Curve& whole, const Axis& x, const Axis& y, const char* colour, const char* dashes,
                std::string& out) {
  const Curve curve = thinned(whole, most_points);
  std::string points;
  const auto flush = [&] {
    if (!points.empty())
      out += fmt::format("<polyline points='{}' fill='none' stroke='{}'{} stroke-width='1.6' opacity='{}'/>\n", points,
                         colour, dashes, curve.faint);
    points.clear();
  };
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    if (!x.shows(curve.x[k]) || !y.shows(curve.y[k])) {
      flush();  // a gap
      continue;
    }
    points += fmt::format("{:.1f},{:.1f} ", x.place(curve.x[k]), y.place(curve.y[k]));
    if (curve.markers)
      out += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='3.2' fill='{}'/>", x.place(curve.x[k]),
                         y.place(curve.y[k]), colour);
  }
  flush();
}

/// How many points of the curves lie in a box.
std::size_t points_in(const Plot& plot, const Axis& x, const Axis& y, double left_edge, double top_edge,
                      double box_width, double box_height) {
  std::size_t count = 0;
  for (const Curve& whole : plot.curves) {
    const Curve curve = thinned(whole, 400);
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      if (!x.shows(curve.x[k]) || !y.shows(curve.y[k])) continue;
      const double px = x.place(curve.x[k]) - left_edge, py = y.place(curve.y[k]) - top_edge;
      count += px >= 0 && px <= box_width && py >= 0 && py <= box_height;
    }
  }
  return count;
}

/// Labels in a box in the emptiest corner, over a veil so that curves behind do not disturb.
void draw_legend(const Plot& plot, const Axis& x, const Axis& y, std::string& out) {
  std::size_t longest = 0, entries = 0;
  for (const Curve& curve : plot.curves) {
    longest = std::max(longest, curve.label.size());
    entries += !curve.label.empty();
  }
  if (entries == 0) return;
  const double box = 38 + 6.7 * static_cast<double>(longest), tall = 8 + 18 * static_cast<double>(entries);
  double best_x = 0, best_y = 0;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const double at_y : {top + 8, height - bottom - tall - 8})
    for (const double at_x : {width - right - box - 6, left + 6}) {
      const std::size_t count = points_in(plot, x, y, at_x, at_y, box, tall);
      if (count >= fewest) continue;
      fewest = count;
      best_x = at_x;
      best_y = at_y;
    }
  out += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='white' opacity='0.85'/>\n",
                     best_x, best_y, box, tall);
  for (std::size_t k = 0; k < plot.curves.size(); ++k) {
    if (plot.curves[k].label.empty()) continue;
    best_y += 18;
    out += fmt::format("<line x1='{0:.1f}' x2='{1:.1f}' y1='{2:.1f}' y2='{2:.1f}' stroke='{3}'{4} stroke-width='2.4'/>",
                       best_x + 6, best_x + 26, best_y - 4, colour_of(plot, k), dashes_of(plot, k));
    out += fmt::format("<text x='{:.1f}' y='{:.1f}'>{}</text>\n", best_x + 32, best_y, escaped(plot.curves[k].label));
  }
}

/// Makes one unit as long on both axes, by widening the one that has room.
void equalise(Axis& x, Axis& y) {
  const double per_x = (x.high - x.low) / std::abs(x.to - x.from), per_y = (y.high - y.low) / std::abs(y.to - y.from);
  Axis& wide = per_x < per_y ? x : y;
  const double extra = std::abs(wide.to - wide.from) * std::max(per_x, per_y) - (wide.high - wide.low);
  wide.low -= extra / 2;
  wide.high += extra / 2;
}

}  // namespace

Curve thinned(const Curve& curve, std::size_t most) {
  if (curve.x.size() <= most) return curve;
  Curve thin{curve.label, {}, {}, curve.markers, curve.faint, curve.colour};
  const std::size_t bucket = 2 * curve.x.size() / most + 1;
  for (std::size_t first = 0; first < curve.x.size(); first += bucket) {
    const std::size_t end = std::min(first + bucket, curve.x.size());
    auto [low, high] = std::minmax_element(curve.y.begin() + static_cast<std::ptrdiff_t>(first),
                                           curve.y.begin() + static_cast<std::ptrdiff_t>(end));
    auto a = static_cast<std::size_t>(low - curve.y.begin()), b = static_cast<std::size_t>(high - curve.y.begin());
    if (a > b) std::swap(a, b);
    for (const std::size_t k : {a, b}) {
      thin.x.push_back(curve.x[k]);
      thin.y.push_back(curve.y[k]);
      if (a == b) break;
    }
  }
  return thin;
}

std::string to_svg(const Plot& plot) {
  Axis x{plot.log_x}, y{plot.log_y};
  for (const Curve& curve : plot.curves) {
    for (const double value : curve.x) x.include(value);
    for (const double value : curve.y) y.include(value);
  }
  x.from = left, x.to = width - right;
  y.from = height - bottom, y.to = top;
  x.finish();
  y.finish();
  if (plot.equal_axes) equalise(x, y);
  std::string out = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' role='img' "
      "font-family='sans-serif' font-size='13'>\n<title>{2}</title>\n<rect width='{0}' height='{1}' fill='white'/>\n",
      width, height, escaped(plot.title));
  draw_axes(plot, x, y, out);
  for (std::size_t k = 0; k < plot.curves.size(); ++k)
    draw_curve(plot.curves[k], x, y, colour_of(plot, k), dashes_of(plot, k), out);
  draw_legend(plot, x, y, out);
  return out + "</svg>\n";
}

}  // namespace taut
