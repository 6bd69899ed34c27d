#include "base/minimum_degree.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace taut {
namespace {

std::vector<int> order_of(int n, const std::vector<std::pair<int, int>>& links) {
  std::vector<char> linked(static_cast<std::size_t>(n) * n);
  for (const auto& [i, j] : links) linked[i * n + j] = linked[j * n + i] = 1;
  std::vector<int> place(n);
  minimum_degree(linked, place);
  return place;
}

TEST(MinimumDegree, TakesTheHubOfAStarLast) {
  // The hub first would link all others to each other. With one leaf left it is as good as the hub, and comes first by
  // its number or after it: either way there is nothing left to fill.
  const std::vector<int> place = order_of(5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}});
  EXPECT_GE(place[0], 3);
}

TEST(MinimumDegree, FillsNothingInATree) {
  // 0 - 1 - 2 - 3, and 4 at 1: whenever one is taken, at most one of its neighbours is left.
  const std::vector<std::pair<int, int>> links = {{0, 1}, {1, 2}, {2, 3}, {1, 4}};
  const std::vector<int> place = order_of(5, links);
  for (int k = 0; k < 5; ++k) {
    int later = 0;
    for (const auto& [i, j] : links) later += (i == k && place[j] > place[k]) || (j == k && place[i] > place[k]);
    EXPECT_LE(later, 1) << k;
  }
}

TEST(MinimumDegree, GivesEveryUnknownAPlaceOfItsOwn) {
  const std::vector<int> place = order_of(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  std::vector<bool> taken(4);
  for (const int p : place) {
    ASSERT_TRUE(p >= 0 && p < 4);
    EXPECT_FALSE(taken[p]);
    taken[p] = true;
  }
}

}  // namespace
}  // namespace taut
