#include "base/minimum_degree.hpp"

#include <algorithm>

namespace taut {

void minimum_degree(std::vector<char>& linked, std::vector<int>& place) {
  const int n = static_cast<int>(place.size());
  std::fill(place.begin(), place.end(), -1);
  for (int next = 0; next < n; ++next) {
    int best = -1;
    long fewest = 0;
    for (int i = 0; i < n; ++i) {
      if (place[i] >= 0) continue;
      const long links = std::count(&linked[i * n], &linked[i * n] + n, 1);
      if (best >= 0 && links >= fewest) continue;
      best = i;
      fewest = links;
    }
    place[best] = next;
    for (int i = 0; i < n; ++i)
      for (int j = 0; linked[best * n + i] && j < n; ++j)
        if (linked[best * n + j] && i != j) linked[i * n + j] = 1;
    for (int i = 0; i < n; ++i) linked[best * n + i] = linked[i * n + best] = 0;
  }
}

}  // namespace taut
