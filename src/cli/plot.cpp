#include "output/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>

#include "base/nearest.hpp"
#include "cli/command.hpp"
#include "cli/picture.hpp"
#include "cli/terminal.hpp"
#include "output/hdf5.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

struct Request {
  std::string run, out, title, against = "t";
  std::vector<std::string> what;
  bool log = false, linear = false, list = false;
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
  double scale = 2;
};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// A column of the rows or else of the steps, with the column it is plotted against.
Curve curve_of(const Hdf5Run& run, const std::string& name, const std::string& against) {
  if (contains(run.columns(), name) && contains(run.columns(), against))
    return {name, run.column(against), run.column(name)};
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
  const auto times = contains(run.columns(), curve.label) ? run.column("t") : run.step_column("t");
  Curve out{curve.label};
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (times[k] < request.from || times[k] > request.to) continue;
    out.x.push_back(curve.x[k]);
    out.y.push_back(curve.y[k]);
  }
  return out;
}

/// Violations and errors live on a logarithmic axis, as sizes.
bool wants_log(const Request& request) {
  const auto is_error = [](const std::string& name) {
    return name == "position" || name == "velocity" || name == "energy" || name == "correction" ||
           name.starts_with("position(") || name.starts_with("velocity(");
  };
  if (request.log || request.linear) return request.log;
  return std::all_of(request.what.begin(), request.what.end(), is_error);
}

Plot plot_of(const Hdf5Run& run, const Request& request) {
  Plot plot{request.title.empty() ? run.description().model : request.title,
            request.against == "t" ? "t in s" : request.against, request.what.size() == 1 ? request.what[0] : ""};
  plot.log_y = wants_log(request);
  for (const std::string& name : request.what) {
    plot.curves.push_back(cut(run, curve_of(run, name, request.against), request));
    if (plot.log_y)
      for (double& value : plot.curves.back().y) value = std::abs(value);
  }
  if (request.what.size() == 1) plot.curves.back().label.clear();
  return plot;
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
  write_picture(request.out, to_svg(plot_of(run, request)), request.scale);
  print(request.out + "\n");
  return Status::done;
}

}  // namespace

Command add_plot(CLI::App& program) {
  auto request = std::make_shared<Request>();
  CLI::App* app = program.add_subcommand("plot", "a figure of a finished run, for a paper");
  app->add_option("RUN", request->run, "a run that was kept with taut run --output FILE.h5")
      ->required()
      ->type_name("FILE.h5");
  app->add_option("--what", request->what,
                  "columns to plot, with commas between: coordinates, rates, outputs; of the steps position, velocity, "
                  "energy, step, rank, correction, position(NAME), velocity(NAME), lambda(NAME). By default the drift")
      ->type_name("NAME,…")
      ->delimiter(',')
      ->allow_extra_args(false);
  app->add_option("--against", request->against, "what to plot against; by default the time")->type_name("NAME");
  app->add_option("--out", request->out, "where the figure goes; by default beside the run, as .svg")
      ->type_name("FILE.svg|FILE.png");
  app->add_option("--title", request->title, "above the figure; by default the model's name")->type_name("TEXT");
  app->add_option("--from", request->from, "leave out what is earlier, in s")->type_name("T");
  app->add_option("--to", request->to, "leave out what is later, in s")->type_name("T");
  app->add_option("--scale", request->scale, "dots to a unit of the figure, for PNG; it is 760 by 420 units")
      ->type_name("N")
      ->check(CLI::Range(0.1, 20.0));
  auto* log = app->add_flag("--log", request->log, "a logarithmic axis; the default for violations and errors");
  app->add_flag("--linear", request->linear, "a linear axis; the default for everything else")->excludes(log);
  app->add_flag("--list", request->list, "the names of all columns, one to a line");
  app->footer("Example:\n  taut run pendulum --output pendulum.h5\n  taut plot pendulum.h5 --what x,y --out swing.png");
  return {app, [request] { return draw(*request); }};
}

}  // namespace taut::cli
