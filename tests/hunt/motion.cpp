#include "hunt/motion.hpp"

#include <algorithm>
#include <cmath>

namespace taut::hunt {
namespace {

State end_of(const Motion& motion, const State& start, Real until, Real tolerance) {
  if (motion.solve) return motion.solve(start, until, tolerance);
  return integrate(motion.rates, 0, until, start, tolerance);
}

/// The largest of the first or the second half, at the start or at the end: of positions or of speeds.
Real size_of(const State& start, const State& end, std::size_t k) {
  const std::size_t half = start.size() / 2, from = k < half ? 0 : half, to = k < half ? half : start.size();
  Real size = 0;
  for (std::size_t i = from; i < to; ++i) size = std::max({size, std::abs(start[i]), std::abs(end[i])});
  return size;
}

}  // namespace

std::vector<Expected> expected_of(const Motion& motion, Real until) {
  constexpr Real change = 1e-6L, coarse = 1e-12L;
  const State end = end_of(motion, motion.start, until, 1e-15L);
  const State before = motion.figures(0, motion.start), figures = motion.figures(until, end);
  std::vector<Expected> list;
  for (std::size_t i = 0; i < figures.size(); ++i)
    list.push_back({motion.names[i], figures[i], std::max(std::abs(figures[i]), std::abs(before[i]))});
  for (std::size_t k = 0; k < motion.start.size(); ++k) {
    State moved = motion.start;
    moved[k] += change * size_of(motion.start, end, k);
    const State there = motion.figures(until, end_of(motion, moved, until, coarse));
    for (std::size_t i = 0; i < figures.size(); ++i) list[i].sensitivity += std::abs(there[i] - figures[i]) / change;
  }
  return list;
}

}  // namespace taut::hunt
