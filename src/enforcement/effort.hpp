#pragma once

#include "linear/kernel.hpp"

namespace taut {

/// How often the equations were evaluated, and factored.
struct WorkCounts {
  long evaluations = 0;
  long factorisations = 0;  ///< of M and H where the equations were evaluated or a point was put onto the constraints
};

/// What solving has cost, and what was not as it should be.
struct Effort : WorkCounts {
  long left_to_matrices = 0;  ///< evaluations that formulas left to a kernel
  long hand_overs = 0;        ///< factorisations that a kernel left to another since determine_rank_afresh()
  long unsure_decisions = 0;  ///< which could not tell which rows count
  long unconverged = 0;       ///< solutions of a kernel whose iteration had not converged
  /// Of a kernel that goes part by part: how often a part was to be solved, and was known already.
  LinearKernel::PartSolutions part_solutions;
  bool lacks_reactions = false;    ///< none, or not one alone, were found when last asked for
  double coarsest_projection = 0;  ///< the largest change, relative, at which one ended since rounding allowed no less
};

}  // namespace taut
