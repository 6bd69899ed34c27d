#pragma once

#include <cmath>
#include <type_traits>

#include "linear/mass_factor.hpp"

/// The loops that a step of a small system spends its time in, over rows of up to 16 numbers: the length is known to
/// the compiler, sums stay in registers, and processors that have them use registers of four numbers. Every processor
/// adds in the same order, so that results do not depend on it.
namespace taut::short_rows {

/// Four numbers anywhere in memory. (A deduced pointer to them would forget that they are not aligned.)
using Four __attribute__((vector_size(32), aligned(8), may_alias)) = double;

inline constexpr int longest = 16;

/// Cᵀ := L⁻¹Hᵀ, then U of UᵀD⁻¹U = C₁C₁ᵀ over the first `rank` columns of Cᵀ, with D the diagonal of U, as rows that go
/// on over all columns. False, and nothing of use in U, where a pivot, the root of an entry of D, is not above `safe`.
struct Problem {
  const MassFactor& mass;
  int n, rank;
  double safe;
  double* Ct;              ///< n rows
  double* U;               ///< rank rows
  double* inverse;         ///< of the diagonal of U
  double smallest_square;  ///< of the pivots
};

template <int fours>
[[gnu::always_inline]] inline bool factor(Problem& p) {
  constexpr int width = 4 * fours;
  p.mass.lower_rows(p.Ct, std::integral_constant<int, width>{});
  p.smallest_square = 1;
  for (int k = 0; k < p.rank; ++k) {
    Four sum[fours] = {};
    for (int i = 0; i < p.n; ++i) {
      const double factor = p.Ct[i * width + k];
      if (factor == 0) continue;
      const Four* row = reinterpret_cast<const Four*>(p.Ct + i * width);
      for (int j = 0; j < fours; ++j) sum[j] += factor * row[j];
    }
    for (int i = 0; i < k; ++i) {
      const double factor = p.U[i * width + k] * p.inverse[i];
      const Four* row = reinterpret_cast<const Four*>(p.U + i * width);
      for (int j = 0; j < fours; ++j) sum[j] -= factor * row[j];
    }
    Four* target = reinterpret_cast<Four*>(p.U + k * width);
    for (int j = 0; j < fours; ++j) target[j] = sum[j];
    const double square = p.U[k * width + k];
    if (!(square > p.safe * p.safe) || std::isinf(square)) return false;
    if (square < p.smallest_square) p.smallest_square = square;
    p.inverse[k] = 1 / square;
  }
  return true;
}

[[gnu::always_inline]] inline bool factor(Problem& p, int width) {
  switch (width) {
    case 4:
      return factor<1>(p);
    case 8:
      return factor<2>(p);
    case 12:
      return factor<3>(p);
    default:
      return factor<4>(p);
  }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] inline bool factor_by_fours(Problem& p, int width) { return factor(p, width); }
inline bool has_fours() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}
#endif
inline bool factor_by_twos(Problem& p, int width) { return factor(p, width); }

/// Rows of `width` numbers, a multiple of four.
inline bool factor_anywhere(Problem& p, int width) {
#if defined(__x86_64__)
  if (has_fours()) return factor_by_fours(p, width);
#endif
  return factor_by_twos(p, width);
}

}  // namespace taut::short_rows
