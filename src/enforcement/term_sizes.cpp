#include "enforcement/term_sizes.hpp"

#include <cmath>

namespace taut {
namespace {

constexpr int places = 8;
/// A coordinate below this share of the scale is next to nothing.
constexpr double nothing = 1e-3;

}  // namespace

void find_term_sizes(System& system, double t, const Vector& q, double scale, TermSizeScratch scratch, Vector& sizes) {
  auto& [there, Phi] = scratch;
  sizes.setZero(Phi.size());
  for (int k = 0; k < places; ++k) {
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const double share = 0.125 * (static_cast<double>((7 * k + 5 * i) % 9) - 4);
      there[i] = q[i] + share * (std::abs(q[i]) > nothing * scale ? q[i] : scale);
    }
    if (system.shape().retracts) system.retract(t, there);
    system.position(t, there, Phi);
    for (Eigen::Index i = 0; i < Phi.size(); ++i)  // some of the places may lie where a formula has no value
      if (std::isfinite(Phi[i])) sizes[i] += std::abs(Phi[i]) / places;
  }
}

}  // namespace taut
