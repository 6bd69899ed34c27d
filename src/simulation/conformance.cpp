#include "simulation/conformance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace taut {

namespace {

/// A soft row gives way by design, and has nothing to hold.
bool is_hard(const Shape& shape, Eigen::Index row) {
  return row >= static_cast<Eigen::Index>(shape.softness.size()) ||
         !(shape.softness[static_cast<std::size_t>(row)] > 0);
}

/// The largest violation in parts of its row's size; none if there are no rows. Not a number if one is not.
std::optional<double> largest_share(const Vector& violations, const Vector& sizes, const Shape& shape, int& at) {
  if (violations.size() == 0) return std::nullopt;
  double worst = 0;
  for (Eigen::Index i = 0; i < violations.size(); ++i) {
    if (violations[i] == 0 || !is_hard(shape, i)) continue;
    const double share = std::abs(violations[i]) / sizes[i];
    if (share <= worst) continue;
    worst = share;
    at = static_cast<int>(i);
    if (std::isnan(share)) break;
  }
  return worst;
}

}  // namespace

Conformance::Conformance(System& system, Motion& motion, const Options& options)
    : system_(system), motion_(motion), scale_(system, options.duration()), settle_(options.settle) {
  const Shape& shape = system.shape();
  Phi_ = max_Phi_ = start_Phi_ = Vector::Zero(shape.position_rows);
  chi_ = max_chi_ = start_chi_ = Vector::Zero(shape.rows());
}

bool Conformance::observe(double t, const Vector& y) {
  if (!motion_.observe().violations(t, y, Phi_, chi_)) {
    energy_now_ = position_ = velocity_ = std::numeric_limits<double>::quiet_NaN();
    return false;
  }
  motion_.observe().tell_sizes(y, scale_);
  if (system_.shape().has_energy) energy_now_ = motion_.observe().energy_error(t, y);
  const bool counts = t >= settle_;
  if (!std::exchange(begun_, true)) keep_start(counts);
  if (counts) energy_error_ = std::max(energy_error_, std::abs(energy_now_));
  int at = 0;
  velocity_ = compare(chi_, counts, max_chi_, at);
  if (counts) note(velocity_, at);
  position_ = compare(Phi_, counts, max_Phi_, at);
  if (counts) note(position_, at);
  return std::isfinite(velocity_) && std::isfinite(position_);
}

void Conformance::keep_start(bool counts) {
  if (!counts) return;
  start_Phi_ = Phi_;
  start_chi_ = chi_;
}

RelativeViolation Conformance::relative(const Vector& Phi, const Vector& chi) const {
  const Shape& shape = system_.shape();
  int position = 0, velocity = 0;
  RelativeViolation result;
  result.position = largest_share(Phi, scale_.position(), shape, position);
  result.velocity = largest_share(chi, scale_.velocity(), shape, velocity);
  const bool by_position = result.position.value_or(0) >= result.velocity.value_or(0);
  if (shape.rows() > 0) result.name = shape.constraints[by_position ? position : velocity];
  return result;
}

/// The largest of the violations, at `at`; not a number if one is not. Where they count, `most` learns of each.
double Conformance::compare(const Vector& violations, bool counts, Vector& most, int& at) {
  double worst = 0;
  for (int i = 0; i < static_cast<int>(violations.size()); ++i) {
    const double size = std::abs(violations[i]);
    if (counts && size > most[i]) most[i] = size;
    if (!(size <= worst)) {
      worst = size;
      at = i;
    }
  }
  return worst;
}

void Conformance::note(double violation, int row) {
  if (!(violation > largest_)) return;
  largest_ = violation;
  worst_ = row;
}

void Conformance::observe_rank(int rank) {
  rank_min_ = any_ ? std::min(rank_min_, rank) : rank;
  rank_max_ = any_ ? std::max(rank_max_, rank) : rank;
  any_ = true;
}

void Conformance::fill(Summary& summary) const {
  const Shape& shape = system_.shape();
  summary.rank_min = rank_min_;
  summary.rank_max = rank_max_;
  summary.degrees_of_freedom = shape.freedoms(rank_max_);
  if (Phi_.size() > 0) summary.max_position_violation = max_Phi_.maxCoeff();
  if (chi_.size() > 0) summary.max_velocity_violation = max_chi_.maxCoeff();
  const RelativeViolation shares = relative_largest();
  summary.relative_position_violation = shares.position;
  summary.relative_velocity_violation = shares.velocity;
  if (shape.has_energy) summary.max_energy_error = energy_error_;
  summary.violations.reserve(static_cast<std::size_t>(shape.rows()));
  for (int i = 0; i < shape.rows(); ++i) {
    Violation violation{shape.constraints[i], std::nullopt, max_chi_[i]};
    if (i < shape.position_rows) violation.position = max_Phi_[i];
    summary.violations.push_back(std::move(violation));
  }
}

}  // namespace taut
