#include "simulation/passage_time.hpp"

#include <algorithm>

namespace taut {
namespace {

/// Each round takes the rest to its square; a wrong side costs some.
constexpr int most_rounds = 20;
/// What is looked at around a guess at first, of the way between the two times, and at last: nearer to zero, rounding
/// makes more of the pivot than its slope does.
constexpr double first_share = 0.1, last_share = 1e-7;
/// Times as far as the pivot at the zero found says that the zero lies: what is looked at next.
constexpr double margin = 8;

}  // namespace

/// On either side of its zero the pivot is nearly straight, and both lines meet in the zero.
double passage_time(double guess, double from, double to, const PivotAt& pivot) {
  const double width = to - from;
  double best = guess, least = pivot(guess), reach = first_share * width;
  for (int round = 0; round < most_rounds && reach > last_share * width; ++round) {
    const double a = std::max(from, best - reach), b = std::min(to, best + reach);
    const double left = pivot(a), right = pivot(b);
    if (!(a < b) || !(left + right > 0)) break;
    const double zero = a + (b - a) * left / (left + right), there = pivot(zero);
    const double lowest = std::min({left, right, there});
    if (!(lowest < least)) {
      reach *= 0.25;
      continue;
    }
    least = lowest;
    best = there == lowest ? zero : left == lowest ? a : b;
    if (there == lowest) reach = std::min(0.5 * reach, margin * there * (b - a) / (left + right));
  }
  return best;
}

}  // namespace taut
