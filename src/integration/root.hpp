#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace taut {

/// A zero of g between a and b, where g has different signs (ga, gb), to rounding of its place: inverse quadratic
/// interpolation where its three points allow it, else bisection, after Chandrupatla, Advances in Engineering Software
/// 28 (1997) 145.
template <class Function>
double find_root(Function&& g, double a, double b, double ga, double gb) {
  if (ga == 0) return a;
  if (gb == 0) return b;
  double c = a, gc = ga, share = 0.5;  // c is the point left last
  for (int k = 0; k < 200; ++k) {
    const double x = a + share * (b - a), gx = g(x);
    const bool same = (gx < 0) == (ga < 0);
    c = same ? a : std::exchange(b, a);
    gc = same ? ga : std::exchange(gb, ga);
    a = x;
    ga = gx;
    const double best = std::abs(ga) < std::abs(gb) ? a : b;
    const double least = 2 * std::numeric_limits<double>::epsilon() * std::abs(best) / std::abs(b - a);
    if (gx == 0 || least > 0.5) return best;
    const double xi = (a - b) / (c - b), phi = (ga - gb) / (gc - gb);
    const bool interpolates = phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi;
    share = interpolates ? ga / (gb - ga) * gc / (gb - gc) + (c - a) / (b - a) * ga / (gc - ga) * gb / (gc - gb) : 0.5;
    share = std::clamp(share, least, 1 - least);
  }
  return 0.5 * (a + b);
}

}  // namespace taut
