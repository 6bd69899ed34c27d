#include "integration/zero_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "integration/cubic.hpp"
#include "integration/root.hpp"

namespace taut {
namespace {

/// A function that still turns in 2⁻⁴⁰ of a step, or after so many samples, is noise.
constexpr int deepest = 40, most_samples = 100'000, most_samples_for_signs = 300;
/// A function touches zero where it comes so near, relative to its size: some roundings of what it is made of.
constexpr double touch = 64 * std::numeric_limits<double>::epsilon();
/// The tip of a corner is seen from as near as times can be told apart.
constexpr double tip_height = 1e-9;
/// Where a sample measures the misfit: not the middle, where periodic functions may hide.
constexpr double inside = 0.4377;
/// Within this many times the width in which the fastest rate seen would undo its size, a function does not turn
/// unseen: a sine has its turns three such widths apart.
constexpr double resolved = 1;
/// A cubic whose misfit is below this share of the larger end shows how the function turns.
constexpr double small_misfit = 0.25;
/// Times shorter than this share of a step are not told apart, …
constexpr double sliver = 1e-12;
/// … nor is a touch from what lies nearer than this: there a square is below a rounding.
constexpr double near_touch = 1e-6;

/// The cubic of Hermite between two samples, over x in [0, 1].
Cubic cubic_between(const Sample& a, const Sample& b) {
  const double w = b.t - a.t;
  return Cubic::hermite(a.value, w * a.rate, b.value, w * b.rate);
}

/// How far a cubic is from zero at x, below zero on the other side than where it starts.
double height(const Cubic& cubic, double x) { return cubic(0) < 0 ? -cubic(x) : cubic(x); }

/// Where it is nearest to zero, or farthest beyond, for a cubic of one sign at its ends: a turn, or one of these.
double nearest(const Cubic& cubic) {
  const auto [first, second] = cubic.turns();
  return std::ranges::min({0.0, first, second, 1.0}, {}, [&](double x) { return height(cubic, x); });
}

bool is_monotone(const Cubic& cubic) { return cubic.turns() == std::array<double, 2>{0, 0}; }

/// The misfit of fourth order goes as x²(1 − x)²: what is measured at x is this share of the largest.
double share_at(double x) { return 16 * x * x * (1 - x) * (1 - x); }

}  // namespace

const std::vector<double>& ZeroSearch::find(const Sample& from, const Sample& to) {
  zeros_.clear();
  ends_with_touch_ = false;
  width_ = to.t - from.t;
  size_ = fastest_ = 0;
  note_sizes(from);
  note_sizes(to);
  samples_left_ = touches_ == Touches::count ? most_samples : most_samples_for_signs;
  const bool begins_at_zero = from.value == 0 || is_rounding(from.t);
  if (begins_at_zero && rests(to.t)) return zeros_;
  const Sample first = begins_at_zero ? sample_at(from.t + 1e-6 * width_) : from;
  // Four parts at least, all seen before the first is judged, since each tells how fast the function is.
  const auto [left, right] = halves({first, to, size_, 0}, inside);
  const auto [one, two] = halves(left, inside);
  const auto [three, four] = halves(right, inside);
  for (const Stretch& part : {one, two, three, four}) search(part);
  return zeros_;
}

Sample ZeroSearch::sample_at(double t) {
  --samples_left_;
  const Sample sample = sampler_(t);
  note_sizes(sample);
  return sample;
}

void ZeroSearch::note_sizes(const Sample& sample) {
  if (std::isfinite(sample.value)) size_ = std::max(size_, std::abs(sample.value));
  if (std::isfinite(sample.rate)) fastest_ = std::max(fastest_, std::abs(sample.rate));
}

bool ZeroSearch::is_resolved(const Stretch& stretch) const {
  return (stretch.b.t - stretch.a.t) * fastest_ <= resolved * size_;
}

bool ZeroSearch::may_hide_zero(const Stretch& stretch) const {
  return bounds_.may_vanish && bounds_.may_vanish(stretch.a.t, stretch.b.t);
}

/// Next to zero within rounding: of the terms that g is made of where these are known, else of its size in the step.
bool ZeroSearch::touches(double t, double height) const {
  return height <= touch * size_ && (!bounds_.is_rounding || bounds_.is_rounding(t));
}

bool ZeroSearch::is_rounding(double t) const { return bounds_.is_rounding && bounds_.is_rounding(t); }

/// A function that is nothing but rounding errors all along has no zeros of its own. It is where the step begins.
bool ZeroSearch::rests(double end) const {
  return is_rounding(end) && is_rounding(end - (1 - inside) * width_) && is_rounding(end - 0.3 * inside * width_);
}

bool ZeroSearch::exhausted(const Stretch& stretch) const {
  return stretch.depth >= deepest || samples_left_ < 0 || stretch.b.t - stretch.a.t <= sliver * width_;
}

void ZeroSearch::search(Stretch stretch) {
  auto& [a, b, misfit, depth] = stretch;
  if (a.value == 0) a = sample_at(a.t + 1e-6 * (b.t - a.t));
  if (a.value == 0 || !std::isfinite(a.value) || !std::isfinite(b.value)) return;
  const Cubic cubic = cubic_between(a, b);
  if (a.value * b.value > 0) {
    const double closest = nearest(cubic), clearance = height(cubic, closest);
    if (clearance > misfit && is_resolved(stretch) && !may_hide_zero(stretch)) return;
    if (exhausted(stretch)) {
      // A corner whose tip is zero keeps its cubic away from it at any width.
      const bool tip = bounds_.may_vanish && std::min(std::abs(a.value), std::abs(b.value)) <= tip_height * size_;
      if (tip && samples_left_ >= 0 && bounds_.may_vanish(a.t, b.t))
        add_touch(std::abs(a.value) < std::abs(b.value) ? a.t : b.t);
      return;
    }
    const double place = a.t + closest * (b.t - a.t);
    if (touches(place, std::max(std::abs(clearance), misfit))) return add_touch(place);
    const double turn = is_resolved(stretch) ? closest : 0;
    return search_halves(stretch, turn > 0.1 && turn < 0.9 ? turn : inside);
  }
  const bool passes_once = is_monotone(cubic) && is_resolved(stretch) &&
                           misfit < small_misfit * std::max(std::abs(a.value), std::abs(b.value));
  if (passes_once || exhausted(stretch)) return locate(a, b);
  search_halves(stretch, inside);
}

/// Samples a place of a stretch, and gives both sides of it what the sample tells of the misfit. Their parts of it are
/// smaller where the function is smooth, but one of them may hold a kink; and a sample that happens to fit does
/// not outweigh those before it at once.
ZeroSearch::Halves ZeroSearch::halves(const Stretch& stretch, double x) {
  const auto& [a, b, misfit, depth] = stretch;
  const Sample c = sample_at(a.t + x * (b.t - a.t));
  const double seen = std::abs(c.value - cubic_between(a, b)(x)) / share_at(x);
  const double left = std::max(seen, 0.25 * misfit);
  return {{a, c, left, depth + 1}, {c, b, left, depth + 1}};
}

void ZeroSearch::search_halves(const Stretch& stretch, double x) {
  const auto [first, second] = halves(stretch, x);
  search(first);
  search(second);
}

/// By the exact values, unless these have equal signs at both ends, where a zero lies within what they differ by.
void ZeroSearch::locate(const Sample& a, const Sample& b) {
  if (b.value == 0) return add(first_nought(a.t, b.t));
  const double first = value_(a.t), last = value_(b.t);
  if (first * last < 0) {
    const double zero = find_root(value_, a.t, b.t, first, last);
    // At a pole values grow without bound from both sides.
    if (!(std::abs(value_(zero)) > std::max(std::abs(first), std::abs(last)))) add(zero);
    return;
  }
  add(find_root([this](double t) { return sample_at(t).value; }, a.t, b.t, a.value, b.value));
}

/// The function is not zero at a, and is at b: where does that begin?
double ZeroSearch::first_nought(double a, double b) {
  if (value_(b - 1e-9 * (b - a)) != 0) return b;
  for (double middle = 0.5 * (a + b); b - a > sliver * width_ && a < middle && middle < b; middle = 0.5 * (a + b))
    (value_(middle) == 0 ? b : a) = middle;
  return b;
}

/// A change of sign; what looked like a touch just before it was the way there.
void ZeroSearch::add(double t) {
  if (ends_with_touch_ && t - zeros_.back() <= near_touch * width_) zeros_.pop_back();
  ends_with_touch_ = false;
  if (zeros_.empty() || t - zeros_.back() > sliver * width_) zeros_.push_back(t);
}

void ZeroSearch::add_touch(double t) {
  if (touches_ == Touches::ignore) return;
  if (!zeros_.empty() && t - zeros_.back() <= near_touch * width_) return;
  zeros_.push_back(t);
  ends_with_touch_ = true;
}

}  // namespace taut
