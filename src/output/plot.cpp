#include "output/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "base/characters.hpp"
#include "output/axis.hpp"

namespace taut {
namespace {

// Okabe & Ito's palette: distinct for all common kinds of colour vision.
constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31"};
constexpr double width = 760, left = 84, right = 20, top = 40, bottom = 56, between_panels = 14;
/// Of one curve, and of all curves together, so that a figure stays below some 60 kB.
constexpr std::size_t most_points = 1500, most_points_together = 3900, fewest_points = 200;

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

/// Hue in degrees, saturation and lightness as #rrggbb, which every reader of SVG knows.
std::string hue_as_color(double hue, double saturation, double lightness) {
  const double reach = saturation * std::min(lightness, 1 - lightness);
  const auto part = [&](double n) {
    const double k = std::fmod(n + hue / 30, 12);
    return static_cast<int>(std::lround(255 * (lightness - reach * std::max(-1.0, std::min({k - 3, 9 - k, 1.0})))));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", part(0), part(8), part(4));
}

std::string colour_of(const Plot& plot, std::size_t k) {
  if (!plot.curves[k].paint.empty()) return escaped(plot.curves[k].paint);
  const int own = plot.curves[k].colour;
  const std::size_t place = own >= 0 ? static_cast<std::size_t>(own) : k;
  if (place < colours.size()) return colours[place];
  // Past the palette, hues a golden angle apart, which never come again.
  const double hue = std::fmod(137.508 * static_cast<double>(place) + 40, 360);
  return hue_as_color(hue, 0.6, 0.38 + 0.06 * static_cast<double>(place % 3));
}

/// Past the palette, curves are dashed.
bool is_dashed(const Plot& plot, std::size_t k) {
  const Curve& curve = plot.curves[k];
  return curve.line == Line::dashed || (curve.colour < 0 && (k / colours.size()) % 2 == 1);
}

std::string mark_at(Mark mark, double x, double y, const std::string& colour) {
  switch (mark) {
    case Mark::dot:
      return fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='2.6' fill='{}'/>", x, y, colour);
    case Mark::circle:
      return fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='4.4' fill='none' stroke='{}'/>", x, y, colour);
    case Mark::plus:
      return fmt::format("<path d='M{0:.1f} {1:.1f}h9m-4.5 -4.5v9' stroke='{2}'/>", x - 4.5, y, colour);
    case Mark::none:
      break;
  }
  return "";
}

/// One plot with its place on the sheet.
class Panel {
 public:
  Panel(const Plot& plot, const Axis& x, double upper, double lower)
      : plot_(plot), x_(x), y_{plot.log_y}, upper_(upper), lower_(lower) {
    for (const Curve& curve : plot.curves)
      for (const double value : curve.y) y_.include(value);
    y_.from = lower, y_.to = upper;
    y_.finish();
    if (plot.equal_axes) equalise(x_, y_);
  }

  void draw_axes(bool is_last, std::string& out) const {
    for (const auto& [value, text] : x_.ticks(6)) {
      const double at = x_.place(value);
      out += fmt::format("<line x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}' stroke='#e2e2e2'/>", at, upper_, lower_);
      if (is_last)
        out += fmt::format("<text x='{:.1f}' y='{}' text-anchor='middle'>{}</text>\n", at, lower_ + 18, text);
    }
    for (const auto& [value, text] : y_.ticks(lower_ - upper_ > 250 ? 6 : 4)) {
      const double at = y_.place(value);
      out +=
          fmt::format("<line x1='{1}' x2='{2}' y1='{0:.1f}' y2='{0:.1f}' stroke='#e2e2e2'/>", at, left, width - right);
      out += fmt::format("<text x='{}' y='{:.1f}' text-anchor='end'>{}</text>\n", left - 8, at + 4, text);
    }
    out += fmt::format("<rect x='{}' y='{}' width='{}' height='{}' fill='none' stroke='#888'/>\n", left, upper_,
                       width - left - right, lower_ - upper_);
    out += fmt::format("<text transform='translate(18 {}) rotate(-90)' text-anchor='middle'>{}</text>\n",
                       (upper_ + lower_) / 2, escaped(plot_.y_label));
  }

  void draw_curves(std::size_t most, std::string& out) const {
    std::set<std::string> drawn;
    for (std::size_t k = 0; k < plot_.curves.size(); ++k)
      for (const std::string& piece : pieces(k, most))
        if (drawn.insert(piece).second) out += piece + "\n";
  }

  bool has_legend() const {
    return std::ranges::any_of(plot_.curves, [](const Curve& curve) { return !curve.label.empty(); });
  }

  /// In a box in the emptiest corner, over a veil so that curves behind do not disturb.
  void draw_legend(std::string& out) const {
    const double box = legend_width(), tall = 8 + 18 * static_cast<double>(labelled().size());
    const auto [at_x, at_y] = emptiest_corner(box, tall).second;
    out += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='white' opacity='0.85'/>\n",
                       at_x, at_y, box, tall);
    double line = at_y;
    for (const std::size_t k : labelled()) draw_entry(k, at_x, line += 18, out);
  }

  /// Is a corner free for it?
  bool has_room_for_legend() const {
    return emptiest_corner(legend_width(), 8 + 18 * static_cast<double>(labelled().size())).first == 0;
  }

  /// In columns below what is at `y`; returns how high they are.
  double draw_legend_below(double y, std::string& out) const {
    const auto entries = labelled();
    const auto columns = std::max<std::size_t>(1, static_cast<std::size_t>((width - left - right) / legend_width()));
    for (std::size_t k = 0; k < entries.size(); ++k)
      draw_entry(entries[k], left + legend_width() * static_cast<double>(k % columns),
                 y + 18 * static_cast<double>(k / columns + 1), out);
    return 18 * static_cast<double>((entries.size() + columns - 1) / columns) + 8;
  }

 private:
  std::vector<std::size_t> labelled() const {
    std::vector<std::size_t> entries;
    for (std::size_t k = 0; k < plot_.curves.size(); ++k)
      if (!plot_.curves[k].label.empty()) entries.push_back(k);
    return entries;
  }

  double legend_width() const {
    std::size_t longest = 0;
    for (const Curve& curve : plot_.curves) longest = std::max(longest, characters(curve.label));
    return 38 + 7 * static_cast<double>(longest);
  }

  void draw_entry(std::size_t k, double x, double y, std::string& out) const {
    const Curve& curve = plot_.curves[k];
    if (curve.line != Line::none)
      out +=
          fmt::format("<line x1='{0:.1f}' x2='{1:.1f}' y1='{2:.1f}' y2='{2:.1f}' stroke='{3}'{4} stroke-width='2.4'/>",
                      x + 6, x + 26, y - 4, colour_of(plot_, k), is_dashed(plot_, k) ? " stroke-dasharray='6 4'" : "");
    out += mark_at(curve.mark, x + 16, y - 4, colour_of(plot_, k));
    out += fmt::format("<text x='{:.1f}' y='{:.1f}'>{}</text>\n", x + 32, y, escaped(curve.label));
  }

  bool shows(const Curve& curve, std::size_t k) const { return x_.shows(curve.x[k]) && y_.shows(curve.y[k]); }

  /// What a motion that repeats itself draws again and again, drawn once. A gap is where it was drawn before.
  Curve without_repeats(const Curve& curve) const {
    Curve once = curve;
    once.x.clear();
    once.y.clear();
    std::set<std::array<long, 4>> drawn;
    bool gap = true;
    for (std::size_t k = 1; k < curve.x.size(); ++k) {
      if (!shows(curve, k - 1) || !shows(curve, k)) continue;
      const auto rounded = [&](std::size_t i) {
        return std::pair{std::lround(2 * x_.place(curve.x[i])), std::lround(2 * y_.place(curve.y[i]))};
      };
      const auto [x0, y0] = rounded(k - 1);
      const auto [x1, y1] = rounded(k);
      const bool is_new = drawn.insert({x0, y0, x1, y1}).second;
      if (is_new && gap)
        add(std::numeric_limits<double>::quiet_NaN(), 0, once), add(curve.x[k - 1], curve.y[k - 1], once);
      if (is_new) add(curve.x[k], curve.y[k], once);
      gap = !is_new;
    }
    return once;
  }

  static void add(double x, double y, Curve& curve) {
    curve.x.push_back(x);
    curve.y.push_back(y);
  }

  Curve drawable(const Curve& curve, std::size_t most) const {
    if (curve.x.size() <= most || std::ranges::is_sorted(curve.x)) return thinned(curve, most);
    const Curve once = without_repeats(curve);
    return once.x.size() < curve.x.size() / 4 ? once : thinned(curve, most);
  }

  /// Lines and marks of a curve; a gap where a point has no place.
  std::vector<std::string> pieces(std::size_t index, std::size_t most) const {
    const Curve curve = drawable(plot_.curves[index], most);
    const std::string colour = colour_of(plot_, index);
    std::vector<std::string> pieces;
    std::string points;
    const auto flush = [&] {
      const bool is_line = points.find(' ') + 1 < points.size();  // one point alone is none
      if (is_line && curve.line != Line::none)
        pieces.push_back(
            fmt::format("<polyline points='{}' fill='none' stroke='{}'{} stroke-width='1.6' opacity='{}'/>", points,
                        colour, is_dashed(plot_, index) ? " stroke-dasharray='6 4'" : "", curve.faint));
      points.clear();
    };
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      if (!shows(curve, k)) {
        flush();
        continue;
      }
      const double x = x_.place(curve.x[k]), y = y_.place(curve.y[k]);
      points += fmt::format("{:.2f},{:.2f} ", x, y);
      if (curve.mark != Mark::none) pieces.push_back(mark_at(curve.mark, x, y, colour));
    }
    flush();
    return pieces;
  }

  using Corner = std::pair<double, double>;

  /// How many points lie in it or next to it, and where it is.
  std::pair<std::size_t, Corner> emptiest_corner(double box, double tall) const {
    constexpr double margin = 10;
    std::pair<std::size_t, Corner> best{std::numeric_limits<std::size_t>::max(), {}};
    for (const double at_y : {upper_ + 8, lower_ - tall - 8})
      for (const double at_x : {width - right - box - 6, left + 6}) {
        const std::size_t count = points_in(at_x - margin, at_y - margin, box + 2 * margin, tall + 2 * margin);
        if (count < best.first) best = {count, {at_x, at_y}};
      }
    return best;
  }

  /// How many points of the curves lie in a box.
  std::size_t points_in(double left_edge, double top_edge, double box_width, double box_height) const {
    std::size_t count = 0;
    for (const Curve& whole : plot_.curves) {
      const Curve curve = thinned(whole, 400);
      for (std::size_t k = 0; k < curve.x.size(); ++k) {
        if (!shows(curve, k)) continue;
        const double px = x_.place(curve.x[k]) - left_edge, py = y_.place(curve.y[k]) - top_edge;
        count += px >= 0 && px <= box_width && py >= 0 && py <= box_height;
      }
    }
    return count;
  }

  const Plot& plot_;
  Axis x_, y_;
  double upper_, lower_;
};

Axis shared_x(const std::vector<Plot>& panels) {
  Axis x{panels.front().log_x};
  for (const Plot& plot : panels)
    for (const Curve& curve : plot.curves)
      for (const double value : curve.x) x.include(value);
  x.from = left, x.to = width - right;
  x.finish();
  return x;
}

/// How high each of several panels is.
double height_of(std::size_t panels) { return panels == 1 ? 324 : panels == 2 ? 220 : 170; }

std::size_t points_for_each(const std::vector<Plot>& panels) {
  std::size_t curves = 0;
  for (const Plot& plot : panels) curves += plot.curves.size();
  return std::clamp(most_points_together / std::max<std::size_t>(curves, 1), fewest_points, most_points);
}

std::vector<std::string> labels_of(const Plot& plot) {
  std::vector<std::string> labels;
  for (const Curve& curve : plot.curves) labels.push_back(curve.label);
  return labels;
}

}  // namespace

Curve thinned(const Curve& curve, std::size_t most) {
  if (curve.x.size() <= most) return curve;
  Curve thin = curve;
  thin.x.clear();
  thin.y.clear();
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

std::string to_svg(const std::vector<Plot>& plots) {
  const Plot& first = plots.front();
  const Axis x = shared_x(plots);
  const std::size_t most = points_for_each(plots);
  std::string out;
  double lower = top - between_panels, below = 0;
  for (std::size_t k = 0; k < plots.size(); ++k) {
    const double upper = lower + between_panels;
    lower = upper + height_of(plots.size());
    const Panel panel(plots[k], x, upper, lower);
    panel.draw_axes(k + 1 == plots.size(), out);
    panel.draw_curves(most, out);
    if (!panel.has_legend() || (k > 0 && labels_of(plots[k]) == labels_of(first))) continue;
    if (k > 0 || panel.has_room_for_legend()) {
      panel.draw_legend(out);
    } else {
      const double foot = top + static_cast<double>(plots.size()) * (height_of(plots.size()) + between_panels);
      below = panel.draw_legend_below(foot - between_panels + bottom - 8, out);
    }
  }
  const double height = lower + bottom + below;
  return fmt::format(
             "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' role='img' "
             "font-family='sans-serif' font-size='13'>\n<title>{2}</title>\n"
             "<rect width='{0}' height='{1}' fill='white'/>\n<text x='{3}' y='22' font-size='15'>{2}</text>\n"
             "<text x='{4}' y='{5}' text-anchor='middle'>{6}</text>\n",
             width, height, escaped(first.title), left, (left + width - right) / 2, lower + bottom - 14,
             escaped(first.x_label)) +
         out + "</svg>\n";
}

std::string to_svg(const Plot& plot) { return to_svg(std::vector<Plot>{plot}); }

}  // namespace taut
