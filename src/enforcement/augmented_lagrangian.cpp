#include "enforcement/list.hpp"

namespace taut {
namespace {

/// Augmented Lagrangian with mass-orthogonal projections (Bayo & Ledesma; Braun & Goldfarb 2009 §4.2).
/// Accelerations and projections come from a penalty iteration (src/linear/augmented.cpp) that never
/// factors H M⁻¹Hᵀ, so redundant rows need no decision; the result of a step is projected.
class AugmentedLagrangianMethod : public Method {
 public:
  AugmentedLagrangianMethod() : Method(Kind::corrected) {}

  Projection correct(Manifold& manifold, double t, Vector& q, Vector& v) override { return manifold.project(t, q, v); }
  bool holds() const override { return true; }
};

}  // namespace

std::unique_ptr<Method> make_method(const AugmentedLagrangian&, Manifold&) {
  return std::make_unique<AugmentedLagrangianMethod>();
}

}  // namespace taut
