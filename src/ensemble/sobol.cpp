#include "ensemble/sobol.hpp"

#include <array>

namespace taut {
namespace {

/// A primitive polynomial x^degree + a₁x^(degree−1) + … + 1, its inner coefficients as bits, and first odd numbers.
struct Direction {
  int degree;
  unsigned inner;
  std::array<unsigned, 7> first;
};

constexpr Direction directions[] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};
static_assert(std::size(directions) + 1 == most_sobol_dimensions);

using Bits = std::array<std::uint32_t, 32>;

/// The first dimension is van der Corput's.
constexpr Bits van_der_corput() {
  Bits v{};
  for (int k = 0; k < 32; ++k) v[k] = std::uint32_t{1} << (31 - k);
  return v;
}

constexpr Bits direction_bits(const Direction& d) {
  Bits v{};
  for (int k = 0; k < 32; ++k) {
    if (k < d.degree) {
      v[k] = d.first[k] << (31 - k);
      continue;
    }
    v[k] = v[k - d.degree] ^ (v[k - d.degree] >> d.degree);
    for (int j = 1; j < d.degree; ++j)
      if ((d.inner >> (d.degree - 1 - j)) & 1u) v[k] ^= v[k - j];
  }
  return v;
}

constexpr auto all_bits = [] {
  std::array<Bits, most_sobol_dimensions> table{van_der_corput()};
  for (int k = 1; k < most_sobol_dimensions; ++k) table[k] = direction_bits(directions[k - 1]);
  return table;
}();

}  // namespace

std::uint32_t sobol(std::uint64_t point, int dimension) {
  std::uint32_t x = 0;
  std::uint64_t gray = point ^ (point >> 1);
  for (int k = 0; gray != 0 && k < 32; ++k, gray >>= 1)
    if (gray & 1) x ^= all_bits[static_cast<std::size_t>(dimension)][static_cast<std::size_t>(k)];
  return x;
}

}  // namespace taut
