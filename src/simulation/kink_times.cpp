#include "simulation/kink_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integration/root.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr long most_evaluations = 40L * most_stops;

/// −1, 1, or 0 where rounding does not tell.
int sign_of(const Interval& value) { return value.lo > 0 ? 1 : value.hi < 0 ? -1 : 0; }

class KinkSearch {
 public:
  KinkSearch(EnclosedFormula& function, double from, double until) : function_(function), from_(from), until_(until) {}

  bool search() {
    left_ = {{from_, until_}};
    while (!left_.empty()) {
      if (stops_.size() > std::size_t{most_stops} || evaluations_ > most_evaluations) return false;
      const Interval stretch = left_.back();
      left_.pop_back();
      search(stretch);
    }
    return true;
  }

  std::vector<Stop>& stops() { return stops_; }

 private:
  int sign_at(double t) {
    ++evaluations_;
    return sign_of(function_.over(t, 0)[0]);
  }

  double value_at(double t) {
    ++evaluations_;
    const Interval value = function_.over(t, 0)[0];
    return 0.5 * (value.lo + value.hi);
  }

  void search(const Interval& stretch) {
    ++evaluations_;
    const IntervalSeries& series = function_.over(stretch, 1);
    // What is nought throughout has no sign to change.
    if (sign_of(series[0]) != 0 || series[0].is_zero()) return;
    const bool monotone = series.degree >= 1 && sign_of(series[1]) != 0;
    const double middle = 0.5 * (stretch.lo + stretch.hi);
    const int from = sign_at(stretch.lo), to = sign_at(stretch.hi);
    if (monotone) {
      if (from * to <= 0) add_around(root(stretch, from, to));
    } else if (is_short(stretch) || (from == 0 && to == 0 && sign_at(middle) == 0)) {
      add(stretch.lo, stretch.hi);
    } else {
      left_.push_back({middle, stretch.hi});
      left_.push_back({stretch.lo, middle});
    }
  }

  bool is_short(const Interval& stretch) const { return stretch.width() <= 4 * epsilon * until_; }

  /// A point that cannot be told from the zero of a function that grows or falls throughout.
  double root(const Interval& stretch, int from, int to) {
    if (from == 0) return stretch.lo;
    if (to == 0) return stretch.hi;
    const double before = value_at(stretch.lo), after = value_at(stretch.hi);
    return find_root([this](double t) { return value_at(t); }, stretch.lo, stretch.hi, before, after);
  }

  /// From a zero outwards to where the function has a sign again.
  void add_around(double zero) { add(outwards(zero, -1), outwards(zero, 1)); }

  double outwards(double zero, int way) {
    for (double distance = step_at(zero); distance < until_; distance *= 2) {
      const double t = std::clamp(zero + way * distance, from_, until_);
      if (t == from_ || t == until_ || sign_at(t) != 0) return t;
    }
    return zero;
  }

  /// Adds a zone in which the function has no sign that can be told, and a few units in the last place around it: steps
  /// that end there do so but for rounding.
  void add(double from, double to) {
    stops_.push_back({std::max(from - step_at(from), from_), std::min(to + step_at(to), until_)});
  }

  double step_at(double t) const { return std::max(2 * epsilon * t, 1e-18 * until_); }

  EnclosedFormula& function_;
  double from_, until_;
  long evaluations_ = 0;
  std::vector<Interval> left_;
  std::vector<Stop> stops_;
};

/// Zones wider than rounding of time are not skipped, but entered and left by a step each.
void split_wide(const std::vector<Stop>& zones, double until, std::vector<Stop>& stops) {
  for (const Stop& zone : zones) {
    if (zone.resume - zone.at <= 1e-13 * until) {
      stops.push_back(zone);
    } else {
      stops.push_back({zone.at, zone.at});
      stops.push_back({zone.resume, zone.resume});
    }
  }
}

}  // namespace

std::vector<Stop> kink_times(EnclosedFormula& function, double from, double until, bool& all_found) {
  KinkSearch search(function, from, until);
  all_found = search.search();
  std::vector<Stop> stops;
  if (all_found) split_wide(joined(std::move(search.stops())), until, stops);
  return stops;
}

std::vector<Stop> joined(std::vector<Stop> stops) {
  std::ranges::sort(stops, {}, &Stop::at);
  std::vector<Stop> kept;
  for (const Stop& stop : stops) {
    if (!kept.empty() && stop.at <= kept.back().resume * (1 + 8 * epsilon)) {
      kept.back().resume = std::max(kept.back().resume, stop.resume);
    } else {
      kept.push_back(stop);
    }
  }
  return kept;
}

}  // namespace taut
