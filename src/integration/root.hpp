#pragma once

#include <cmath>
#include <utility>

namespace taut {

/// A zero of g between a and b, where g has different signs (ga, gb): regula falsi in the Illinois
/// form, with a bisection whenever the bracket does not at least halve.
template <class Function>
double find_root(Function&& g, double a, double b, double ga, double gb) {
  if (ga == 0) return a;
  if (gb == 0) return b;
  for (int k = 0; k < 100 && std::abs(b - a) > 4e-16 * (std::abs(a) + std::abs(b)); ++k) {
    const double width = b - a;
    const auto narrow = [&](double c) {
      const double gc = g(c);
      if ((gc < 0) == (gb < 0)) {
        b = c;
        gb = gc;
        ga *= 0.5;
      } else {
        a = c;
        ga = gc;
        gb *= 0.5;
      }
      return gc == 0;
    };
    double c = b - gb * (b - a) / (gb - ga);
    if (!(c > a && c < b)) c = 0.5 * (a + b);
    if (narrow(c)) return c;
    if (b - a <= 0.5 * width) continue;
    c = 0.5 * (a + b);
    if (narrow(c)) return c;
  }
  return 0.5 * (a + b);
}

}  // namespace taut
