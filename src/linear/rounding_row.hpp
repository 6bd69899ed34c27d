#pragma once

namespace taut {

/// A row that is so short beside the longest is what rounding left of none, and has no direction.
inline constexpr double rounding_row = 1e-13;

}  // namespace taut
