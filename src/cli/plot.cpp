#include "output/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>

#include "base/nearest.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/picture.hpp"
#include "cli/terminal.hpp"
#include "output/dense_curve.hpp"
#include "output/kept_model.hpp"
#include "output/stroboscope.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

struct Request {
  std::string run, out, title, against = "t";
  std::vector<std::string> what, panels;
  bool log = false, linear = false, list = false;
  std::optional<int> strobe;
  View view;
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
  double scale = 2;
};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// About as many points a curve is drawn with, where the run has fewer rows.
constexpr std::size_t smooth_points = 1200;

/// A column of the rows with values between them: with its own rate, where that is a column, too.
std::vector<double> between_rows(const Hdf5Run& run, const std::string& name, const DenseTimes& times) {
  if (name == "t") return times.t;
  const std::vector<double> t = run.column("t"), values = run.column(name);
  const bool has_rate = contains(run.columns(), name + "'");
  return dense_values(times, t, values, has_rate ? run.column(name + "'") : estimated_slopes(t, values));
}

/// A column of the rows or else of the steps, with the column it is plotted against.
Curve curve_of(const Hdf5Run& run, const std::string& name, const std::string& against) {
  if (contains(run.columns(), name) && contains(run.columns(), against)) {
    const DenseTimes times = dense_times(run.column("t"), smooth_points);
    return {name, between_rows(run, against, times), between_rows(run, name, times)};
  }
  if (contains(run.step_columns(), name) && contains(run.step_columns(), against))
    return {name, run.step_column(against), run.step_column(name)};
  std::vector<std::string> known = run.columns();
  known.insert(known.end(), run.step_columns().begin(), run.step_columns().end());
  const bool there = contains(known, name), there_against = contains(known, against);
  if (there && there_against)
    throw InputError(fmt::format("'{}' and '{}' are not of the same table", name, against),
                     "plot columns of the rows against one another, or figures of the steps");
  const std::string& missing = there ? against : name;
  throw InputError(fmt::format("the run has no column '{}'", missing), did_you_mean(missing, known));
}

/// What lies outside the span of time is left out.
Curve cut(const Hdf5Run& run, Curve curve, const Request& request) {
  if (std::isinf(request.from) && std::isinf(request.to)) return curve;
  const auto times =
      contains(run.columns(), curve.label) ? dense_times(run.column("t"), smooth_points).t : run.step_column("t");
  Curve out{curve.label};
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (times[k] < request.from || times[k] > request.to) continue;
    out.x.push_back(curve.x[k]);
    out.y.push_back(curve.y[k]);
  }
  return out;
}

/// Violations and errors live on a logarithmic axis, as sizes.
bool wants_log(const Request& request, const std::vector<std::string>& what) {
  const auto is_error = [](const std::string& name) {
    return name == "position" || name == "velocity" || name == "energy" || name == "correction" ||
           name.starts_with("position(") || name.starts_with("velocity(");
  };
  if (request.log || request.linear) return request.log;
  return std::all_of(what.begin(), what.end(), is_error);
}

Plot empty_plot(const Hdf5Run& run, const Request& request) {
  return {request.title.empty() ? run.description().model : request.title};
}

/// Are curves and what they are plotted against of one kind, as x and y of a point are? Then a circle is to be round.
/// Time is not, a rate and a coordinate are not, nor is what is many times larger.
bool are_alike(const std::string& against, const std::vector<Curve>& curves) {
  const auto range = [](const std::vector<double>& values) {
    double low = 0, high = 0;
    bool any = false;
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      low = any ? std::min(low, value) : value;
      high = any ? std::max(high, value) : value;
      any = true;
    }
    return high - low;
  };
  constexpr double many_times = 6;
  return against != "t" && std::ranges::all_of(curves, [&](const Curve& curve) {
           const double x = range(curve.x), y = range(curve.y);
           return curve.label.ends_with("'") == against.ends_with("'") && x <= many_times * y && y <= many_times * x;
         });
}

/// Columns over one axis, as one plot.
Plot plot_of(const Hdf5Run& run, const Request& request, const std::vector<std::string>& what) {
  Plot plot = empty_plot(run, request);
  plot.x_label = request.against == "t" ? "t in s" : request.against;
  plot.y_label = what.size() == 1 ? what[0] : "";
  plot.log_y = wants_log(request, what);
  for (const std::string& name : what) {
    plot.curves.push_back(cut(run, curve_of(run, name, request.against), request));
    if (plot.log_y)
      for (double& value : plot.curves.back().y) value = std::abs(value);
  }
  plot.equal_axes = !plot.log_y && are_alike(request.against, plot.curves);
  if (what.size() == 1) plot.curves.back().label.clear();
  return plot;
}

/// The mechanism at equal intervals, one drawing over another.
Plot strobe_of(const Hdf5Run& run, const Request& request) {
  const Model model = kept_model(run.description());
  Plot plot = empty_plot(run, request);
  plot.equal_axes = true;
  plot.curves = stroboscope(model, initial_values(model, run.description().set).parameters, kept_rows(run),
                            {.count = *request.strobe, .from = request.from, .to = request.to, .view = request.view});
  if (plot.curves.empty())
    throw InputError(fmt::format("model '{}' draws nothing", run.description().model), "give it a section draw:");
  return plot;
}

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names(1);
  for (const char c : list) {
    if (c == ',')
      names.emplace_back();
    else
      names.back() += c;
  }
  return names;
}

std::vector<Plot> plots_of(const Hdf5Run& run, const Request& request) {
  if (request.strobe) return {strobe_of(run, request)};
  std::vector<Plot> plots;
  for (const std::string& panel : request.panels) plots.push_back(plot_of(run, request, names_in(panel)));
  if (plots.empty()) plots.push_back(plot_of(run, request, request.what));
  return plots;
}

/// The drift at both levels, where there are constraints; else the first coordinate.
std::vector<std::string> default_curves(const Hdf5Run& run) {
  std::vector<std::string> names;
  for (const char* name : {"position", "velocity"})
    if (contains(run.step_columns(), name)) names.emplace_back(name);
  if (names.empty() && run.columns().size() > 1) names.push_back(run.columns()[1]);
  return names;
}

Status draw(Request request) {
  const Hdf5Run run(request.run);
  if (request.list) {
    for (const auto* names : {&run.columns(), &run.step_columns()})
      for (const std::string& name : *names) print(name + "\n");
    return Status::done;
  }
  if (request.what.empty()) request.what = default_curves(run);
  if (request.out.empty()) request.out = std::filesystem::path(request.run).replace_extension(".svg").string();
  check_picture_name(request.out);
  require_distinct({request.out}, {request.run});
  write_picture(request.out, to_svg(plots_of(run, request)), request.scale);
  print(request.out + "\n");
  return Status::done;
}

}  // namespace

Command add_plot(CommandLine& program) {
  auto request = std::make_shared<Request>();
  Parser parser = program.add_command("plot", "a figure of a finished run, for a paper");
  parser.add_option("RUN", request->run, "a run that was kept with taut run --output FILE.h5")
      .required()
      .type_name("FILE.h5");
  const Argument what =
      parser
          .add_option(
              "--what", request->what,
              "columns to plot, with commas between: coordinates, rates, outputs; of the steps position, velocity, "
              "energy, step, rank, correction, position(NAME), velocity(NAME), lambda(NAME). By default the drift")
          .type_name("NAME,…")
          .delimiter(',')
          .one_at_a_time();
  const Argument panel =
      parser
          .add_option("--panel", request->panels,
                      "columns for a panel of their own; given several times, the panels stand below one "
                      "another over one axis")
          .type_name("NAME,…")
          .one_at_a_time()
          .excludes(what);
  parser
      .add_option("--strobe", request->strobe,
                  "in place of curves, what the model draws at N moments, evenly spread from --from to --to, over one "
                  "another; earlier ones are fainter")
      .type_name("N")
      .within(1, 10000)
      .excludes(what)
      .excludes(panel);
  parser.add_option("--azimuth", request->view.azimuth, "of --strobe: seen from this side, in degrees about z from x")
      .type_name("DEGREES");
  parser
      .add_option("--elevation", request->view.elevation,
                  "of --strobe: seen from this far above the x-y plane; by default 90, straight from above")
      .type_name("DEGREES");
  parser.add_option("--against", request->against, "what to plot against; by default the time").type_name("NAME");
  parser.add_option("--out", request->out, "where the figure goes; by default beside the run, as .svg")
      .type_name("FILE.svg|FILE.png");
  parser.add_option("--title", request->title, "above the figure; by default the model's name").type_name("TEXT");
  parser.add_option("--from", request->from, "leave out what is earlier, in s").type_name("T");
  parser.add_option("--to", request->to, "leave out what is later, in s").type_name("T");
  parser
      .add_option("--scale", request->scale,
                  "dots to a unit of the figure, for PNG; it is 760 by 420 units, higher with panels")
      .type_name("N")
      .within(0.1, 20.0);
  const Argument log =
      parser.add_flag("--log", request->log, "a logarithmic axis; the default for violations and errors");
  parser.add_flag("--linear", request->linear, "a linear axis; the default for everything else").excludes(log);
  parser.add_flag("--list", request->list, "the names of all columns, one to a line");
  parser.footer(
      "Example:\n  taut run pendulum --output pendulum.h5\n  taut plot pendulum.h5 --what x,y --out swing.png\n"
      "  taut plot pendulum.h5 --panel x,y --panel position,velocity --out panels.svg\n"
      "  taut plot pendulum.h5 --strobe 12 --to 1.2 --out strobe.svg");
  return {parser, [request] { return draw(*request); }};
}

}  // namespace taut::cli
