#include "integration/adams_formula.hpp"

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

using Row = AdamsFormula::Row;

/// g₁..gₖ₊₁ from α₂..αₖ: with g₁,q = 1/q and g₂,q = 1/(q(q+1)), gᵢ,q = gᵢ₋₁,q − αᵢ₋₁ gᵢ₋₁,q₊₁ and gᵢ = gᵢ,₁.
void integrate_basis(int k, const Row& alpha, Row& g) {
  Row column{};
  for (int q = 1; q <= k; ++q) column[q] = 1.0 / (q * (q + 1));
  g[1] = 1;
  g[2] = column[1];
  for (int i = 3; i <= k + 1; ++i) {
    for (int q = 1; q <= k + 2 - i; ++q) column[q] -= alpha[i - 1] * column[q + 1];
    g[i] = column[1];
  }
}

Row moulton() {
  constexpr int k = AdamsFormula::highest_order + 1;  // one more, to judge the order above the highest
  Row alpha = {}, g = {}, error = {};
  for (int i = 1; i <= k; ++i) alpha[i] = 1.0 / i;
  integrate_basis(k, alpha, g);
  for (int i = 1; i <= k; ++i) error[i] = std::abs(g[i + 1] - g[i]);
  return error;
}

}  // namespace

void AdamsFormula::prepare(int k, double h, const Row& past) {
  // Steps are equal most of the time, and then nothing changes.
  const bool same = k == order && h == psi[1] && std::equal(past.begin() + 1, past.begin() + k, before.begin() + 1);
  for (int i = highest_order; i >= 2; --i) psi[i] = past[i - 1] + h;
  psi[1] = h;
  if (same) return;
  order = k;
  before = past;
  beta[1] = sigma[1] = 1;
  for (int i = 1; i <= k; ++i) {
    alpha[i] = h / psi[i];
    sigma[i + 1] = i * alpha[i] * sigma[i];
    if (i > 1) beta[i] = beta[i - 1] * psi[i - 1] / past[i - 1];
  }
  integrate_basis(k, alpha, g);
}

/// As integrate_basis, over a part of the steps behind: wᵢ,q = γᵢ wᵢ₋₁,q − ηᵢ wᵢ₋₁,q₊₁ from w₁,q = 1/q, with
/// γᵢ = (s + ψᵢ₋₂)/ψᵢ₋₁ and ηᵢ = s/ψᵢ₋₁.
void adams_interpolation(int k, double s, const Row& psi, Row& weights) {
  Row column;
  for (int q = 1; q <= k; ++q) column[q] = 1.0 / q;
  weights[1] = 1;
  for (int i = 2; i <= k; ++i) {
    const double gamma = (s + (i > 2 ? psi[i - 2] : 0)) / psi[i - 1], eta = s / psi[i - 1];
    for (int q = 1; q <= k + 1 - i; ++q) column[q] = gamma * column[q] - eta * column[q + 1];
    weights[i] = column[1];
  }
}

const Row& adams_moulton_error() {
  static const Row error = moulton();
  return error;
}

}  // namespace taut
