#pragma once

#include <vector>

#include "taut/vector.hpp"

namespace taut {

/// Rows of H that do not follow from others: as many of the first `position_rows` as can be, then of the rest.
std::vector<int> independent_constraints(const Matrix& H, int position_rows);

}  // namespace taut
