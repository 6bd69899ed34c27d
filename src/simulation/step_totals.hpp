#pragma once

#include <algorithm>

#include "integration/integrator.hpp"
#include "simulation/motion.hpp"

namespace taut {

/// What all accepted steps of a run come to.
struct StepTotals {
  double largest_correction = 0;  ///< of a coordinate, by correcting a step
  double largest_step = 0;
  double last_start = 0;               ///< when the last step began
  double largest_move = 0, moves = 0;  ///< of coordinates by corrections or terms: in a step, and in all
  double orders = 0;                   ///< of all steps, added up

  void add(const Step& step, int order, const Motion& motion) {
    largest_correction = std::max(largest_correction, motion.report().correction);
    largest_step = std::max(largest_step, step.h);
    last_start = step.t0;
    orders += order;
    const double moved = std::max(motion.report().correction, motion.report().term);
    largest_move = std::max(largest_move, moved);
    moves += moved;
  }
};

}  // namespace taut
