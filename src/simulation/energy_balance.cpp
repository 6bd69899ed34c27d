#include "simulation/energy_balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

/// An energy law changes speeds by at most this many times what the error test of a step lets pass.
constexpr double most_for_energy = 30;

}  // namespace

double EnergyBalance::error(double t, const Vector& y) {
  const double sum = y.sum();
  if (t_ == t && sum_ == sum) return error_;
  if (!evaluation_.physical(t, y)) return std::numeric_limits<double>::quiet_NaN();
  sum_ = sum;
  t_ = t;
  return error_ = error_here(t, y);
}

void EnergyBalance::keep_error(double t, const Vector& y, double error) {
  t_ = std::numeric_limits<double>::quiet_NaN();
  if (evaluation_.physical(t, y)) E0_ += error_here(t, y) - error;
}

double EnergyBalance::error_here(double t, const Vector& y) {
  return evaluation_.system().energy(t, evaluation_.at().q, evaluation_.at().v) - target(y);
}

EnergyCorrection::EnergyCorrection(Evaluation& evaluation, EnergyLaw* law, const EnergyBalance& balance,
                                   const MotionSettings& settings)
    : evaluation_(evaluation), law_(law), balance_(balance), settings_(settings) {}

bool EnergyCorrection::apply(double t, Vector& y) {
  const StateLayout& layout = evaluation_.layout();
  EvaluatedPoint& at = evaluation_.at();
  if (!evaluation_.physical(t, y)) return false;
  if (!evaluation_.knows(t, y) && !evaluation_.manifold().factor_at(t, at.q, at.v)) return false;
  evaluation_.forget();
  law_->correct(evaluation_.manifold(), t, at.q, at.v, balance_.target(y));
  if (changes_speeds_too_much(y)) return true;
  y.segment(layout.n_q, layout.n_v) = at.v;
  return true;
}

/// Where the free motion turns round it has no kinetic energy, and the error of a step in energy would become its root
/// in speeds. What is not corrected there is corrected after the next steps.
bool EnergyCorrection::changes_speeds_too_much(const Vector& y) const {
  if (!settings_.has_tolerance()) return false;
  const Vector& v = evaluation_.at().v;
  double change = 0, speed = 0;
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    change = std::max(change, std::abs(v[i] - y[evaluation_.layout().n_q + i]));
    speed = std::max(speed, std::abs(v[i]));
  }
  return change > most_for_energy * settings_.allowed(speed);
}

}  // namespace taut
