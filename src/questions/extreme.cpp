#include "questions/extreme.hpp"

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

/// A step is looked at in so many parts: at a tolerance of 1e-11 it is a small part of any swing.
constexpr int parts = 4;
/// Of the step, for differences.
constexpr double difference = 0.02;
constexpr int most_halvings = 60;
/// Beside the largest that was seen, a rate below this is that of a smooth extreme.
constexpr double no_rate = 1e-6;

VariedState moved(VariedMotion& motion, const VariedState& begun, double offset) {
  VariedState state = begun;
  if (offset != 0) motion.step(state, offset);
  return state;
}

/// The largest that a cubic with these values and rates at its ends can be, roughly.
double highest(double h, double left, double right, double left_rate, double right_rate) {
  return std::max(left, right) + h / 4 * (std::abs(left_rate) + std::abs(right_rate));
}

}  // namespace

Vector output_rates(VariedMotion& motion, const VariedState& at, double d) {
  VariedState here = without_slopes(at);
  const Vector rates = motion.show(here).rates;
  const Slopes& y = motion.variation().outputs();
  const bool needed = !y.by_a.isZero(0) || !y.by_lambda.isZero(0);
  if (!needed || d == 0) return rates;
  const auto value = [&](double offset) {
    VariedState state = moved(motion, here, offset);
    return motion.show(state).value;
  };
  return (8 * (value(d) - value(-d)) - (value(2 * d) - value(-2 * d))) / (12 * d);
}

Extreme::Sample Extreme::sample(VariedMotion& motion, const VariedState& begun, double h, double offset) const {
  VariedState state = moved(motion, begun, offset);
  const double rate = output_rates(motion, state, difference * h)[output_];
  return {offset, sign_ * motion.show(state).value[output_], sign_ * rate};
}

void Extreme::consider(VariedMotion& motion, const VariedState& begun, const Sample& sample) {
  if (found_ && sample.value <= sign_ * found_->value) return;
  VariedState state = moved(motion, begun, sample.offset);
  const bool at_start = steps_ == 0 && sample.offset == 0;
  found_ = Found{sign_ * sample.value, steps_, sample.offset, motion.show(state).slopes.row(output_),
                 !at_start && std::abs(sample.rate) > no_rate * largest_rate_};
}

/// The zero of the rate between both, by regula falsi (Illinois).
void Extreme::refine(VariedMotion& motion, const VariedState& begun, double h, Sample left, Sample right) {
  const VariedState bare = without_slopes(begun);
  const double width = right.offset - left.offset;
  Sample best = left.value > right.value ? left : right;
  for (int k = 0; k < most_halvings && right.offset - left.offset > 1e-13 * width; ++k) {
    const double share = left.rate / (left.rate - right.rate);
    const Sample next =
        sample(motion, bare, h, left.offset + std::clamp(share, 0.001, 0.999) * (right.offset - left.offset));
    best = std::abs(next.rate) <= std::abs(best.rate) ? next : best;
    if (next.rate == 0) break;
    const bool goes_left = next.rate < 0;
    (goes_left ? left : right).rate /= 2;
    (goes_left ? right : left) = next;
  }
  consider(motion, begun, best);
}

void Extreme::look(VariedMotion& motion, const VariedState& begun, double h) {
  const VariedState bare = without_slopes(begun);
  Sample left = sample(motion, bare, h, 0);
  largest_rate_ = std::max(largest_rate_, std::abs(left.rate));
  if (!found_ || left.rate <= 0) consider(motion, begun, left);
  for (int k = 1; k <= parts; ++k) {
    const Sample right = sample(motion, bare, h, h * k / parts);
    largest_rate_ = std::max(largest_rate_, std::abs(right.rate));
    const bool turns = left.rate > 0 && right.rate <= 0;
    const double most = highest(h / parts, left.value, right.value, left.rate, right.rate);
    if (turns && most > sign_ * found_->value) refine(motion, begun, h, left, right);
    left = right;
  }
  // A corner, where forces or the output itself are not smooth, is met at the end of a step.
  if (left.value > sign_ * found_->value && left.rate <= 0) consider(motion, begun, left);
  ++steps_;
}

bool Extreme::finish(const VariedMotion::Shown& end) {
  if (found_ && sign_ * end.value[output_] <= sign_ * found_->value) return false;
  found_ = Found{end.value[output_], steps_, 0, end.slopes.row(output_)};
  return true;
}

}  // namespace taut
