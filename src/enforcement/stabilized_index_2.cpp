#include "enforcement/list.hpp"

namespace taut {
namespace {

/// The stabilised index-2 formulation of Gear, Gupta & Leimkuhler, "ECS" of Keerthi et al.:
///   q̇ = N v + Φ_qᵀμ,   M v̇ = f + Hᵀλ,   0 = Φ,   0 = χ
/// with μ and λ as unknowns, solved by an implicit integrator (src/simulation/index_two_motion.cpp).
class StabilizedIndex2Method : public Method {
 public:
  StabilizedIndex2Method() : Method(Kind::index_two) {}
};

}  // namespace

std::unique_ptr<Method> make_method(const StabilizedIndex2&, Manifold&) {
  return std::make_unique<StabilizedIndex2Method>();
}

}  // namespace taut
