#include "questions/kink_crossing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {
namespace {

/// Beside the largest that it has been, a switching function that stays below this is held at zero.
constexpr double held = 1e-9;
/// One that has more than this on both sides of a step passed zero inside of it.
constexpr double passed = 1e-6;
/// Beside the largest of their kind, rates that differ by less are the same.
constexpr double same = 1e-8;

double larger(double a, double b) { return std::abs(a) > std::abs(b) ? a : b; }

/// Half-way between two states.
VariedState middle(const VariedState& a, const VariedState& b) {
  VariedState between = without_slopes(a);
  between.t = (a.t + b.t) / 2;
  between.q = (a.q + b.q) / 2;
  between.v = (a.v + b.v) / 2;
  return between;
}

}  // namespace

std::string KinkCrossing::cross(VariedState& state, const VariedState& next) {
  jumps_.clear();
  if (shape_.switches.empty()) return "";
  const VariedMotion::Shown here = motion_.switching(state);
  if (largest_.size() == 0) largest_ = Vector::Zero(here.value.size());
  largest_ = largest_.cwiseMax(here.value.cwiseAbs());
  std::vector<Eigen::Index> changed;
  std::string reason = choose(state, next, changed);
  if (reason.empty() && !changed.empty()) reason = jump(state, here, changed);
  motion_.set_branches(branches_);
  return reason;
}

std::string KinkCrossing::choose(const VariedState& state, const VariedState& next,
                                 std::vector<Eigen::Index>& changed) {
  VariedState from = without_slopes(state), to = without_slopes(next), between = middle(state, next);
  const Vector here = motion_.switching(from).value, there = motion_.switching(to).value,
               inside = motion_.switching(between).value;
  largest_ = largest_.cwiseMax(there.cwiseAbs()).cwiseMax(inside.cwiseAbs());
  before_ = std::exchange(branches_, {});
  for (Eigen::Index i = 0; i < here.size(); ++i) {
    const double ends = larger(here[i], there[i]), least = held * largest_[i];
    const double s = std::abs(ends) > least ? ends : inside[i];
    if (std::abs(s) <= least)
      return fmt::format("from t = {:.6g} on friction holds, or '{}' stays zero otherwise: what follows is not varied",
                         state.t, name(i));
    if (here[i] * there[i] < 0 && std::min(std::abs(here[i]), std::abs(there[i])) > passed * largest_[i])
      return fmt::format(
          "'{}' passes zero between t = {:.6g} and {:.6g}, and no step ends there: what follows is not "
          "varied",
          name(i), state.t, next.t);
    branches_.emplace_back(s < 0 ? -1.0 : 1.0);
    if (!before_.empty() && before_[static_cast<std::size_t>(i)] != branches_.back()) changed.push_back(i);
  }
  return "";
}

/// The rates on the branches before, but for these kinks.
VariedMotion::Rates KinkCrossing::flipped(const VariedState& at, const std::vector<Eigen::Index>& kinks) {
  std::vector<System::Branch> branches = before_;
  for (const Eigen::Index k : kinks) branches[static_cast<std::size_t>(k)] = branches_[static_cast<std::size_t>(k)];
  motion_.set_branches(branches);
  return motion_.rates_at(at);
}

std::string KinkCrossing::jump(VariedState& state, const VariedMotion::Shown& s,
                               const std::vector<Eigen::Index>& changed) {
  const VariedState at = without_slopes(state);
  const VariedMotion::Rates before = flipped(at, {}), after = flipped(at, changed);
  const double size = std::max(before.all.norm(), after.all.norm());
  if ((after.speeds - before.speeds).norm() > same * (1 + before.speeds.norm()))
    return fmt::format("at t = {:.6g}, where '{}' is zero, speeds jump, which is not varied", state.t,
                       name(changed.front()));
  Vector left = before.all - after.all;
  std::vector<Eigen::Index> acting;
  for (const Eigen::Index k : changed) {
    const VariedMotion::Rates own = flipped(at, {k});
    VariedMotion::Rates by_it = before;
    by_it.all -= own.all;
    if (by_it.all.norm() <= same * size) continue;
    left -= by_it.all;
    for (const Eigen::Index other : changed)
      if (other != k && std::abs(own.switching[other] - s.rates[other]) > same * std::abs(s.rates[other]))
        left.setConstant(size);
    jumps_.push_back({at, motion_.rows(), before_, k, s.rates[k], by_it});
    acting.push_back(k);
  }
  if (acting.size() > 1 && left.norm() > same * size)
    return fmt::format(
        "at t = {:.6g} kinks that act on each other are met at one moment ('{}' and '{}'): slopes to both "
        "sides differ",
        state.t, name(acting[0]), name(acting[1]));
  for (const MotionTape::Jump& one : jumps_) {
    const auto moment = (-s.slopes.row(one.switching) / one.rate).eval();
    state.q_slopes += one.of_rates.q() * moment;
    state.v_slopes += one.of_rates.v() * moment;
    state.integral_slopes += one.of_rates.integrals() * moment;
  }
  return "";
}

}  // namespace taut
