#include "output/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace taut {

double Axis::scaled(double value) const { return logarithmic ? std::log10(value) : value; }

bool Axis::shows(double value) const { return std::isfinite(value) && (!logarithmic || value > 0); }

double Axis::place(double value) const { return from + (to - from) * (scaled(value) - low) / (high - low); }

void Axis::include(double value) {
  if (!shows(value)) return;
  low = std::min(low, scaled(value));
  high = std::max(high, scaled(value));
}

void Axis::finish() {
  if (!(low <= high)) low = 0, high = 1;
  if (logarithmic) {
    low = std::floor(low);
    high = std::max(std::ceil(high), low + 1);
  } else {
    const double margin = high > low ? 0.04 * (high - low) : std::max(1e-12, 0.5 * std::abs(high));
    low -= margin;
    high += margin;
  }
}

std::vector<std::pair<double, std::string>> Axis::ticks(int most) const {
  std::vector<std::pair<double, std::string>> list;
  if (logarithmic) {
    const int every = std::max(1, static_cast<int>(std::ceil((high - low) / (most + 2))));
    for (int k = static_cast<int>(low); k <= high + 1e-9; k += every)
      list.emplace_back(std::pow(10.0, k), fmt::format("1e{}", k));
    return list;
  }
  const double raw = (high - low) / most, power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double nice : {1.0, 2.0, 5.0})
    if (raw <= nice * power) {
      step = nice * power;
      break;
    }
  for (double value = std::ceil(low / step) * step; value <= high + 1e-9 * step; value += step)
    list.emplace_back(value, fmt::format("{:.6g}", std::abs(value) < 1e-9 * step ? 0 : value));
  return list;
}

void equalise(Axis& x, Axis& y) {
  const double per_x = (x.high - x.low) / std::abs(x.to - x.from), per_y = (y.high - y.low) / std::abs(y.to - y.from);
  Axis& wide = per_x < per_y ? x : y;
  const double extra = std::abs(wide.to - wide.from) * std::max(per_x, per_y) - (wide.high - wide.low);
  wide.low -= extra / 2;
  wide.high += extra / 2;
}

}  // namespace taut
