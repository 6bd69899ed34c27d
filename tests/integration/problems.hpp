#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "integration/integrator.hpp"

/// What the tests of all integrators share.
namespace taut::test {

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

inline StepControl fixed(double step, double until) {
  StepControl control;
  control.step = step;
  control.until = until;
  return control;
}

inline StepControl adaptive(double tolerance, double until) {
  StepControl control;
  control.rtol = tolerance;
  control.atol = tolerance;
  control.until = until;
  return control;
}

/// Counts what is asked of it.
class Counted : public Ode {
 public:
  bool derivative(double t, const Vector& y, double, Vector& ydot) override {
    ++evaluations;
    latest = std::max(latest, t);
    slope(t, y, ydot);
    return true;
  }
  virtual void slope(double t, const Vector& y, Vector& ydot) const = 0;

  long evaluations = 0;
  double latest = 0;
};

/// y₀' = y₀ y₁, y₁' = y₂, y₂' = −y₁: nonlinear, with the entire solution (exp(sin t), cos t, −sin t). Every call is
/// noted.
class Wave : public Counted {
 public:
  int size() const override { return 3; }
  void begin_step(double, const Vector&, double) override { ++begun; }
  bool derivative(double t, const Vector& y, double h, Vector& ydot) override {
    times.push_back(t);
    return Counted::derivative(t, y, h, ydot);
  }
  void slope(double, const Vector& y, Vector& ydot) const override {
    ydot[0] = y[0] * y[1];
    ydot[1] = y[2];
    ydot[2] = -y[1];
  }
  static Vector at(double t) { return Vector{{std::exp(std::sin(t)), std::cos(t), -std::sin(t)}}; }

  std::vector<double> times;
  int begun = 0;
};

}  // namespace taut::test
