#include "integration/error_scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integration/integrator.hpp"

namespace taut {
namespace {

/// Absolute tolerance over relative, of what has size 1.
constexpr double absolute_share = 0.01;
constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// What noise relaxes tolerances to, at first, relative to what they may become; and by how much from then on.
constexpr double first_slack = 1e-6, more_slack = 10;
/// What an accepted step leaves of that.
constexpr double slack_left = 0.9;
/// In no unit in use are lengths or speeds of a mechanism as small as this: what is smaller is on its way from nought,
/// and need not be followed from there to all digits.
constexpr double least_size = 1e-25;
/// The share of its kind's largest size that an entry has at least, and the size of what nothing is known of.
constexpr double small_share = 1e-2, unknown_size = 1e-3;

}  // namespace

ErrorScale::ErrorScale(const StepControl& control, const Vector& y)
    : rtol_(control.rtol), atol_(control.atol.value_or(absolute_share * control.rtol)), follows_sizes_(!control.atol) {
  if (!follows_sizes_) return;
  group_ = control.groups.group;
  turning_ = control.groups.turning;
  const int last = group_.empty() ? -1 : *std::ranges::max_element(group_);
  size_ = control.groups.least_size;
  size_.resize(static_cast<std::size_t>(last + 2) / 2 * 2);
  for (double& size : size_) size = std::max(size, least_size);
  turning_.resize(size_.size(), -1);
  floor_ = size_;
  accept(y);
}

void ErrorScale::accept(const Vector& y) {
  if (!follows_sizes_) return;
  for (std::size_t i = 0; i < group_.size(); ++i) {
    double& size = size_[static_cast<std::size_t>(group_[i])];
    size = std::max(size, std::abs(y[static_cast<Eigen::Index>(i)]));
  }
  slack_ *= slack_left;
}

void ErrorScale::begin(double h) {
  if (!follows_sizes_) return;
  for (std::size_t g = 0; g < size_.size(); ++g) {
    const bool is_speed = g % 2 == 1;
    const double felt = is_speed && h > 0 ? std::min(epsilon * size_[g - 1] / h, rtol_) : 0;
    const double turned = turning_[g] < 0 ? 0 : size_[g - 1] * size_[static_cast<std::size_t>(turning_[g])];
    floor_[g] = std::max({atol_ * std::max(size_[g], turned), felt, slack_});
  }
}

double ErrorScale::allowed(Eigen::Index i, double from, double to) const {
  const double relative = rtol_ * std::max(std::abs(from), std::abs(to));
  if (!follows_sizes_) return atol_ + relative;
  const double floor = has_group(i) ? floor_[group(i)] : atol_;
  return std::max(floor, atol_ * std::abs(to)) + relative;
}

bool ErrorScale::relax() {
  if (!follows_sizes_ || slack_ >= atol_) return false;
  slack_ = std::clamp(more_slack * slack_, first_slack * atol_, atol_);
  return true;
}

/// What is q long and is accelerated by a will move at √(q a); what moves at v goes as far as v²/a. Of what rests at
/// nought and is not accelerated, as what friction holds, nothing is known: it is taken for 1.
void ErrorScale::start(const Vector& rates) {
  if (!follows_sizes_) return;
  for (std::size_t g = 0; g + 1 < size_.size(); g += 2) {
    double a = 0;
    for (std::size_t i = 0; i < group_.size(); ++i)
      if (group_[i] == static_cast<int>(g) + 1) a = std::max(a, std::abs(rates[static_cast<Eigen::Index>(i)]));
    double &q = size_[g], &v = size_[g + 1];
    if (v == least_size && q > least_size) v = std::max(v, std::sqrt(q * a));
    if (q == least_size && v > least_size && a > 0) q = std::max(q, v * v / a);
    if (v == least_size && a == 0) v = q > least_size ? q : 1;
    if (q == least_size && a == 0) q = v;
  }
}

double ErrorScale::typical_size(Eigen::Index i, double value) const {
  const double size = follows_sizes_ && has_group(i) ? size_[group(i)] : 0;
  return std::max(std::abs(value), small_share * (size > least_size ? size : unknown_size));
}

double ErrorScale::allowed_at_start(Eigen::Index i, double value) const {
  const double size = follows_sizes_ && has_group(i) ? size_[group(i)] : 1;
  return atol_ * (size > least_size ? size : 1) + rtol_ * std::abs(value);
}

}  // namespace taut
