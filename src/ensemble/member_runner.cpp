#include "ensemble/member_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/interruption.hpp"
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

/// Ends a member whose time is up, and all of them when the user asks for it.
class MemberRunner::Watch : public RowFigures {
 public:
  explicit Watch(const std::optional<double>& limit) {
    if (limit) end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*limit));
  }
  bool progress(double, double, double) override {
    timed_out_ = timed_out_ || (end_ && Clock::now() > *end_);
    return !timed_out_ && !interruption();
  }
  bool timed_out() const { return timed_out_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> end_;
  bool timed_out_ = false;
};

MemberRunner::MemberRunner(const SweepDescription& sweep, const Model& model, const KeptFigures& keep, double members)
    : sweep_(sweep),
      keep_(keep),
      options_(member_options(sweep, model, keep)),
      runs_(model, options_, members),
      reads_anew_(decides_parts(sweep, model)) {}

Run MemberRunner::simulate(const std::vector<Assignment>& set, Observer& watch) {
  if (!reads_anew_) return runs_.run(set, &watch);
  Options options = options_;
  options.set = set;
  const Model model = model_of(sweep_, set);
  return taut::simulate(model, options, &watch);
}

std::optional<MemberResult> MemberRunner::run(std::uint64_t member) {
  MemberResult result;
  result.member = member;
  result.values = sweep_.values(member);
  Watch watch(sweep_.time_limit);
  try {
    const Summary summary = simulate(assignments_of(sweep_, result.values), watch).summary;
    if (summary.outcome == Outcome::interrupted && !watch.timed_out()) return std::nullopt;
    result.verdict = to_string(summary.verdict);
    result.figures = keep_.of(summary, watch);
    result.failed = watch.timed_out() || summary.limit_broken || !is_trusted(summary.verdict);
    if (watch.timed_out()) {
      result.reason = fmt::format("it took longer than {:g} s", *sweep_.time_limit);
    } else if (summary.limit_broken) {
      result.reason = fmt::format("a violation exceeds the limit {:g}", options_.fail_above.value_or(0));
    } else if (result.failed) {
      result.reason = summary.verdict_reason;
    }
  } catch (const std::exception& error) {
    if (interruption()) return std::nullopt;
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
