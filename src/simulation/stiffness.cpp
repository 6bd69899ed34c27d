#include "simulation/stiffness.hpp"

#include <cmath>
#include <limits>

namespace taut {
namespace {

/// So often is looked, and only where so many steps are left: a look costs as much as two steps.
constexpr long steps_between_looks = 1000;
constexpr double many_steps = 20'000;
/// At the boundary steps go up and down, and their mean stays above this share of it; those that accuracy asks for at
/// tolerances of 1e-4 and below stay below.
constexpr double at_boundary = 0.6;
constexpr int iterations = 16, warming_up = 6;
/// Formulas of many orders have no one boundary. Steps that are so many more, and no shorter than this share of what
/// the fastest rate changes, are short for it alone where the motion itself changes at this share of that rate at most.
constexpr double endless_steps = 2e6, short_step = 0.01, slow_motion = 0.01;

}  // namespace

double fastest_rate(Ode& ode, double t, const Vector& y, Vector& slope, Vector& changed, Vector& direction) {
  if (!ode.derivative(t, y, 0, slope)) return 0;
  const double distance = std::sqrt(std::numeric_limits<double>::epsilon()) * (1 + y.norm());
  for (Eigen::Index i = 0; i < y.size(); ++i) direction[i] = 1 + 0.3 * std::sin(static_cast<double>(7 * i + 1));
  direction /= direction.norm();
  double sum = 0;  // of the logarithms of growth: a pair of rates turns, and only their mean is a rate
  for (int k = 0; k < iterations; ++k) {
    changed = y + distance * direction;
    if (!ode.derivative(t, changed, 0, direction)) return 0;
    direction = (direction - slope) / distance;
    const double growth = direction.norm();
    if (!(growth > 0) || !std::isfinite(growth)) return 0;
    direction /= growth;
    if (k >= warming_up) sum += std::log(growth);
  }
  return std::exp(sum / (iterations - warming_up));
}

bool StiffnessWatch::step(double t, const Vector& y) {
  if (++steps_ % steps_between_looks != 0) return false;
  const double mean_step = (t - t_) / steps_between_looks;
  t_ = t;
  left_ = (until_ - t) / mean_step;
  if (left_ <= many_steps) return false;
  measure_rate(t, y, mean_step);
  return mean_step_ * rate_ > at_boundary * boundary_ || (left_ > endless_steps && is_slow(t, y));
}

/// Does the motion change much more slowly than it could? Along its own way its slope changes by Jẏ.
bool StiffnessWatch::is_slow(double t, const Vector& y) {
  if (!(mean_step_ * rate_ > short_step) || !ode_.derivative(t, y, 0, slope_)) return false;
  const double speed = slope_.norm();
  const double distance = std::sqrt(std::numeric_limits<double>::epsilon()) * (1 + y.norm());
  changed_ = y + distance / speed * slope_;
  if (!(speed > 0) || !ode_.derivative(t, changed_, 0, direction_)) return false;
  return (direction_ - slope_).norm() / distance < slow_motion * rate_;
}

void StiffnessWatch::measure_rate(double t, const Vector& y, double mean_step) {
  mean_step_ = mean_step;
  slope_ = changed_ = direction_ = Vector::Zero(y.size());
  rate_ = fastest_rate(ode_, t, y, slope_, changed_, direction_);
}

}  // namespace taut
