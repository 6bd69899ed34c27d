#include "model/fmu/exchange_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut::fmu {
namespace {

constexpr int stages = 7;
constexpr std::array<double, stages> c = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
constexpr double a[stages][stages] = {
    {},
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
};
/// The formula of order 5 less that of order 4.
constexpr std::array<double, stages> e = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                          -17253. / 339200, 22. / 525, -1. / 40};

/// A time is located to this share of itself.
constexpr double sliver = 1e-13;
/// Steps shorter than this share of the time, or of what is left, lead nowhere.
constexpr double shortest = 1e-14;
constexpr long most_steps = 10'000'000;

}  // namespace

ExchangeSteps::ExchangeSteps(Instance& unit, double tolerance) : unit_(unit), tolerance_(tolerance) {
  const std::size_t n = unit.x_.size();
  k_.assign(stages, std::vector<double>(n));
  x_ = new_x_ = stage_ = std::vector<double>(n);
  z_ = new_z_ = std::vector<double>(unit.description().event_indicator_count);
}

bool ExchangeSteps::go_to(double t, const std::vector<double>& x) {
  return unit_.accept(unit_.calls_->set_time(t), "setting the time") &&
         (x.empty() || unit_.accept(unit_.calls_->set_states(x), "setting states"));
}

/// A unit may refuse a state: then the step was too long.
bool ExchangeSteps::rates_at(double t, const std::vector<double>& x, std::vector<double>& rates) {
  if (!go_to(t, x)) return false;
  if (x.empty()) return true;
  const Status status = unit_.calls_->get_rates(rates);
  is_bad_ = status == Status::discard ||
            (status <= Status::warning && !std::ranges::all_of(rates, [](double r) { return std::isfinite(r); }));
  return is_bad_ || unit_.accept(status, "reading rates");
}

bool ExchangeSteps::attempt(double h) {
  const double t = unit_.t_;
  is_bad_ = false;
  for (int s = 0; s < stages; ++s) {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      double sum = 0;
      for (int j = 0; j < s; ++j) sum += a[s][j] * k_[static_cast<std::size_t>(j)][i];
      stage_[i] = x_[i] + h * sum;
    }
    if (!rates_at(t + c[static_cast<std::size_t>(s)] * h, stage_, k_[static_cast<std::size_t>(s)])) return false;
    if (is_bad_) return true;
  }
  new_x_ = stage_;
  taken_ = h;
  return new_z_.empty() || unit_.accept(unit_.calls_->get_indicators(new_z_), "reading event indicators");
}

/// Compared to the tolerance.
double ExchangeSteps::error() const {
  double worst = 0;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    double sum = 0;
    for (std::size_t s = 0; s < stages; ++s) sum += e[s] * k_[s][i];
    const double size = std::max({std::abs(x_[i]), std::abs(new_x_[i]), 1e-3});
    worst = std::max(worst, std::abs(taken_ * sum) / (tolerance_ * size));
  }
  return worst;
}

/// The standard has an event where an indicator goes from above zero to zero or below, or the other way.
bool ExchangeSteps::crosses() const {
  for (std::size_t k = 0; k < z_.size(); ++k)
    if ((z_[k] > 0) != (new_z_[k] > 0)) return true;
  return false;
}

bool ExchangeSteps::finish_step(double t, bool at_event) {
  unit_.t_ = t;
  unit_.x_ = new_x_;
  if (!go_to(t, new_x_)) return false;
  StepOutcome outcome;
  if (!unit_.accept(unit_.calls_->complete_step(outcome), "completing a step")) return false;
  if (outcome.terminates) {
    unit_.wrong_ = fmt::format("unit '{}' asks to end the simulation at t = {:.9g}", unit_.description().name, t);
    return false;
  }
  const bool is_time = unit_.next_event_ && t >= *unit_.next_event_ - sliver * std::abs(*unit_.next_event_);
  if (!at_event && !outcome.enters_events && !is_time) return true;
  return unit_.begin_event() && unit_.settle();
}

/// The shortest part of the step within which an indicator changes its sign.
bool ExchangeSteps::locate(double h) {
  double before = 0, after = h;
  while (after - before > sliver * std::max(std::abs(unit_.t_), h)) {
    const double middle = before + (after - before) / 2;
    if (middle <= before || middle >= after) break;
    if (!attempt(middle)) return false;
    if (is_bad_) return try_shorter(middle / 2);
    (crosses() ? after : before) = middle;
  }
  if (!attempt(after)) return false;
  return is_bad_ ? try_shorter(after / 2) : finish_step(unit_.t_ + after, true);
}

/// The step was not taken, and a shorter one is to come. False where it would lead nowhere.
bool ExchangeSteps::try_shorter(double h) {
  unit_.h_ = h;
  if (h > shortest * std::max(std::abs(unit_.t_), left_)) return true;
  unit_.wrong_ =
      fmt::format("the states of unit '{}' cannot be integrated beyond t = {:.9g}", unit_.description().name, unit_.t_);
  return false;
}

bool ExchangeSteps::step(double until) {
  x_ = unit_.x_;
  if (!go_to(unit_.t_, x_)) return false;
  if (!z_.empty() && !unit_.accept(unit_.calls_->get_indicators(z_), "reading event indicators")) return false;
  const double end = unit_.next_event_ && *unit_.next_event_ > unit_.t_ ? std::min(until, *unit_.next_event_) : until;
  left_ = end - unit_.t_;
  double h = unit_.h_ > 0 && !x_.empty() ? std::min(unit_.h_, left_) : left_;
  // A step that would leave next to nothing goes all the way.
  if (left_ - h < 1e-3 * h) h = left_;
  if (!attempt(h)) return false;
  const double wrong = is_bad_ ? 1e3 : error();
  const double factor = std::clamp(0.9 * std::pow(std::max(wrong, 1e-10), -0.2), 0.2, 5.0);
  if (wrong > 1) return try_shorter(h * factor);
  unit_.h_ = std::max(h * factor, unit_.h_ > h ? unit_.h_ : 0);
  if (crosses()) return locate(h);
  return finish_step(h == left_ ? end : unit_.t_ + h, false);
}

bool ExchangeSteps::advance(double until) {
  for (long steps = 0; unit_.t_ < until; ++steps) {
    if (steps == most_steps) {
      unit_.wrong_ =
          fmt::format("unit '{}' takes more than {} steps to t = {:.9g}", unit_.description().name, most_steps, until);
      return false;
    }
    if (!step(until)) return false;
  }
  return true;
}

}  // namespace taut::fmu
