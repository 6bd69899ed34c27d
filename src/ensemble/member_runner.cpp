#include "ensemble/member_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "output/json.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

std::vector<Assignment> assignments_of(const SweepDescription& sweep, const std::vector<double>& values) {
  std::vector<Assignment> set = sweep.run.set;
  const std::vector<std::string> names = sweep.names();
  for (std::size_t k = 0; k < names.size(); ++k) set.emplace_back(names[k], values[k]);
  return set;
}

/// Rows between start and end cost time, and are made only for those who look at them.
Options member_options(const SweepDescription& sweep, const Model& model, const KeptFigures& keep) {
  Options options = options_of(sweep, model);
  if (!keep.needs_rows() && options.until > 0) options.every = options.until;
  return options;
}

bool decides_parts(const SweepDescription& sweep, const Model& model) {
  const std::vector<std::string> names = sweep.names();
  return std::ranges::any_of(model.parameters, [&](const Parameter& parameter) {
    return parameter.structural && std::ranges::find(names, parameter.name) != names.end();
  });
}

}  // namespace

/// Ends a member whose time is up, and all of them when the user asks for it. Keeps its rows, if they are wanted.
class MemberRunner::Watch : public RowFigures {
 public:
  Watch(const std::optional<double>& limit, bool keeps_rows, const std::atomic<bool>& end_asked)
      : keeps_rows_(keeps_rows), end_asked_(end_asked) {
    if (limit) end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*limit));
  }
  void start(const std::vector<std::string>& columns) override {
    RowFigures::start(columns);
    trajectory_ = {columns, {}};
  }
  void row(const std::vector<double>& values) override {
    RowFigures::row(values);
    if (keeps_rows_) trajectory_.rows.push_back(values);
  }
  bool progress(double, double, double) override {
    timed_out_ = timed_out_ || (end_ && Clock::now() > *end_);
    return !timed_out_ && !end_asked_;
  }
  bool timed_out() const { return timed_out_; }
  const TrajectoryRows& trajectory() const { return trajectory_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> end_;
  TrajectoryRows trajectory_;
  bool keeps_rows_;
  const std::atomic<bool>& end_asked_;
  bool timed_out_ = false;
};

MemberRunner::MemberRunner(const Sweep& sweep, double members)
    : shared_(sweep),
      sweep_(sweep.description),
      options_(member_options(sweep.description, sweep.model, sweep.keep)),
      runs_(sweep.model, options_, members),
      reads_anew_(decides_parts(sweep.description, sweep.model)) {}

Run MemberRunner::simulate(const std::vector<Assignment>& set, Observer& watch) {
  if (!reads_anew_) return runs_.run(set, &watch);
  Options options = options_;
  options.set = set;
  const Model model = model_of(sweep_, set);
  return taut::simulate(model, options, &watch);
}

/// A file of its own, as the run by itself would have written it.
void MemberRunner::write_trajectory(const std::vector<Assignment>& set, const Watch& watch, const Summary& summary,
                                    MemberResult& result) const {
  Options options = options_;
  options.set = set;
  RunDescription description = describe(shared_.model, options, "");
  description.reproducible = true;
  try {
    shared_.trajectories.write(result.member, description, shared_.model, watch.trajectory(), to_json(summary));
  } catch (const std::exception& error) {
    result.not_kept = error.what();
  }
}

std::optional<MemberResult> MemberRunner::run(std::uint64_t member) {
  MemberResult result;
  result.member = member;
  result.values = sweep_.values(member);
  const std::vector<Assignment> set = assignments_of(sweep_, result.values);
  Watch watch(sweep_.time_limit, shared_.trajectories.are_kept(), shared_.end_asked);
  try {
    const Summary summary = simulate(set, watch).summary;
    if (summary.outcome == Outcome::interrupted && !watch.timed_out()) return std::nullopt;
    result.verdict = to_string(summary.verdict);
    result.figures = shared_.keep.of(summary, watch);
    result.failed = watch.timed_out() || summary.limit_broken || !is_trusted(summary.verdict);
    if (watch.timed_out()) {
      result.reason = fmt::format("it took longer than {:g} s", *sweep_.time_limit);
    } else if (summary.limit_broken) {
      result.reason = fmt::format("a violation exceeds the limit {:g}", options_.fail_above.value_or(0));
    } else if (result.failed) {
      result.reason = summary.verdict_reason;
    }
    if (shared_.trajectories.are_kept()) write_trajectory(set, watch, summary, result);
  } catch (const std::exception& error) {
    if (shared_.end_asked) return std::nullopt;
    result.failed = true;
    result.reason = error.what();
  }
  return result;
}

std::vector<std::string> columns_of(const SweepDescription& sweep, const Model& model) {
  Options options = options_of(sweep, model);
  options.until = 0;
  options.settle = 0;
  RowFigures rows;
  try {
    options.set = assignments_of(sweep, sweep.values(0));
    simulate(decides_parts(sweep, model) ? model_of(sweep, options.set) : model, options, &rows);
  } catch (const InputError&) {
    if (!rows.columns().empty()) return rows.columns();
    options.set = sweep.run.set;
    simulate(model, options, &rows);
  }
  return rows.columns();
}

}  // namespace taut
