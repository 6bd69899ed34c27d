#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "taut/system.hpp"

namespace taut {

/// Rows of H that are dependent: Σ weight · row = 0. The multipliers may change along it without changing the motion.
struct Dependency {
  std::vector<std::pair<int, double>> terms;  ///< row, weight
};

struct Redundancy {
  std::vector<Dependency> dependencies;  ///< a basis of { w : Hᵀ w = 0 }, each as few rows as the others leave it
  bool too_large = false;                ///< too many to find; then they are not known
};

/// The dependencies among the rows of H that are not soft. Rows that share no column, not even by way of others, are
/// looked at apart. `rank`, where it is known, says how many rows are independent.
Redundancy find_redundancy(const SparseValues& H, const std::vector<double>& softness, std::optional<int> rank);

}  // namespace taut
