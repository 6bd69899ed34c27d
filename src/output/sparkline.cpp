#include "output/sparkline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {
namespace {

constexpr std::size_t signs = 64;
constexpr std::array blocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

/// The larger one, a figure that is not a number being larger than any.
double larger(double a, double b) { return std::isnan(a) || std::isnan(b) ? NAN : std::max(a, b); }

const char* sign(double violation) {
  if (std::isnan(violation)) return "?";
  const double decade = std::log10(std::max(violation, 1e-16)) + 16;  // 0 to 16
  return blocks[static_cast<std::size_t>(std::clamp(decade / 2, 0.0, 7.0))];
}

}  // namespace

void DriftHistory::add(double violation) {
  if (largest_.empty() || filled_ == span_) {
    if (largest_.size() == signs) {
      for (std::size_t k = 0; k < signs / 2; ++k) largest_[k] = larger(largest_[2 * k], largest_[2 * k + 1]);
      largest_.resize(signs / 2);
      span_ *= 2;
    }
    largest_.push_back(violation);
    filled_ = 0;
  }
  largest_.back() = larger(largest_.back(), violation);
  ++filled_;
}

std::string DriftHistory::text() const {
  if (largest_.empty()) return "";
  std::string line;
  for (const double violation : largest_) line += sign(violation);
  const double last = largest_.back();
  return fmt::format("{} from {:.0e} to {:.0e}", line, largest_.front(), last);
}

}  // namespace taut
