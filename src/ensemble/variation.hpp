#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// What varies from member to member of a sweep, and how: "l=0.5:2:16", "m=1,2,5", "k=log(1:1e4:9)", "g=normal(9.81,
/// 0.1)".
namespace taut {

struct SweptName {
  /// Of the numbers: in even steps from the first to the last; in even ratios; those of a list; drawn from a
  /// distribution.
  enum class Kind { range, log_range, list, uniform, log_uniform, normal };

  std::string name;  ///< a parameter, NAME(0) or NAME'(0)
  Kind kind = Kind::list;
  std::vector<double> numbers;  ///< first and last; all; bounds; mean and standard deviation
  std::uint64_t count = 0;      ///< of values; 0: it is a distribution

  bool is_drawn() const { return count == 0; }
  /// Value k of those that are counted.
  double value(std::uint64_t k) const;
  /// The value that a share p of all lie below.
  double quantile(double p) const;

  bool operator==(const SweptName&) const = default;
};

/// Reads "NAME=WHAT". Throws InputError.
SweptName read_variation(const std::string& text);
/// As read_variation() reads it, with all digits.
std::string to_string(const SweptName& variation);

}  // namespace taut
