#pragma once

#include <vector>

#include "taut/expression.hpp"

namespace taut {

/// Formulas with their constant factors gathered: 2 x y + 2 u v becomes 2 (x y + u v), and 3 x - (x + x/2)/4 a multiple
/// of x. Factors move out of products and sums to where something else than these uses the result, or where it is used
/// more than once, so that what is left are products and sums of which machines that fuse them do two in one. Values
/// are the same but for rounding, which is of the same size.
std::vector<Expression> gather_factors(Graph& graph, const std::vector<Expression>& formulas);

}  // namespace taut
