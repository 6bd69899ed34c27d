#include "simulation/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "simulation/option_error.hpp"

namespace taut {
namespace {

/// Errors of a result are some hundred times the tolerance of a step; the second run has a tenth of the first's.
constexpr double first_share = 1e-2, next_share = 0.1;
/// Below this, rounding errors are larger than those of steps.
constexpr double least_rtol = 1e-14, largest_rtol = 1e-3;
/// Errors follow the tolerance at least with this power.
constexpr double power = 0.8;
constexpr int samples = 200;

/// Lets the caller end a run whose rows he does not see.
class Unrecorded : public Observer {
 public:
  explicit Unrecorded(Observer* caller) : caller_(caller) {}
  bool progress(double t, double until, double violation) override {
    return caller_ == nullptr || caller_->progress(t, until, violation);
  }

 private:
  Observer* caller_;
};

/// Errors of coordinates and rates, which come before outputs, are measured absolutely.
std::size_t count_of_motion(const Run& run) { return run.trajectory.columns.size() - run.summary.final_outputs.size(); }

/// Beside the largest of its kind, a column that never exceeds this is zero, and its digits are rounding errors.
constexpr double rounding = 1e-12;

/// What an error of each column is measured by.
struct Measures {
  std::vector<double> sizes;
  std::vector<std::string> zeros;  ///< columns that are zero but for rounding
};

/// The largest that each column is.
std::vector<double> largest_values(const Run& run) {
  std::vector<double> sizes(run.trajectory.columns.size(), 0);
  for (const auto& row : run.trajectory.rows)
    for (std::size_t k = 0; k < sizes.size(); ++k)
      if (std::isfinite(row[k])) sizes[k] = std::max(sizes[k], std::abs(row[k]));
  return sizes;
}

/// Kinds: time, coordinates, rates, outputs.
int kind_of(const Run& run, std::size_t column) {
  if (column == 0) return 0;
  if (column >= count_of_motion(run)) return 3;
  return run.trajectory.columns[column].ends_with('\'') ? 2 : 1;
}

Measures measures(const Run& run) {
  Measures found{largest_values(run), {}};
  std::vector<double>& sizes = found.sizes;
  std::array<double, 4> largest{};
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    double& of_kind = largest[static_cast<std::size_t>(kind_of(run, k))];
    of_kind = std::max(of_kind, sizes[k]);
  }
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const double of_kind = largest[static_cast<std::size_t>(kind_of(run, k))];
    if (sizes[k] > 0 && sizes[k] <= rounding * of_kind) {
      found.zeros.push_back(run.trajectory.columns[k]);
      sizes[k] = of_kind;
    }
    if (!(sizes[k] > 0)) sizes[k] = 1;
    if (k < count_of_motion(run)) sizes[k] = std::min(sizes[k], 1.0);
  }
  sizes.front() = std::max(sizes.front(), run.summary.t_end);  // time
  return found;
}

/// Two runs side by side.
struct Difference {
  double largest = 0;                   ///< of all rows and columns, in their measures
  double holds_until = 0;               ///< s; up to here it is at most what was asked
  std::vector<double> at_end;           ///< of each column, as it is
  std::vector<std::string> zeros = {};  ///< columns that are zero but for rounding
};

/// The largest difference of two rows in these measures; one that is no number is infinite, unless both are none.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b,
                          const std::vector<double>& measure) {
  double worst = 0;
  for (std::size_t k = 0; k < b.size(); ++k) {
    if (std::isnan(a[k]) && std::isnan(b[k])) continue;
    const double error = std::abs(a[k] - b[k]) / measure[k];
    worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(worst, error);
  }
  return worst;
}

/// At the times that both have, and where each ends, which an event may have made another time.
Difference compare(const Run& coarse, const Run& fine, double asked) {
  Difference result;
  const auto [measure, zeros] = measures(fine);
  result.zeros = zeros;
  const auto &left = coarse.trajectory.rows, &right = fine.trajectory.rows;
  const std::size_t rows = std::min(left.size(), right.size()) - 1;
  for (std::size_t i = 0; i < rows; ++i) {
    result.largest = std::max(result.largest, largest_difference(left[i], right[i], measure));
    if (result.largest <= asked) result.holds_until = right[i].front();
  }
  result.largest = std::max(result.largest, largest_difference(left.back(), right.back(), measure));
  for (std::size_t k = 0; k < measure.size(); ++k) result.at_end.push_back(std::abs(left.back()[k] - right.back()[k]));
  return result;
}

class AccurateRun {
 public:
  AccurateRun(const Options& options, Observer* observer, const RunOnce& run)
      : given_(options), observer_(observer), run_(run), asked_(*options.accuracy) {
    given_.accuracy.reset();
    given_.atol.reset();
    if (given_.integrator.name == "auto") given_.integrator = Choice("dop853");
  }

  Run answer() {
    const double first = std::clamp(first_share * asked_, least_rtol / next_share, largest_rtol);
    Run coarse = sample(first);
    if (!is_usable(coarse)) return finish(first, {}, 0);
    Run fine = sample(next_share * first);
    if (!is_usable(fine)) return finish(next_share * first, {}, 0);
    Difference difference = compare(coarse, fine, asked_);
    double factor = std::pow(next_share, power), rtol = next_share * first;
    if (difference.largest > asked_ && rtol > least_rtol) {
      const double finer = std::max(least_rtol, rtol * share_needed(difference.largest * factor));
      coarse = std::move(fine);
      fine = sample(finer);
      if (!is_usable(fine)) return finish(finer, {}, 0);
      difference = compare(coarse, fine, asked_);
      factor = std::pow(finer / rtol, power);
      rtol = finer;
    }
    return finish(rtol, difference, factor);
  }

 private:
  /// By which the tolerance has to shrink, so that an error of this size becomes a fifth of what was asked.
  double share_needed(double error) const {
    return std::isfinite(error) ? std::clamp(std::pow(asked_ / (5 * error), 1 / power), 1e-9, 0.1) : 1e-3;
  }

  Run sample(double rtol) {
    Options options = given_;
    options.rtol = rtol;
    options.record = true;
    options.diagnose = false;
    options.effort = false;
    options.every = (given_.until - given_.start_time) / samples;
    Unrecorded unrecorded(observer_);
    ++runs_;
    Run run = run_(options, &unrecorded);
    columns_ = run.trajectory.columns;
    return run;
  }

  static bool is_usable(const Run& run) { return is_trusted(run.summary.verdict); }

  /// The run that the caller sees, with what is known of its errors.
  Run finish(double rtol, const Difference& difference, double factor) {
    Options options = given_;
    options.rtol = rtol;
    Run run = run_(options, observer_);
    ++runs_;
    Summary& summary = run.summary;
    if (!is_trusted(summary.verdict)) return run;
    ResultAccuracy accuracy{asked_, difference.largest * factor, false, difference.holds_until, runs_, {}};
    accuracy.reached = accuracy.estimate <= asked_ && !difference.at_end.empty();
    if (accuracy.reached) accuracy.holds_until = summary.t_end;
    for (std::size_t k = 1; k < difference.at_end.size(); ++k)
      accuracy.errors.push_back({columns_[k], factor * difference.at_end[k]});
    if (!difference.zeros.empty())
      summary.notes.push_back(
          fmt::format("zero but for rounding, so that no digits of it count: {}", fmt::join(difference.zeros, ", ")));
    if (!accuracy.reached) {
      summary.verdict = Verdict::failed;
      summary.verdict_reason = fmt::format(
          "an accuracy of {:g} is out of reach: with a tolerance of {:.1g} errors are still about {:.2g}; until t = "
          "{:.6g} it holds",
          asked_, rtol, accuracy.estimate, accuracy.holds_until);
    }
    summary.accuracy = std::move(accuracy);
    return run;
  }

  Options given_;
  Observer* observer_;
  const RunOnce& run_;
  double asked_;
  int runs_ = 0;
  std::vector<std::string> columns_;
};

}  // namespace

Run simulate_accurately(const Options& options, Observer* observer, const RunOnce& run) {
  if (options.step) {
    const OptionError error({"accuracy", "step"}, "an accuracy of the result takes steps that are chosen",
                            "leave out the step or the accuracy");
    throw with_sources(error, options);
  }
  return AccurateRun(options, observer, run).answer();
}

}  // namespace taut
