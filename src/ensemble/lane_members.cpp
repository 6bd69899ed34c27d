#include "ensemble/lane_members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exporting/c_code.hpp"
#include "exporting/fixed_parameters.hpp"
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

/// Throws InputError for options that members in lanes do not have.
Options checked(Options options) {
  steps_of(options);
  const auto refuse = [](const std::string& option, const std::string& given, const std::string& known) {
    throw InputError(fmt::format("--{} {}: members in lanes have {}", option, given, known),
                     fmt::format("leave out --{}, or run members one by one", option));
  };
  const std::string method = options.method.name, integrator = options.integrator.name;
  if (method != "auto" && method != "braun-goldfarb") refuse("method", method, "auto and braun-goldfarb");
  if (integrator != "auto" && integrator != "rk4" && integrator != "euler")
    refuse("integrator", integrator, "rk4 and euler");
  if (options.energy.name != "none") refuse("energy", options.energy.name, "none");
  if (options.accuracy) refuse("accuracy", fmt::format("{:g}", *options.accuracy), "steps of one length");
  if (options.settle > 0) refuse("settle", fmt::format("{:g}", options.settle), "violations counted from the start");
  return options;
}

void refuse(const std::string& why) {
  throw InputError("members of this model cannot go in lanes: " + why, "run them one by one");
}

void require_lanes(const SweepDescription& sweep, const Model& model, const ExportedModel& exported) {
  if (!exported.equations.branches.empty()) refuse("its equations have kinks (sign, abs, min, max or friction)");
  if (!exported.shape.states.empty()) refuse("it has first-order states");
  for (const Watch& watch : model.events)
    if (watch.stop) refuse(fmt::format("event '{}' ends the run", watch.name));
  for (const std::string& name : sweep.names())
    for (const Parameter& parameter : model.parameters)
      if (parameter.structural && parameter.name == name)
        refuse(fmt::format("'{}', which varies, decides which parts it has", name));
}

/// Those of the first member.
Options first_options(const SweepDescription& sweep, Options options) {
  const std::vector<double> values = sweep.values(0);
  const std::vector<std::string> names = sweep.names();
  for (std::size_t k = 0; k < names.size(); ++k) options.set.emplace_back(names[k], values[k]);
  return options;
}

}  // namespace

LaneMembers::LaneMembers(const SweepDescription& sweep, const Model& model)
    : sweep_(sweep),
      options_(options_in_lanes(options_of(sweep, model))),
      model_(model),
      exported_(model, checked(first_options(sweep, options_)), {true, sweep.names()}),
      kernel_(exported_),
      varying_(varying_parameters(model, sweep.names())),
      steps_(steps_of(options_)) {
  require_lanes(sweep, model, exported_);
  if (sweep_.time_limit) throw InputError("members in lanes have no time limit of their own", "leave out --time-limit");
  if (exported_.in_joints && !varying_.empty())
    throw InputError("parameters cannot vary in lanes of joint coordinates, which were chosen for one set of them",
                     "vary initial values, or give --coordinates bodies");
}

RepeatedRuns LaneMembers::starts() const { return {model_, start_only(options_), static_cast<double>(sweep_.size())}; }

std::vector<double> LaneMembers::start(RepeatedRuns& starts, std::uint64_t member, MemberResult& result) const {
  result.member = member;
  result.values = sweep_.values(member);
  std::vector<Assignment> set = sweep_.run.set;
  const std::vector<std::string> names = sweep_.names();
  for (std::size_t k = 0; k < names.size(); ++k) set.emplace_back(names[k], result.values[k]);
  try {
    const Summary at = starts.run(set).summary;
    if (!is_trusted(at.verdict)) throw InputError(at.verdict_reason);
    std::vector<double> in;
    if (!varying_.empty()) {
      const InitialValues values = initial_values(model_, set);
      for (const std::size_t k : varying_) in.push_back(values.parameters[k]);
    }
    const Shape& shape = exported_.shape;
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
  const std::size_t record = out.size() - LaneKernel::record;
  Summary summary;
  summary.t = summary.t_end = out.back();
  summary.steps = steps_;
  summary.evaluations = (exported_.options.integrator.name == "euler" ? 1 : 4) * steps_;
  if (exported_.shape.position_rows > 0) summary.max_position_violation = out[record];
  if (exported_.shape.rows() > 0) summary.max_velocity_violation = out[record + 1];
  if (exported_.equations.energy) summary.max_energy_error = out[record + 2];
  return summary;
}

/// Columns are t, coordinates, what follows of them, rates, …: see Recorder.
void LaneMembers::finish(const std::vector<double>& out, const KeptFigures& keep,
                         const std::vector<std::string>& columns, MemberResult& result) const {
  const Shape& shape = exported_.shape;
  const std::size_t n_q = shape.coordinates.size(), n_v = shape.speeds.size();
  const double *q = out.data(), *v = q + n_q, *rates = v + n_v, *following = rates + n_q;
  const std::size_t also = shape.following.coordinates.size();
  const double* outputs = following + shape.following.size();
  std::vector<double> row{out.back()};
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
  const int outcome = static_cast<int>(out[out.size() - 2]);
  if (outcome != 0) {
    result.reason = exported_sentence(outcome);
  } else if (!std::all_of(out.begin(), out.end() - LaneKernel::record, [](double x) { return std::isfinite(x); })) {
    result.reason = "a number is not finite any more";
  } else if (options_.fail_above && worst > *options_.fail_above) {
    result.reason = fmt::format("a violation exceeds the limit {:g}", *options_.fail_above);
  } else if (!(worst < lost)) {
    result.reason = fmt::format("constraints are off by more than {:g}: smaller steps may keep them", lost);
  }
  result.failed = !result.reason.empty();
}

}  // namespace taut
