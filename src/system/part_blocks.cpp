#include "system/part_blocks.hpp"

#include <algorithm>
#include <numeric>

namespace taut {
namespace {

/// How many parts each part is inside of; parts stand behind those that they are parts of.
std::vector<int> depths(const Model& model) {
  std::vector<int> depth;
  for (const Submodel& part : model.parts) depth.push_back(part.parent < 0 ? 1 : depth[part.parent] + 1);
  return depth;
}

}  // namespace

std::vector<int> turns_of_parts(const Model& model) {
  if (model.parts.empty()) return {};
  const std::vector<int> depth = depths(model);
  std::vector<int> order(depth.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater(), [&](int part) { return depth[part]; });
  std::vector<int> turn(depth.size() + 1, static_cast<int>(depth.size()));
  for (std::size_t k = 0; k < order.size(); ++k) turn[order[k]] = static_cast<int>(k);
  return turn;
}

}  // namespace taut
