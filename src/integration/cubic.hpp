#pragma once

#include <array>
#include <cmath>

namespace taut {

/// A polynomial of third degree over x in [0, 1].
class Cubic {
 public:
  constexpr Cubic(double start, double slope, double square, double cube)
      : start_(start), slope_(slope), square_(square), cube_(cube) {}

  /// That of Hermite: values and slopes (by x) at both ends.
  static Cubic hermite(double start, double start_slope, double end, double end_slope) {
    const double rise = end - start;
    return {start, start_slope, 3 * rise - 2 * start_slope - end_slope, start_slope + end_slope - 2 * rise};
  }

  double operator()(double x) const { return start_ + x * (slope_ + x * (square_ + x * cube_)); }
  /// Its slope, by x.
  Cubic derivative() const { return {slope_, 2 * square_, 3 * cube_, 0}; }

  /// Where it turns between 0 and 1; 0 for a turn that is not there.
  std::array<double, 2> turns() const {
    const double discriminant = square_ * square_ - 3 * cube_ * slope_;
    if (!(discriminant >= 0)) return {0, 0};
    const double q = -(square_ + std::copysign(std::sqrt(discriminant), square_));
    const auto within = [](double x) { return x > 0 && x < 1 ? x : 0.0; };  // what is not a number is not within
    return {within(q / (3 * cube_)), within(slope_ / q)};
  }

 private:
  double start_, slope_, square_, cube_;
};

}  // namespace taut
