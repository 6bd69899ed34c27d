#pragma once

#include <array>
#include <cstdint>

/// Random numbers by counter: a number is a function of seed, stream and place, and of nothing that happened before. A
/// member of a sweep can be drawn alone, anywhere, in any order.
namespace taut {

/// Philox4x32 with ten rounds (Salmon et al. 2011): four words from a counter of four and a key of two.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// Where a random number stands.
struct RandomPlace {
  std::uint64_t seed = 0;
  std::uint32_t stream = 0;  ///< what it is drawn for: a name that varies
  std::uint64_t index = 0;   ///< of the member
  std::uint32_t use = 0;     ///< what else tells it from others
};

std::uint64_t random_bits(const RandomPlace& place);
/// Between 0 and 1, neither of them: the middle of one of 2^53 intervals.
double random_unit(const RandomPlace& place);

/// A permutation of 0 … count − 1 that needs no memory: where `index` goes. `place.index` plays no part.
std::uint64_t permuted(std::uint64_t index, std::uint64_t count, const RandomPlace& place);

/// x with P(X < x) = p of the standard normal distribution, 0 < p < 1: Wichura 1988, AS 241, to sixteen digits.
double normal_quantile(double p);

}  // namespace taut
