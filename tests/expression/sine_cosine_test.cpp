#include "expression/sine_cosine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "expression/program.hpp"
#include "random_formula.hpp"

namespace taut {
namespace {

constexpr double limit = 0x1p17;  ///< beyond it the library serves

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

/// How far `value` is from `exact`, in units of the last place that a double of that size has.
double units(double value, long double exact) {
  int exponent = 0;
  std::frexp(exact, &exponent);
  return static_cast<double>(std::abs(value - exact) / std::ldexp(1.0L, exponent - 53));
}

/// Some of every size, and where the polynomials end, change places or lose digits.
std::vector<double> arguments() {
  std::mt19937_64 random(1);
  std::vector<double> all = {0.0, -0.0, 5e-324, 1e-310, 0x1p-1022, 0x1p-27, 1, limit, std::nextafter(limit, 0)};
  for (const double range : {1e-8, 0.01, 0.8, 1.6, 3.2, 7.0, 100.0, 1e4, limit}) {
    std::uniform_real_distribution<double> inside(-range, range);
    for (int k = 0; k < 100'000; ++k) all.push_back(inside(random));
  }
  return all;
}

/// Doubles next to every multiple of pi/4 below the limit: there quarters change, and r is smallest.
std::vector<double> turning_points() {
  std::vector<double> all;
  for (int k = 1; k * std::numbers::pi / 4 < limit; ++k) {
    const double at = static_cast<double>(k * (std::numbers::pi_v<long double> / 4));
    for (const double x : {at, std::nextafter(at, 0), std::nextafter(at, limit)}) all.push_back(x);
  }
  return all;
}

/// The roundings: sine half a unit in the last sum, where the small term is at most 0.12 of the large one and wrong by
/// two or three roundings; cosine half a unit, and z/2 < 0.31 wrong by half a unit of its own. 0.85 covers both.
void expect_within_a_unit(const std::vector<double>& all) {
  if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "long double tells no more than double";
  double sine = 0, cosine = 0;
  for (const double x : all) {
    const taut_pair pair = taut_sincos(x);
    const long double argument = x;
    sine = std::max(sine, units(pair.sine, std::sin(argument)));
    cosine = std::max(cosine, units(pair.cosine, std::cos(argument)));
    ASSERT_LT(std::max(sine, cosine), 0.85) << x;
  }
  // A test that measures nothing would pass as well: roundings of half a unit must be seen.
  EXPECT_GT(std::min(sine, cosine), 0.45);
}

TEST(SineCosine, AreWithinAUnitInTheLastPlace) { expect_within_a_unit(arguments()); }

TEST(SineCosine, AreWithinAUnitNextToEveryMultipleOfAnEighthOfATurn) { expect_within_a_unit(turning_points()); }

TEST(SineCosine, AreTheSameAloneAndTogether) {
  for (const auto& all : {arguments(), turning_points()}) {
    for (const double x : all) {
      const taut_pair pair = taut_sincos(x);
      ASSERT_EQ(bits(taut_sin(x)), bits(pair.sine)) << x;
      ASSERT_EQ(bits(taut_cos(x)), bits(pair.cosine)) << x;
    }
  }
}

/// Easy arguments and hard ones in one four.
TEST(SineCosine, OfFourAreThoseOfEach) {
  std::vector<double> all = arguments();
  for (const double x : turning_points()) all.push_back(x);
  std::shuffle(all.begin(), all.end(), std::mt19937_64(5));
  for (std::size_t k = 0; k < all.size(); k += 97) all[k] *= 1e6;
  for (std::size_t k = 0; k + 4 <= all.size(); k += 4) {
    double sines[4], cosines[4];
    taut_sincos_four(all.data() + k, sines, cosines);
    for (std::size_t i = 0; i < 4; ++i) {
      const taut_pair pair = taut_sincos(all[k + i]);
      ASSERT_EQ(bits(sines[i]), bits(pair.sine)) << all[k + i];
      ASSERT_EQ(bits(cosines[i]), bits(pair.cosine)) << all[k + i];
    }
  }
}

TEST(SineCosine, AreOddAndEvenToTheLastBit) {
  for (const double x : arguments()) {
    ASSERT_EQ(bits(taut_sin(-x)), bits(-taut_sin(x))) << x;
    ASSERT_EQ(bits(taut_cos(-x)), bits(taut_cos(x))) << x;
  }
}

TEST(SineCosine, AreTheLibrarysBeyondTheLimit) {
  for (const double x : {std::nextafter(limit, 1e300), 1e9, -1e22, 0x1.6ac5b262ca1ffp849, 1.7e308}) {
    EXPECT_EQ(bits(taut_sin(x)), bits(std::sin(x))) << x;
    EXPECT_EQ(bits(taut_cos(x)), bits(std::cos(x))) << x;
  }
}

TEST(SineCosine, OfWhatIsNotANumberAreNotANumber) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double x : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(taut_sin(x)));
    EXPECT_TRUE(std::isnan(taut_cos(x)));
    EXPECT_TRUE(std::isnan(taut_sincos(x).sine));
    EXPECT_TRUE(std::isnan(taut_sincos(x).cosine));
  }
}

/// Easy arguments and hard ones, in one block of lanes and across blocks.
TEST(SineCosine, OverLanesAreThoseOfOneArgument) {
  const FourSymbols symbols;
  const Expression x = symbols.expressions[0], y = symbols.expressions[1], z = symbols.expressions[2];
  const std::vector<Program::Input> inputs = {{symbols.ids[0], 0}, {symbols.ids[1], 0}, {symbols.ids[2], 0}};
  const std::vector<Expression> outputs = {sin(x), cos(x), sin(y), cos(z)};
  const Program program(symbols.graph, inputs, outputs);
  std::vector<double> all = arguments();
  std::shuffle(all.begin(), all.end(), std::mt19937_64(2));
  for (std::size_t k = 0; k < all.size(); k += 97) all[k] = std::numbers::pi / 2 * static_cast<double>(k);
  for (std::size_t k = 0; k < all.size(); k += 101) all[k] *= 1e6;
  for (const int lanes : {2, 63, 64, 1000}) {
    Program::Workspace workspace = program.workspace(lanes);
    for (int k = 0; k < 3; ++k) std::copy_n(all.begin(), lanes, workspace.input(k));
    program.run(0, workspace);
    for (int lane = 0; lane < lanes; ++lane) {
      const double at = all[static_cast<std::size_t>(lane)];
      ASSERT_EQ(bits(program.output(0, workspace, lane)), bits(taut_sin(at))) << at;
      ASSERT_EQ(bits(program.output(1, workspace, lane)), bits(taut_cos(at))) << at;
      ASSERT_EQ(bits(program.output(2, workspace, lane)), bits(taut_sin(at))) << at;
      ASSERT_EQ(bits(program.output(3, workspace, lane)), bits(taut_cos(at))) << at;
    }
  }
}

}  // namespace
}  // namespace taut
