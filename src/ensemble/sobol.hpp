#pragma once

#include <cstdint>

/// Sobol's sequence: points that fill a cube evenly, whatever number of them is taken.
namespace taut {

/// So many names can vary together by it, and so many members there can be.
inline constexpr int most_sobol_dimensions = 21;
inline constexpr std::uint64_t most_sobol_points = std::uint64_t{1} << 32;

/// One coordinate of one point, as a fraction of 2^32. Direction numbers of Joe & Kuo 2008; the order is that of Gray
/// codes (Antonov & Saleev 1979).
std::uint32_t sobol(std::uint64_t point, int dimension);

}  // namespace taut
