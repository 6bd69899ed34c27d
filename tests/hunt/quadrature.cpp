#include "hunt/quadrature.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace taut::hunt {
namespace {

constexpr int points = 16;
struct Rule {
  std::array<Real, points> place, weight;
};

/// Zeros of Legendre's polynomial by Newton's iteration.
Rule gauss_legendre() {
  Rule rule;
  for (int i = 0; i < points; ++i) {
    Real x = std::cos(pi * (i + 0.75L) / (points + 0.5L)), slope = 1;
    for (int k = 0; k < 100; ++k) {
      Real p = 1, before = 0;
      for (int n = 0; n < points; ++n) {
        const Real next = ((2 * n + 1) * x * p - n * before) / (n + 1);
        before = p;
        p = next;
      }
      slope = points * (x * p - before) / (x * x - 1);
      x -= p / slope;
      if (std::abs(p / slope) < 1e-19L) break;
    }
    rule.place[i] = x;
    rule.weight[i] = 2 / ((1 - x * x) * slope * slope);
  }
  return rule;
}

}  // namespace

Real integral(const std::function<Real(Real)>& f, Real a, Real b) {
  static const Rule rule = gauss_legendre();
  const Real middle = (a + b) / 2, half = (b - a) / 2;
  Real sum = 0;
  for (int i = 0; i < points; ++i) sum += rule.weight[i] * f(middle + half * rule.place[i]);
  return sum * half;
}

namespace {

/// How far to go in one interval from u: a share of the distance to the nearest bend, so that the intervals are graded.
Real interval(const OneWay& way, Real u) {
  if (way.period == 0) return way.coarse;
  const Real turns = (u - way.bend) / way.period;
  const Real distance = std::abs(turns - std::round(turns)) * way.period;
  return std::min(way.coarse, std::max(distance / 4, way.width / 8));
}

/// The place within [u, u + step] at which `time` has passed.
Real place_within(const OneWay& way, Real u, Real step, Real time) {
  Real low = 0, high = step;
  for (int k = 0; k < 80; ++k) {
    const Real middle = (low + high) / 2;
    (way.direction * integral(way.pace, u, u + middle) < time ? low : high) = middle;
  }
  return u + (low + high) / 2;
}

}  // namespace

Real OneWay::at(Real time) const {
  Real u = start;
  for (;;) {
    const Real step = direction * interval(*this, u);
    const Real taken = direction * integral(pace, u, u + step);
    if (taken >= time) return place_within(*this, u, step, time);
    time -= taken;
    u += step;
  }
}

}  // namespace taut::hunt
