#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "taut/taut.hpp"

/// What the analytic tests compare with: one-degree-of-freedom mechanisms in their own independent
/// coordinate, integrated by classical RK4 in long double with steps so small that its error is far
/// below every bound asserted.
namespace taut::test {

/// theta'' = acceleration(theta, omega), walked forward on demand.
class IndependentMotion {
 public:
  using Real = long double;
  using Acceleration = std::function<Real(Real theta, Real omega)>;

  IndependentMotion(Real theta, Real omega, Real step, Acceleration acceleration)
      : theta_(theta), omega_(omega), step_(step), acceleration_(std::move(acceleration)) {}

  /// theta at t, which must not go backwards. Ends with one shorter step if t is no multiple of the step.
  Real theta_at(Real t) {
    const auto whole = static_cast<long>(std::floor(t / step_ + 1e-9L));
    while (steps_ < whole) {
      advance(theta_, omega_, step_);
      ++steps_;
    }
    Real theta = theta_, omega = omega_;
    const Real rest = t - static_cast<Real>(steps_) * step_;
    if (rest > 1e-15L) advance(theta, omega, rest);
    return theta;
  }

 private:
  void advance(Real& theta, Real& omega, Real h) const {
    const Real a1 = acceleration_(theta, omega);
    const Real v2 = omega + h / 2 * a1, a2 = acceleration_(theta + h / 2 * omega, v2);
    const Real v3 = omega + h / 2 * a2, a3 = acceleration_(theta + h / 2 * v2, v3);
    const Real v4 = omega + h * a3, a4 = acceleration_(theta + h * v3, v4);
    theta += h / 6 * (omega + 2 * v2 + 2 * v3 + v4);
    omega += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }

  Real theta_, omega_, step_;
  long steps_ = 0;
  Acceleration acceleration_;
};

/// The largest value of error(row) over all recorded rows.
class LargestError : public Observer {
 public:
  explicit LargestError(std::function<double(const std::vector<double>&)> error) : error_(std::move(error)) {}
  void row(const std::vector<double>& values) override { largest_ = std::max(largest_, std::abs(error_(values))); }
  double largest() const { return largest_; }

 private:
  std::function<double(const std::vector<double>&)> error_;
  double largest_ = 0;
};

inline double coordinate(const Run& run, const std::string& name) {
  return value_of(run.summary.final_coordinates, name);
}

}  // namespace taut::test
