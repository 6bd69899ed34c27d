#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ensemble/variation.hpp"

namespace taut {

/// How numbers are drawn: independently; one from each of as many equal shares of every distribution; so that they fill
/// all of them together evenly.
enum class SamplingScheme { random, latin, sobol };
std::string to_string(SamplingScheme scheme);
/// Throws InputError.
SamplingScheme read_sampling(const std::string& text);

/// The members of a sweep, numbered from 0: which values each has. A member's values depend on its number and the seed
/// alone.
///
/// Ranges and lists make a grid, the last of them changing fastest, or go in step where they are paired. What is drawn
/// is drawn `samples` times at each point of the grid.
struct SweepPlan {
  std::vector<SweptName> variations;
  bool paired = false;
  SamplingScheme sampling = SamplingScheme::random;
  std::uint64_t samples = 0;  ///< 0: nothing is drawn, or as often as what it is paired with has values
  std::uint64_t seed = 0;
  std::uint64_t first = 0;  ///< the number of its first member, where it adds to a sweep: what is drawn goes on there

  /// Throws InputError where the plan makes no sense.
  void check() const;
  std::uint64_t size() const;
  std::vector<std::string> names() const;
  /// Of the member with this number, in the order of the variations.
  std::vector<double> values(std::uint64_t member) const;

  bool operator==(const SweepPlan&) const = default;

 private:
  std::uint64_t grid_size() const;
  std::uint64_t samples_each() const;
  double drawn(std::size_t variation, std::uint64_t member) const;
};

/// As JSON, from which read_plan() makes the same plan.
std::string to_json(const SweepPlan& plan);
SweepPlan read_plan(const std::string& json);

}  // namespace taut
