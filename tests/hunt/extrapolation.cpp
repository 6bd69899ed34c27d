#include "hunt/extrapolation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace taut::hunt {
namespace {

constexpr int columns = 8;  ///< of the table: order 16

/// y + factor * slope.
State moved(const State& y, Real factor, const State& slope) {
  State out(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) out[i] = y[i] + factor * slope[i];
  return out;
}

/// Gragg's midpoint rule over h in n steps, n even, smoothed at the end: its error has even powers of h/n only.
State midpoint(const Rhs& f, Real t, const State& y, const State& slope, Real h, int n) {
  const Real step = h / n;
  State before = y;
  State now = moved(y, step, slope);
  for (int k = 1; k < n; ++k) {
    State next = moved(before, 2 * step, f(t + k * step, now));
    before = std::move(now);
    now = std::move(next);
  }
  const State last = f(t + h, now);
  for (std::size_t i = 0; i < y.size(); ++i) now[i] = (now[i] + before[i] + step * last[i]) / 2;
  return now;
}

/// Aitken and Neville's table towards step zero; the difference of its last two columns is the error's measure.
struct Extrapolated {
  State y;
  Real error;
};
Extrapolated extrapolate(const Rhs& f, Real t, const State& y, Real h, Real tolerance) {
  const State slope = f(t, y);
  std::array<State, columns> table;
  State coarser;
  for (int k = 0; k < columns; ++k) {
    State entry = midpoint(f, t, y, slope, h, 2 * (k + 1));
    for (int j = 0; j < k; ++j) {
      const Real ratio = Real(k + 1) / Real(k - j);
      State better(entry.size());
      for (std::size_t i = 0; i < entry.size(); ++i)
        better[i] = entry[i] + (entry[i] - table[j][i]) / (ratio * ratio - 1);
      table[j] = std::move(entry);
      entry = std::move(better);
    }
    if (k > 0) coarser = table[k - 1];
    table[k] = std::move(entry);
  }
  // A component counts by its own size, but not where it is nothing beside the others.
  Real largest = 1e-300L;
  for (const Real value : y) largest = std::max(largest, std::abs(value));
  Real error = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const Real size = std::max({std::abs(y[i]), std::abs(table.back()[i]), std::abs(h * slope[i]), largest / 100});
    const Real share = std::abs(table.back()[i] - coarser[i]) / (size * tolerance);
    error = std::isfinite(share) ? std::max(error, share) : std::numeric_limits<Real>::infinity();
    if (!std::isfinite(error)) break;
  }
  return {std::move(table.back()), error};
}

Real next_step(Real h, Real error) {
  const Real factor = 0.8L * std::pow(std::max(error, 1e-10L), -1.0L / (2 * columns - 1));
  return h * std::clamp(factor, 0.1L, 4.0L);
}

/// One accepted step of at most h, and what to try next.
struct Step {
  Real h, next;
  State y;
};
Step accepted_step(const Rhs& f, Real t, const State& y, Real h, Real tolerance) {
  for (int trial = 0; trial < 60; ++trial) {
    Extrapolated result = extrapolate(f, t, y, h, tolerance);
    if (result.error <= 1) return {h, next_step(h, result.error), std::move(result.y)};
    h = next_step(h, result.error);
  }
  throw std::runtime_error("the truth's own integration stalls");
}

}  // namespace

State integrate(const Rhs& f, Real t, Real t_end, State y, Real tolerance) {
  Real h = (t_end - t) / 16;
  while (t < t_end) {
    const bool last = t + h >= t_end;
    Step step = accepted_step(f, t, y, last ? t_end - t : h, tolerance);
    t = last && step.h >= t_end - t ? t_end : t + step.h;
    y = std::move(step.y);
    h = step.next;
  }
  return y;
}

Stop integrate_until(const Rhs& f, const Switch& g, Real side, Real t, Real t_end, State y, Real longest) {
  constexpr Real tolerance = 1e-16L;
  const auto beyond = [&](Real time, const State& at) { return side * g(time, at) <= 0; };
  Real h = std::min(longest, t_end - t);
  while (t < t_end) {
    const Step step = accepted_step(f, t, y, std::min(h, t_end - t), tolerance);
    if (beyond(t + step.h, step.y)) {
      Real low = 0, high = step.h;
      for (int k = 0; k < 64; ++k) {
        const Real middle = (low + high) / 2;
        (beyond(t + middle, extrapolate(f, t, y, middle, tolerance).y) ? high : low) = middle;
      }
      return {t + high, extrapolate(f, t, y, high, tolerance).y, true};
    }
    t = step.h >= t_end - t ? t_end : t + step.h;
    y = step.y;
    h = std::min(longest, step.next);
  }
  return {t_end, std::move(y), false};
}

}  // namespace taut::hunt
