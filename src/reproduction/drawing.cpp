#include "reproduction/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "output/stroboscope.hpp"

namespace taut {
namespace {

/// How the curves of a run look: "dashed", "circles", "dashed circles". Marks alone have no line.
void set_style(const std::string& words, Curve& curve) {
  const auto has = [&](const char* word) { return words.find(word) != std::string::npos; };
  curve.mark = has("dots") ? Mark::dot : has("circles") ? Mark::circle : has("plus") ? Mark::plus : Mark::none;
  const bool only_marks = curve.mark != Mark::none && !has("solid") && !has("dashed");
  curve.line = only_marks ? Line::none : has("dashed") ? Line::dashed : Line::solid;
}

const Made& finished(const std::string& run, const Figure& figure, Bench& bench) {
  const Made& made = bench.made(run, figure.place);
  if (!made.trouble.empty()) throw Missing{made.trouble};
  return made;
}

bool is_of_steps(const std::string& column) {
  return column == "position" || column == "velocity" || column == "energy" || column == "step" ||
         column == "correction";
}

bool is_of_a_constraint(const std::string& column) {
  return column.starts_with("position(") || column.starts_with("velocity(") || column.starts_with("lambda(");
}

/// Where a column of a run is recorded.
const Trajectory& table_of(const std::string& run, const std::string& column, const Figure& figure, Bench& bench) {
  const Made& made = finished(run, figure, bench);
  if (is_of_a_constraint(column)) return bench.steps_of(run, figure.place);
  return is_of_steps(column) ? made.run.diagnostics : made.run.trajectory;
}

/// The rows of a run that a figure shows: those in its window, or of these one every so often, where they are marked.
std::vector<std::size_t> rows_shown(const Trajectory& table, const Figure& figure) {
  std::vector<std::size_t> rows;
  double next = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    const double t = table.rows[k][0];
    if (figure.window && (t < (*figure.window)[0] || t > (*figure.window)[1])) continue;
    if (figure.every && t < next) continue;
    // Half a millionth, so that times that are sums of steps are not missed by rounding.
    if (figure.every) next = (std::isfinite(next) ? next : t - 5e-7) + *figure.every;
    rows.push_back(k);
  }
  return rows;
}

/// What a figure says of its r-th run, in a list that may have fewer entries.
template <class Value>
Value entry(const std::vector<Value>& list, std::size_t r, Value otherwise) {
  return r < list.size() ? list[r] : otherwise;
}

Curve curve_of(const Figure& figure, std::size_t r, const std::string& x, const std::string& y, Bench& bench) {
  const std::string& run = figure.runs[r];
  const Trajectory& table = table_of(run, y, figure, bench);
  const Trajectory* reference =
      figure.reference.empty() ? nullptr : &bench.reference_for(figure.reference, run, figure.place);
  const std::size_t a = column(table, x, figure.place), b = column(table, y, figure.place);
  const std::size_t c = reference ? column(*reference, y, figure.place) : 0;
  const double start = figure.kind == "change" ? table.rows.front()[b] : 0;
  Curve curve{entry(figure.labels, r, run)};
  set_style(entry(figure.styles, r, std::string()), curve);
  for (const std::size_t k : rows_shown(table, figure)) {
    const double value =
        (table.rows[k][b] - start - (reference ? reference->rows[k][c] : 0)) / entry(figure.divide, r, 1.0);
    curve.x.push_back(table.rows[k][a]);
    curve.y.push_back(figure.log_y ? std::abs(value) : value);
  }
  return curve;
}

void draw_columns(const Figure& figure, Bench& bench, Plot& plot) {
  const bool pairs = figure.kind == "xy" || figure.kind == "phase";
  const std::size_t each = pairs ? 2 : 1;
  plot.equal_axes = figure.kind == "xy";
  for (std::size_t r = 0; r < figure.runs.size(); ++r)
    for (std::size_t c = 0; c < figure.columns.size(); c += each) {
      const std::string& y = figure.columns[pairs ? c + 1 : c];
      plot.curves.push_back(curve_of(figure, r, pairs ? figure.columns[c] : "t", y, bench));
      std::string& label = plot.curves.back().label;
      const std::string& what = figure.columns[c];
      if (figure.columns.size() > each) label = figure.runs.size() > 1 ? label + ", " + what : what;
    }
}

void draw_flashes(const Figure& figure, Bench& bench, Plot& plot) {
  plot.equal_axes = true;
  for (std::size_t r = 0; r < figure.runs.size(); ++r) {
    const Made& made = finished(figure.runs[r], figure, bench);
    Flashes flashes{.count = figure.flashes, .every = figure.every, .fade = figure.fade, .view = figure.view};
    if (figure.window) flashes.from = (*figure.window)[0], flashes.to = (*figure.window)[1];
    Curve style;
    set_style(entry(figure.styles, r, std::string()), style);
    flashes.line = style.line;
    auto curves = stroboscope(made.model, made.parameters, made.run.trajectory, flashes);
    if (figure.runs.size() > 1)  // runs are told apart by colour, parts of the mechanism are not
      for (Curve& curve : curves) curve.colour = static_cast<int>(r), curve.paint.clear();
    if (!curves.empty()) curves.front().label = entry(figure.labels, r, figure.runs.size() > 1 ? figure.runs[r] : "");
    plot.curves.insert(plot.curves.end(), curves.begin(), curves.end());
  }
}

/// A value of each run against its step or its evaluations. Runs stand in groups of one size, a group to a value.
void draw_study(const Figure& figure, Bench& bench, Plot& plot) {
  const std::size_t size = figure.runs.size() / figure.values.size();
  for (std::size_t g = 0; g < figure.values.size(); ++g) {
    Curve curve{entry(figure.columns, g, std::string())};
    set_style(entry(figure.styles, g, std::string("solid dots")), curve);
    curve.colour = figure.colours.empty() ? -1 : figure.colours[g];
    for (std::size_t k = g * size; k < (g + 1) * size; ++k) {
      yaml::PlacedText value = figure.values[g];
      value.text.replace(value.text.find("RUN"), 3, figure.runs[k]);
      value.positions.resize(value.text.size(), value.positions.back());
      const Made& made = bench.made(figure.runs[k], figure.place);
      curve.x.push_back(figure.against == "evaluations" ? static_cast<double>(made.run.summary.evaluations)
                                                        : made.options.step.value_or(0));
      curve.y.push_back(bench.value(value));
    }
    plot.curves.push_back(std::move(curve));
  }
}

Plot draw_one(const Figure& figure, Bench& bench) {
  check_figure(figure);
  Plot plot{figure.title, figure.x_label, figure.y_label, figure.log_x, figure.log_y, false, {}};
  if (figure.kind == "strobe") {
    draw_flashes(figure, bench, plot);
  } else if (figure.kind == "study") {
    draw_study(figure, bench, plot);
  } else {
    draw_columns(figure, bench, plot);
  }
  for (const Curve& curve : plot.curves)
    if (curve.x.empty()) throw Missing{fmt::format("'{}' has no point in the window", curve.label)};
  if (figure.limit)
    for (auto& curve : plot.curves)
      for (double& y : curve.y)
        if (y > *figure.limit) y = std::numeric_limits<double>::quiet_NaN();
  if (plot.curves.size() == 1) plot.curves[0].label.clear();
  return plot;
}

}  // namespace

std::vector<Plot> draw(const Figure& figure, Bench& bench) {
  if (figure.panels.empty()) return {draw_one(figure, bench)};
  std::vector<Plot> plots;
  for (const Figure& panel : figure.panels) plots.push_back(draw_one(panel, bench));
  return plots;
}

}  // namespace taut
