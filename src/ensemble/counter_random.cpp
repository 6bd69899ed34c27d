#include "ensemble/counter_random.hpp"

#include <bit>
#include <cmath>

namespace taut {
namespace {

using Words = std::array<std::uint32_t, 4>;

std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }
std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }

Words philox_round(const Words& c, const std::array<std::uint32_t, 2>& key) {
  const std::uint64_t a = std::uint64_t{0xD2511F53} * c[0], b = std::uint64_t{0xCD9E8D57} * c[2];
  return {high(b) ^ c[1] ^ key[0], low(b), high(a) ^ c[3] ^ key[1], low(a)};
}

/// c₀ + c₁ x + …
template <std::size_t count>
double polynomial(const double (&c)[count], double x) {
  double sum = 0;
  for (std::size_t k = count; k-- > 0;) sum = sum * x + c[k];
  return sum;
}

/// A Feistel network over 2·half bits: whatever the rounds compute, it is a permutation.
std::uint64_t feistel(std::uint64_t x, int half, const RandomPlace& place) {
  constexpr int rounds = 6;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  std::uint64_t left = x >> half, right = x & mask;
  for (int round = 0; round < rounds; ++round) {
    RandomPlace at = place;
    at.index = right;
    at.use = place.use + 1 + static_cast<std::uint32_t>(round);
    const std::uint64_t next = left ^ (random_bits(at) & mask);
    left = right;
    right = next;
  }
  return left << half | right;
}

}  // namespace

Words philox(Words counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    counter = philox_round(counter, key);
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

std::uint64_t random_bits(const RandomPlace& place) {
  const Words words =
      philox({low(place.index), high(place.index), place.stream, place.use}, {low(place.seed), high(place.seed)});
  return std::uint64_t{words[1]} << 32 | words[0];
}

double random_unit(const RandomPlace& place) { return (static_cast<double>(random_bits(place) >> 11) + 0.5) * 0x1p-53; }

/// Walks along the cycle of a larger permutation until it is back below `count`.
std::uint64_t permuted(std::uint64_t index, std::uint64_t count, const RandomPlace& place) {
  if (count < 2) return index;
  const int bits = std::bit_width(count - 1), half = (bits + 1) / 2;
  do {
    index = feistel(index, half, place);
  } while (index >= count);
  return index;
}

double normal_quantile(double p) {
  static constexpr double a[] = {3.3871328727963666080,    1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                 1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                 3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static constexpr double b[] = {1.0,
                                 4.2313330701600911252e+1,
                                 6.8718700749205790830e+2,
                                 5.3941960214247511077e+3,
                                 2.1213794301586595867e+4,
                                 3.9307895800092710610e+4,
                                 2.8729085735721942674e+4,
                                 5.2264952788528545610e+3};
  static constexpr double c[] = {1.42343711074968357734,    4.63033784615654529590,   5.76949722146069140550,
                                 3.64784832476320460504,    1.27045825245236838258,   2.41780725177450611770e-1,
                                 2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static constexpr double d[] = {1.0,
                                 2.05319162663775882187,
                                 1.67638483018380384940,
                                 6.89767334985100004550e-1,
                                 1.48103976427480074590e-1,
                                 1.51986665636164571966e-2,
                                 5.47593808499534494600e-4,
                                 1.05075007164441684324e-9};
  static constexpr double e[] = {6.65790464350110377720,    5.46378491116411436990,    1.78482653991729133580,
                                 2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                 2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr double f[] = {1.0,
                                 5.99832206555887937690e-1,
                                 1.36929880922735805310e-1,
                                 1.48753612908506148525e-2,
                                 7.86869131145613259100e-4,
                                 1.84631831751005468180e-5,
                                 1.42151175831644588870e-7,
                                 2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  const double r = std::sqrt(-std::log(q < 0 ? p : 1 - p));
  const double x =
      r <= 5 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6) : polynomial(e, r - 5) / polynomial(f, r - 5);
  return q < 0 ? -x : x;
}

}  // namespace taut
