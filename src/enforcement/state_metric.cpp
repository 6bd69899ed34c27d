#include "enforcement/state_metric.hpp"

namespace taut {

double StateMetric::square(const SparseValues& M, const Vector& x, Vector& room) const {
  if (mass)
    M.multiply(x, room);
  else
    room = weights.cwiseProduct(x);
  return factor * x.dot(room);
}

Pattern StateMetric::pattern(const SparseValues& M) const {
  if (mass) return M.pattern;
  const int n = static_cast<int>(weights.size());
  Pattern pattern{n, n, {}};
  for (int i = 0; i < n; ++i) pattern.entries.emplace_back(i, i);
  return pattern;
}

void StateMetric::fill(const SparseValues& M, Eigen::Ref<Vector> values) const {
  const Vector& own = mass ? M.values : weights;
  values = factor * own;
}

}  // namespace taut
