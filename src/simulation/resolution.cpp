#include "simulation/resolution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace taut {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// What is smaller than this share of all that a formula does may be missed …
constexpr double least_share = 1e-6;
/// … and steps are this many times as long as the polynomial of degree 7 is that good: sin(ω t) is then followed by
/// steps of ω h = 2.9, nearly half a period, and a pulse exp(−(t/w)²) by h = w: neither can hide between the stages of
/// a step, and the error test asks for shorter steps in any case.
constexpr double stretch = 4;
/// Halving ends here: a share of the run.
constexpr double shortest_share = 0x1p-40;
/// Halving goes on while it makes bounds this many times longer.
constexpr double worth_halving = 1.5;
/// Evaluations for one formula. A periodic one would take this many where halving pays only below its period.
constexpr int most_evaluations = 300'000;
/// Bounds next to each other that differ by less than this factor become one.
constexpr double about_equal = 1.3;

/// A stretch of time.
struct Stretch {
  double from, to;
  Interval value;
  double longest;
  double length() const { return to - from; }
};

class Resolution {
 public:
  Resolution(EnclosedFormula& formula, double from, double until) : formula_(formula), from_(from), until_(until) {}

  std::vector<StepBound> bounds() {
    scale_ = formula_.over({from_, until_}, 0)[0].width();
    for (int round = 0; round < most_rounds; ++round) {
      const double before = scale_;
      halve();
      if (scale_ >= 0.01 * before) break;  // enclosures of long stretches had said too much
    }
    if (scale_ == 0) return {};
    return joined();
  }

 private:
  static constexpr int most_rounds = 4;

  Stretch enclose(double from, double to) {
    ++evaluations_;
    const IntervalSeries& series = formula_.over({from, to});
    return {from, to, series[0], longest(series, to - from)};
  }

  /// The length on which the formula is a polynomial, but for a small share of its scale: the longest that the
  /// remainder after 1, 2, 4 or 8 terms gives; or all of the stretch, where it hardly changes.
  double longest(const IntervalSeries& series, double length) const {
    const double allowed = least_share * scale_;
    double best = series[0].width() <= allowed ? length : 0;
    for (const int k : {1, 2, 4, 8}) {
      const double size = series[k].magnitude();
      if (size == 0) return infinity;
      const double by_remainder = stretch * std::pow(allowed / size, 1.0 / k);
      if (by_remainder > best) best = by_remainder;  // not where both are infinite
    }
    return best;
  }

  void halve() {
    settled_.clear();
    evaluations_ = 0;
    active_ = {enclose(from_, until_)};
    while (!active_.empty()) {
      next_.clear();
      for (const Stretch& stretch : active_) halve(stretch);
      active_.swap(next_);
      measure();
    }
  }

  void halve(const Stretch& whole) {
    if (whole.longest >= whole.length() || evaluations_ > most_evaluations) {
      settled_.push_back(whole);
      return;
    }
    if (whole.length() <= shortest_share * (until_ - from_)) {
      settled_.push_back(whole);
      settled_.back().longest = std::max(whole.longest, whole.length());
      return;
    }
    const double middle = 0.5 * (whole.from + whole.to);
    const Stretch left = enclose(whole.from, middle), right = enclose(middle, whole.to);
    if (std::max(left.longest, right.longest) >= worth_halving * whole.longest || pays_below(whole)) {
      next_.push_back(left);
      next_.push_back(right);
    } else {
      settled_.push_back(whole);
    }
  }

  /// Are shorter stretches much better, although halves are not? So it is with what comes again and again.
  bool pays_below(const Stretch& whole) {
    const double length = std::min(whole.length() / 8, 4 * whole.longest);
    for (const double share : {0.21, 0.53, 0.87}) {
      const double from = whole.from + share * (whole.length() - length);
      if (enclose(from, from + length).longest >= worth_halving * whole.longest) return true;
    }
    return false;
  }

  /// The formula's range over the run, as far as it is known by now.
  void measure() {
    Interval range{infinity, -infinity};
    for (const auto* stretches : {&settled_, &active_})
      for (const Stretch& stretch : *stretches)
        if (stretch.value.is_finite()) range = hull(range, stretch.value);
    if (range.lo <= range.hi) scale_ = std::min(scale_, range.width());
  }

  std::vector<StepBound> joined() {
    std::ranges::sort(settled_, {}, &Stretch::from);
    std::vector<StepBound> bounds;
    for (const Stretch& stretch : settled_)
      bounds.push_back({stretch.from, stretch.longest < until_ - from_ ? stretch.longest : infinity});
    return bounds;
  }

  EnclosedFormula& formula_;
  double from_, until_;
  double scale_ = 0;
  int evaluations_ = 0;
  std::vector<Stretch> active_, next_, settled_;
};

/// Neighbours that are about equal become one.
void append(std::vector<StepBound>& bounds, const StepBound& next) {
  if (bounds.empty()) {
    bounds.push_back(next);
    return;
  }
  double& last = bounds.back().longest;
  const double shorter = std::min(last, next.longest), longer = std::max(last, next.longest);
  if (longer <= about_equal * shorter || longer == shorter) {
    last = shorter;
  } else {
    bounds.push_back(next);
  }
}

}  // namespace

std::vector<StepBound> step_bounds(EnclosedFormula& formula, double from, double until) {
  return both(Resolution(formula, from, until).bounds(), {});
}

std::vector<StepBound> both(const std::vector<StepBound>& a, const std::vector<StepBound>& b) {
  std::vector<StepBound> shorter;
  std::size_t i = 0, j = 0;
  double in_a = infinity, in_b = infinity;
  while (i < a.size() || j < b.size()) {
    const double at = std::min(i < a.size() ? a[i].from : infinity, j < b.size() ? b[j].from : infinity);
    if (i < a.size() && a[i].from == at) in_a = a[i++].longest;
    if (j < b.size() && b[j].from == at) in_b = b[j++].longest;
    append(shorter, {at, std::min(in_a, in_b)});
  }
  return shorter;
}

}  // namespace taut
