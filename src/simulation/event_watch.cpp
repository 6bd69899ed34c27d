#include "simulation/event_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

/// Rates are differences over this share of a step: short against all that a step resolves, long against rounding.
constexpr double short_share = 1e-4;
/// Times that differ by this share of a step are one; so do zeros that were found from either side of the time between
/// two steps, as exactly as differences tell.
constexpr double same_time = 1e-12, same_zero = 1e-9;

}  // namespace

EventWatch::EventWatch(int functions, Values coarse, Values values, const Bounds& bounds)
    : coarse_(std::move(coarse)), values_(std::move(values)) {
  make_searches(functions, ZeroSearch::Touches::count, bounds);
}

EventWatch::EventWatch(int functions, const Values& values) : coarse_(values), values_(values) {
  make_searches(functions, ZeroSearch::Touches::ignore, {});
}

void EventWatch::make_searches(int functions, ZeroSearch::Touches touches, const Bounds& bounds) {
  counts_ends_ = touches == ZeroSearch::Touches::count;
  ends_.assign(static_cast<std::size_t>(functions), -std::numeric_limits<double>::infinity());
  first_.resize(static_cast<std::size_t>(functions));
  last_ = inside_ = first_;
  crossings_.reserve(16);
  for (int i = 0; i < functions; ++i)
    searches_.emplace_back(
        [this, i](double t) {
          sample(t, inside_);
          return inside_[static_cast<std::size_t>(i)];
        },
        [this, i](double t) { return values_(t)[i]; }, touches, bounds ? bounds(i) : ZeroSearch::Bounds());
}

/// Values and rates at a time: differences of second order, to one side where the step ends.
void EventWatch::sample(double t, std::vector<Sample>& samples) {
  const double offset = short_share * (to_ - from_);
  const Vector& now = coarse_(t);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = {t, now[static_cast<Eigen::Index>(i)], 0};
  if (t - offset < from_) {
    add_rates(offset, t + offset, 4, samples);
    add_rates(offset, t + 2 * offset, -1, samples);
    for (Sample& s : samples) s.rate -= 1.5 * s.value / offset;
  } else if (t + offset > to_) {
    add_rates(offset, t - offset, -4, samples);
    add_rates(offset, t - 2 * offset, 1, samples);
    for (Sample& s : samples) s.rate += 1.5 * s.value / offset;
  } else {
    add_rates(offset, t + offset, 1, samples);
    add_rates(offset, t - offset, -1, samples);
  }
}

/// Adds a term of the difference quotient, over twice the offset.
void EventWatch::add_rates(double offset, double t, double weight, std::vector<Sample>& samples) {
  const Vector& values = coarse_(t);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i].rate += weight * values[static_cast<Eigen::Index>(i)] / (2 * offset);
}

/// A step may end where a function becomes zero, as one does at a kink, and misses it by what times can be told apart.
/// The zero is that of this step, even if the function then stays at zero, and is not found again in the next.
void EventWatch::count_end(std::size_t which, bool found) {
  const Sample& end = last_[which];
  const double left = -end.value / end.rate;
  const double one = same_time * (to_ - from_) + 4 * std::numeric_limits<double>::epsilon() * std::abs(to_);
  const bool arrives = end.value != 0 && left >= 0 && left <= one;
  if (arrives && !found) crossings_.push_back({to_, static_cast<int>(which)});
  if (arrives || found || end.value == 0) ends_[which] = to_;
}

const std::vector<EventWatch::Crossing>& EventWatch::in_step(double from, double to) {
  from_ = from;
  to_ = to;
  crossings_.clear();
  sample(from, first_);
  sample(to, last_);
  for (std::size_t i = 0; i < searches_.size(); ++i) {
    bool at_end = false;
    for (const double t : searches_[i].find(first_[i], last_[i])) {
      if (ends_[i] == from && t - from <= same_zero * (to - from)) continue;
      crossings_.push_back({t, static_cast<int>(i)});
      at_end = at_end || to - t <= same_zero * (to - from);
    }
    if (counts_ends_) count_end(i, at_end);
  }
  std::ranges::stable_sort(crossings_, {}, &Crossing::t);
  return crossings_;
}

}  // namespace taut
