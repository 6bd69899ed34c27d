#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

/// What is drawn at random. The generator is written out, so that a seed means the same model everywhere.
namespace taut::hunt {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  /// splitmix64.
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  double fraction() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// Of few digits, so that models stay readable; the number itself is what the truth is computed with.
  double between(double least, double most) {
    return std::stod(fmt::format("{:.5g}", least + (most - least) * fraction()));
  }
  /// Every order of magnitude is as likely.
  double scaled(double least, double most) {
    return std::stod(fmt::format("{:.5g}", least * std::exp(std::log(most / least) * fraction())));
  }
  int whole(int least, int most) { return least + static_cast<int>(next() % static_cast<unsigned>(most - least + 1)); }
  bool chance(double probability) { return fraction() < probability; }
  double sign() { return chance(0.5) ? 1 : -1; }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[next() % list.size()];
  }
  std::string one_of(std::initializer_list<const char*> list) { return std::data(list)[next() % list.size()]; }

 private:
  std::uint64_t state_;
};

}  // namespace taut::hunt
