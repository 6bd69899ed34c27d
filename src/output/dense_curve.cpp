#include "output/dense_curve.hpp"

#include <algorithm>
#include <cmath>

namespace taut {

DenseTimes dense_times(const std::vector<double>& t, std::size_t wanted) {
  DenseTimes times;
  const double span = t.empty() ? 0 : t.back() - t.front();
  const bool refine = t.size() >= 2 && t.size() < wanted && span > 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    times.t.push_back(t[k]);
    times.before.push_back(k);
    if (!refine || k + 1 == t.size() || !(t[k + 1] > t[k])) continue;
    const double share = (t[k + 1] - t[k]) / span;
    const int parts = std::max(1, static_cast<int>(std::ceil(share * static_cast<double>(wanted))));
    for (int i = 1; i < parts; ++i) {
      times.t.push_back(t[k] + (t[k + 1] - t[k]) * i / parts);
      times.before.push_back(k);
    }
  }
  return times;
}

std::vector<double> dense_values(const DenseTimes& times, const std::vector<double>& t, const std::vector<double>& y,
                                 const std::vector<double>& slopes) {
  std::vector<double> values;
  values.reserve(times.t.size());
  for (std::size_t i = 0; i < times.t.size(); ++i) {
    const std::size_t k = times.before[i];
    if (times.t[i] == t[k] || k + 1 >= t.size()) {
      values.push_back(y[k]);
      continue;
    }
    const double h = t[k + 1] - t[k], s = (times.t[i] - t[k]) / h, d = (y[k + 1] - y[k]) / h;
    // A slope that is not known is that of the straight line.
    const double a = std::isfinite(slopes[k]) ? slopes[k] : d, b = std::isfinite(slopes[k + 1]) ? slopes[k + 1] : d;
    values.push_back(y[k] + h * s * (a + s * (3 * d - 2 * a - b + s * (a + b - 2 * d))));
  }
  return values;
}

std::vector<double> estimated_slopes(const std::vector<double>& t, const std::vector<double>& y) {
  const std::size_t n = t.size();
  if (n < 2) return std::vector<double>(n, 0.0);
  // Differences, with two more at each end that go on as the last ones do.
  std::vector<double> d(n + 3);
  for (std::size_t k = 0; k + 1 < n; ++k) d[k + 2] = t[k + 1] > t[k] ? (y[k + 1] - y[k]) / (t[k + 1] - t[k]) : 0;
  const auto beyond = [](double near, double far) { return 2 * near - far; };
  d[1] = n > 2 ? beyond(d[2], d[3]) : d[2];
  d[0] = beyond(d[1], d[2]);
  d[n + 1] = n > 2 ? beyond(d[n], d[n - 1]) : d[n];
  d[n + 2] = beyond(d[n + 1], d[n]);
  std::vector<double> slopes(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double *e = &d[k], change = 0.5;
    const double right = std::abs(e[3] - e[2]) + change * std::abs(e[3] + e[2]);
    const double left = std::abs(e[1] - e[0]) + change * std::abs(e[1] + e[0]);
    slopes[k] = right + left > 0 ? (right * e[1] + left * e[2]) / (right + left) : 0;
  }
  return slopes;
}

}  // namespace taut
