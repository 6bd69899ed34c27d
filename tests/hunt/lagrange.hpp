#pragma once

#include <Eigen/Dense>

#include "hunt/dual.hpp"
#include "hunt/extrapolation.hpp"

/// Lagrange's equations in minimal coordinates, from T − V alone, by dual numbers:
///   ∂²L/∂v² a = ∂L/∂q − ∂²L/∂v∂q v − ∂²L/∂v∂t + Q
/// `lagrangian(t, q, v)` is a generic function; q and v are vectors of whatever number it is called with.
namespace taut::hunt {

using Forces = std::function<State(Real t, const State& q, const State& v)>;

template <class Lagrangian>
class ReducedEquations {
 public:
  ReducedEquations(int freedoms, Lagrangian lagrangian, Forces forces = {})
      : n_(freedoms), lagrangian_(std::move(lagrangian)), forces_(std::move(forces)) {}

  /// d/dt (q, v).
  State operator()(Real t, const State& y) const {
    Matrix mass(n_, n_);
    Column right(n_);
    const State q(y.begin(), y.begin() + n_), v(y.begin() + n_, y.end());
    const State applied = forces_ ? forces_(t, q, v) : State(n_, 0);
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < n_; ++j) mass(i, j) = second(t, y, n_ + i, n_ + j).slope.slope;
      // A direction through (q, t) as the motion goes gives both mixed terms at once; the other slope is ∂L/∂q.
      right(i) = applied[i] + first(t, y, i) - along_motion(t, y, n_ + i);
    }
    const Column a = mass.partialPivLu().solve(right);
    State rate(y.begin() + n_, y.end());
    for (int i = 0; i < n_; ++i) rate.push_back(a(i));
    return rate;
  }

 private:
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
  using Number = Dual<Dual<Real>>;

  /// Number k of (q, v) with a unit in the outer slope for i and in the inner slope for j.
  Number second(Real t, const State& y, int i, int j) const {
    return evaluate(
        t, y, [&](int k) { return Real(k == i); }, [&](int k) { return Real(k == j); }, 0);
  }
  Real first(Real t, const State& y, int i) const {
    return evaluate(
               t, y, [&](int k) { return Real(k == i); }, [](int) { return Real(0); }, 0)
        .slope.value;
  }
  Real along_motion(Real t, const State& y, int i) const {
    const auto motion = [&](int k) { return k < n_ ? y[n_ + k] : Real(0); };
    return evaluate(
               t, y, [&](int k) { return Real(k == i); }, motion, 1)
        .slope.slope;
  }
  template <class Outer, class Inner>
  Number evaluate(Real t, const State& y, Outer outer, Inner inner, Real time) const {
    std::vector<Number> q, v;
    for (int k = 0; k < 2 * n_; ++k)
      (k < n_ ? q : v).push_back(Number(Dual<Real>(y[k], inner(k)), Dual<Real>(outer(k), Real(0))));
    return lagrangian_(Number(Dual<Real>(t, time), Dual<Real>(Real(0))), q, v);
  }

  int n_;
  Lagrangian lagrangian_;
  Forces forces_;
};

}  // namespace taut::hunt
