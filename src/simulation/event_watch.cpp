#include "simulation/event_watch.hpp"

#include <algorithm>

namespace taut {
namespace {

/// Rates are differences over this share of a step: short against all that a step resolves, long against rounding.
constexpr double short_share = 1e-4;

}  // namespace

EventWatch::EventWatch(int functions, Values look, Values values, const Bounds& bounds)
    : look_(std::move(look)), values_(std::move(values)) {
  make_searches(functions, ZeroSearch::Touches::count, bounds);
}

EventWatch::EventWatch(int functions, const Values& values) : look_(values), values_(values) {
  make_searches(functions, ZeroSearch::Touches::ignore, {});
}

void EventWatch::make_searches(int functions, ZeroSearch::Touches touches, const Bounds& bounds) {
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
  const Vector& now = look_(t);
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
  const Vector& values = look_(t);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i].rate += weight * values[static_cast<Eigen::Index>(i)] / (2 * offset);
}

const std::vector<EventWatch::Crossing>& EventWatch::in_step(double from, double to) {
  from_ = from;
  to_ = to;
  crossings_.clear();
  sample(from, first_);
  sample(to, last_);
  for (std::size_t i = 0; i < searches_.size(); ++i)
    for (const double t : searches_[i].find(first_[i], last_[i])) crossings_.push_back({t, static_cast<int>(i)});
  std::ranges::stable_sort(crossings_, {}, &Crossing::t);
  return crossings_;
}

}  // namespace taut
