#include "simulation/side_ahead.hpp"

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

/// How far to look, of the time in which the motion changes.
constexpr double looks[] = {1e-3, 1e-2, 0.1, 1};
constexpr int steps_ahead = 8;
/// Of what speeds could make of a function: what is below this is rounding.
constexpr double rounding = 1e-11;
/// A function without a rate leaves zero as the square of time does, or later: in twice the time it is four times as
/// large. Rounding in accelerations makes it twice as large.
constexpr double growth = 3;

}  // namespace

SideAhead::SideAhead(Ode& motion, Switches& switches, SwitchingFunctions& functions, const Shape& shape)
    : motion_(motion),
      switches_(switches),
      functions_(functions),
      shape_(shape),
      near_(functions.zeros()),
      far_(near_),
      y_(Vector::Zero(motion.size())),
      middle_(y_),
      slope_(y_) {}

bool SideAhead::hold(double t, const Vector& y, double most) {
  gather_undecided(t, y);
  const std::size_t all = undecided_.size();
  if (all == 0) return false;
  // Meanwhile they have no sign: that of rounding would be one.
  for (const int k : undecided_) switches_.hold(static_cast<std::size_t>(k), 0);
  switches_.apply();
  const double scale = time_scale(y, most);
  for (const double share : looks) {
    if (undecided_.empty() || !go(t, y, share * scale)) break;
    for (const int k : undecided_)
      if (has_left(k)) {
        switches_.hold(static_cast<std::size_t>(k), far_[k] > 0 ? 1 : -1);
        switches_[static_cast<std::size_t>(k)].arrival = Switch::Arrival::none;  // its side is chosen
      }
    std::erase_if(undecided_, [this](int k) { return switches_[static_cast<std::size_t>(k)].sign != 0; });
  }
  for (const int k : undecided_) switches_.release(static_cast<std::size_t>(k), t);
  switches_.apply();
  return undecided_.size() < all;
}

/// Those that are free at zero.
void SideAhead::gather_undecided(double t, const Vector& y) {
  undecided_.clear();
  if (!functions_.find(t, y)) return;
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const double least = rounding * functions_.reach()[static_cast<Eigen::Index>(k)] * functions_.fastest();
    if (switches_[k].is_free() && std::abs(functions_[k]) <= least) undecided_.push_back(static_cast<int>(k));
  }
}

bool SideAhead::has_left(int which) const {
  const double near = near_[which], far = far_[which];
  const double least = rounding * functions_.reach()[which] * functions_.fastest();
  return near * far > 0 && std::abs(far) > least && std::abs(far) > growth * std::abs(near);
}

/// A time in which the motion from y changes it about as much as it is large.
double SideAhead::time_scale(const Vector& y, double most) const {
  const int n_q = shape_.n_q(), n_v = shape_.n_v();
  const double size = std::max(1.0, y.head(n_q).lpNorm<Eigen::Infinity>());
  const double speed = y.segment(n_q, n_v).lpNorm<Eigen::Infinity>();
  const double pull = functions_.accelerations().lpNorm<Eigen::Infinity>();
  return std::min({most, speed > 0 ? size / speed : most, pull > 0 ? std::sqrt(size / pull) : most});
}

/// Steps of the midpoint rule.
bool SideAhead::go(double t, const Vector& y, double time) {
  const double h = time / steps_ahead;
  y_ = slope_ = y;
  for (int k = 0; k < steps_ahead; ++k, t += h) {
    if (!motion_.derivative(t, y_, h, slope_)) return false;
    middle_ = y_ + 0.5 * h * slope_;
    if (!motion_.derivative(t + 0.5 * h, middle_, h, slope_)) return false;
    y_ += h * slope_;
    if (k + 1 == steps_ahead / 2 && functions_.find(t + h, y_)) near_ = functions_.values();
  }
  if (!functions_.find(t, y_)) return false;
  far_ = functions_.values();
  return far_.allFinite() && near_.allFinite();
}

}  // namespace taut
