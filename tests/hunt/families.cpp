#include "hunt/families.hpp"

#include <iterator>

namespace taut::hunt {
namespace {

std::vector<Family> gathered() {
  std::vector<Family> all;
  for (const auto group : {
           pendulum_families,
           slider_crank_families,
           near_miss_families,
           contradiction_families,
           pulse_families,
       }) {
    std::vector<Family> list = group();
    std::move(list.begin(), list.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> list = gathered();
  return list;
}

}  // namespace taut::hunt
