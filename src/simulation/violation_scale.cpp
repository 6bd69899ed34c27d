#include "simulation/violation_scale.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "enforcement/row_growth.hpp"

namespace taut {
namespace {

/// Speeds that take the largest coordinate no farther than this share of itself in the whole run.
constexpr double standstill = 1e-3;
/// Rows are differentiated over this share of the sizes: half the digits.
constexpr double stretch = 1e-8;
/// In how many directions. Terms of a row that cancel in one do not in the next.
constexpr int directions = 8;

/// A direction that no row is likely to be blind to: every size by a factor between ½ and 1, up or down.
class Directions {
 public:
  void draw(const Vector& sizes, Vector& out) {
    for (Eigen::Index i = 0; i < sizes.size(); ++i) out[i] = (sign(random_) ? 1 : -1) * factor(random_) * sizes[i];
  }

 private:
  static bool sign(std::mt19937& random) { return random() & 1U; }
  static double factor(std::mt19937& random) { return 0.5 + 0.5 * random() / 4294967296.0; }
  std::mt19937 random_{14};
};

double largest(const Vector& x) { return x.size() > 0 ? x.maxCoeff() : 0; }

}  // namespace

ViolationScale::ViolationScale(System& system, double duration) : system_(system), duration_(duration) {
  const Shape& shape = system.shape();
  largest_q_ = Vector::Zero(shape.n_q());
  largest_v_ = Vector::Zero(shape.n_v());
  position_ = Vector::Zero(shape.position_rows);
  velocity_ = Vector::Zero(shape.rows());
}

void ViolationScale::see(const double* q, const double* v) {
  for (double& most : largest_q_) most = std::max(most, std::abs(*q++));
  for (double& most : largest_v_) most = std::max(most, std::abs(*v++));
}

double ViolationScale::size_of_coordinates() const { return std::max(largest(largest_q_), system_.shape().least_size); }

double ViolationScale::size_of_speeds() const {
  return std::max(largest(largest_v_), duration_ > 0 ? standstill * size_of_coordinates() / duration_ : 0);
}

/// A row that has no value where it is looked for keeps the size it has.
void ViolationScale::keep_larger(const Vector& changed, const Vector& here, Vector& sizes) {
  for (Eigen::Index i = 0; i < sizes.size(); ++i) {
    const double size = std::abs(changed[i] - here[i]) / stretch;
    if (std::isfinite(size)) sizes[i] = std::max(sizes[i], size);
  }
}

/// Called at the beginning and at the end of a run: in between, large systems need the room that this takes.
void ViolationScale::measure(double t, const Vector& q, const Vector& v) {
  see(q.data(), v.data());
  measure_positions(t, q, coordinates());
  measure_velocities(t, q, v, speeds());
  if (!std::exchange(measured_nearby_, true)) measure_nearby(t, q, v);
}

/// What such a row is worth where it vanishes is rounding, and violations in parts of that say nothing.
void ViolationScale::measure_nearby(double t, const Vector& q, const Vector& v) {
  if (system_.shape().rows() == 0) return;
  const Vector position = position_, velocity = velocity_;
  for (int k = 0; k < places_nearby; ++k) {
    const Vector there = place_nearby(system_, t, q, k);
    measure_positions(t, there, coordinates());
    measure_velocities(t, there, v, speeds());
  }
  const std::vector<bool> grown = rows_that_grow(t, q, v);
  for (Eigen::Index i = 0; i < position.size(); ++i)
    if (!grown[static_cast<std::size_t>(i)]) position_[i] = position[i];
  for (Eigen::Index i = 0; i < velocity.size(); ++i)
    if (!grown[static_cast<std::size_t>(i)]) velocity_[i] = velocity[i];
}

/// By their slopes: sizes, which are differences, have the rounding of their terms for so small a row.
std::vector<bool> ViolationScale::rows_that_grow(double t, const Vector& q, const Vector& v) {
  Point point = system_.make_point();
  const RowTable rows(point.H.pattern);
  const auto lengths = [&](const Vector& at) {
    system_.at_position(t, at, point);
    if (system_.shape().jacobian_of_speeds) system_.at_velocity(t, at, v, point);
    return row_lengths(rows, point.H);
  };
  const Vector here = lengths(q);
  std::vector<bool> grown(static_cast<std::size_t>(here.size()), false);
  for (int k = 0; k < places_nearby; ++k) {
    const Vector there = lengths(place_nearby(system_, t, q, k));
    for (Eigen::Index i = 0; i < here.size(); ++i)
      if (grows(here[i], there[i])) grown[static_cast<std::size_t>(i)] = true;
  }
  return grown;
}

void ViolationScale::measure_positions(double t, const Vector& q, const Vector& sizes) {
  Vector here = position_, there = position_, changed = q;
  system_.position(t, q, here);
  Directions directions_of;
  for (int k = 0; k < directions; ++k) {
    directions_of.draw(sizes, changed);
    changed = q + stretch * changed;
    system_.position(t, changed, there);
    keep_larger(there, here, position_);
  }
}

void ViolationScale::measure_velocities(double t, const Vector& q, const Vector& v, const Vector& sizes) {
  Vector here = velocity_, there = velocity_, changed = v;
  system_.velocity(t, q, v, here);
  Directions directions_of;
  for (int k = 0; k < directions; ++k) {
    directions_of.draw(sizes, changed);
    changed = v + stretch * changed;
    system_.velocity(t, q, changed, there);
    keep_larger(there, here, velocity_);
  }
}

}  // namespace taut
