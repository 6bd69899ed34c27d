#include "ensemble/lane_members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulation/names.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

/// Of a violation, relative to what a run of fixed steps keeps: above it the result says nothing of the mechanism.
constexpr double lost = 1e-2;

Options start_only(Options options) {
  options.until = 0;
  options.settle = 0;
  options.every.reset();
  options.fail_above.reset();
  return options;
}

/// h has to divide the time, as far as rounding can tell.
long steps_of(const Options& options) {
  if (!options.step)
    throw InputError("members in lanes take fixed steps together, and no step is given", "give --step H");
  const double steps = std::round(options.until / *options.step);
  if (std::abs(steps * *options.step - options.until) > 1e-9 * options.until)
    throw InputError(fmt::format("{:g} s are no whole number of steps of {:g} s", options.until, *options.step),
                     "give a step that divides the time");
  return static_cast<long>(steps);
}

}  // namespace

LaneMembers::LaneMembers(const SweepDescription& sweep, const Model& model)
    : sweep_(sweep),
      options_(options_of(sweep, model)),
      initial_(initial_values(model, options_.set)),
      chosen_(choose_coordinates(model, options_, initial_)),
      model_(chosen_.joints ? *chosen_.joints : model),
      given_(model),
      lanes_(lane_equations(model_, initial_, sweep.names())),
      kernel_(make_lane_kernel(lanes_)),
      starts_(model, start_only(options_), static_cast<double>(sweep.size())),
      steps_(steps_of(options_)) {
  check_options();
  if (chosen_.joints && !lanes_.parameters.empty())
    throw InputError("parameters cannot vary in lanes of joint coordinates, which were chosen for one set of them",
                     "vary initial values, or give --coordinates bodies");
}

void LaneMembers::check_options() const {
  const auto refuse = [](const std::string& option, const std::string& given, const std::string& known) {
    throw InputError(fmt::format("--{} {}: members in lanes have {}", option, given, known),
                     fmt::format("leave out --{}, or --device", option));
  };
  const std::string method = options_.method.name, integrator = options_.integrator.name;
  if (method != "auto" && method != "braun-goldfarb") refuse("method", method, "auto");
  if (integrator != "auto" && integrator != "rk4") refuse("integrator", integrator, "rk4");
  if (options_.energy.name != "none") refuse("energy", options_.energy.name, "none");
  if (sweep_.time_limit) refuse("time-limit", fmt::format("{:g}", *sweep_.time_limit), "no limit of their own");
}

std::vector<double> LaneMembers::start(std::uint64_t member, MemberResult& result) {
  result.member = member;
  result.values = sweep_.values(member);
  std::vector<Assignment> set = sweep_.run.set;
  const std::vector<std::string> names = sweep_.names();
  for (std::size_t k = 0; k < names.size(); ++k) set.emplace_back(names[k], result.values[k]);
  try {
    const Summary at = starts_.run(set).summary;
    if (!is_trusted(at.verdict)) throw InputError(at.verdict_reason);
    std::vector<double> in;
    if (!lanes_.parameters.empty()) {
      const InitialValues values = initial_values(given_, set);
      for (const std::size_t k : lanes_.parameters) in.push_back(values.parameters[k]);
    }
    const Shape& shape = lanes_.all.shape;
    for (int i = 0; i < shape.n_q(); ++i) in.push_back(at.final_coordinates[static_cast<std::size_t>(i)].value);
    // Coordinates with kinematics may stand between those whose rates are speeds.
    for (int i = 0; i < shape.n_v(); ++i) in.push_back(value_of(at.final_rates, acceleration_name(shape, i)));
    return in;
  } catch (const std::exception& error) {
    result.failed = true;
    result.reason = error.what();
    return {};
  }
}

Summary LaneMembers::summary_of(const std::vector<double>& out) const {
  const std::size_t record = out.size() - 4;
  Summary summary;
  summary.t = summary.t_end = options_.until;
  summary.steps = steps_;
  summary.evaluations = 4 * steps_;
  if (lanes_.all.shape.position_rows > 0) summary.max_position_violation = out[record];
  if (lanes_.all.shape.rows() > 0) summary.max_velocity_violation = out[record + 1];
  if (lanes_.all.energy) summary.max_energy_error = out[record + 2];
  return summary;
}

/// Columns are t, coordinates, what follows of them, rates, …: see Recorder.
void LaneMembers::finish(const std::vector<double>& out, const KeptFigures& keep,
                         const std::vector<std::string>& columns, MemberResult& result) const {
  const Shape& shape = lanes_.all.shape;
  const std::size_t n_q = shape.coordinates.size(), n_v = shape.speeds.size();
  const double *q = out.data(), *v = q + n_q, *rates = v + n_v, *following = rates + n_q;
  const std::size_t also = shape.following.coordinates.size();
  const double* outputs = following + shape.following.size();
  std::vector<double> row{options_.until};
  const auto add = [&row](const double* from, std::size_t count) { row.insert(row.end(), from, from + count); };
  add(q, n_q);
  add(following, also);
  add(rates, n_q);
  add(following + also, also);
  add(v + shape.own_speeds(), n_v - static_cast<std::size_t>(shape.own_speeds()));
  add(following + 2 * also, shape.following.speeds.size());
  add(outputs, shape.outputs.size());
  RowFigures rows;
  rows.start(columns);
  row.resize(columns.size(), NAN);
  rows.row(row);
  const Summary summary = summary_of(out);
  result.figures = keep.of(summary, rows);
  const double worst = std::max(summary.max_position_violation.value_or(0), summary.max_velocity_violation.value_or(0));
  if (!std::all_of(out.begin(), out.end() - 4, [](double x) { return std::isfinite(x); })) {
    result.reason = "a number is not finite any more";
  } else if (options_.fail_above && worst > *options_.fail_above) {
    result.reason = fmt::format("a violation exceeds the limit {:g}", *options_.fail_above);
  } else if (!(worst < lost)) {
    result.reason = fmt::format("constraints are off by {:.2g}: smaller steps may keep them", worst);
  }
  result.failed = !result.reason.empty();
  result.verdict = result.failed ? "failed" : "done";
}

}  // namespace taut
