#include "base/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace taut {
namespace {

/// How many letters must be inserted, removed, replaced or exchanged with their neighbour to turn
/// one name into the other.
std::size_t edit_distance(const std::string& from, const std::string& to) {
  std::vector<std::size_t> before_last(to.size() + 1);
  std::vector<std::size_t> last(to.size() + 1);
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool exchanged = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (exchanged) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[to.size()];
}

/// L for l, or theta for Theta.
bool differs_in_case_alone(const std::string& a, const std::string& b) {
  const auto lower = [](unsigned char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace

std::string nearest(const std::string& name, const std::vector<std::string>& known) {
  for (const std::string& candidate : known)
    if (differs_in_case_alone(name, candidate)) return candidate;
  std::size_t farthest = std::max<std::size_t>(1, name.size() / 3);
  const std::string* best = nullptr;
  for (const std::string& candidate : known) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    if (longer - std::min(name.size(), candidate.size()) > farthest) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance > farthest || (best != nullptr && distance == farthest)) continue;
    best = &candidate;
    farthest = distance;
  }
  return best == nullptr ? "" : *best;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
  const std::string near = nearest(name, known);
  if (!near.empty()) return "did you mean '" + near + "'?";
  std::string list = known.empty() ? "there is none" : "there are ";
  for (std::size_t k = 0; k < known.size(); ++k) list += (k > 0 ? ", " : "") + known[k];
  return list;
}

}  // namespace taut
