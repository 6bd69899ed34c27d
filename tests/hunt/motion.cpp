#include "hunt/motion.hpp"

#include <algorithm>
#include <cmath>

namespace taut::hunt {
namespace {

/// Between two kinks; at each of them the rates count as they are within the piece.
State piece(const Motion& motion, Real from, Real to, const State& y, Real tolerance) {
  const Real margin = 1e-17L * std::max(std::abs(from), std::abs(to));
  const auto within = [&](Real t, const State& at) {
    return motion.rates(std::clamp(t, from + margin, to - margin), at);
  };
  return integrate(within, from, to, y, tolerance);
}

State piece_by_piece(const Motion& motion, State y, Real until, Real tolerance) {
  State breaks = motion.breaks;
  std::sort(breaks.begin(), breaks.end());
  Real from = 0;
  for (const Real to : breaks) {
    if (to <= from || to >= until) continue;
    y = piece(motion, from, to, y, tolerance);
    if (motion.jump) motion.jump(to, y);
    from = to;
  }
  return piece(motion, from, until, y, tolerance);
}

State end_of(const Motion& motion, const State& start, Real until, Real tolerance) {
  if (motion.solve) return motion.solve(start, until, tolerance);
  return piece_by_piece(motion, start, until, tolerance);
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
