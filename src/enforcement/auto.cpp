#include "enforcement/list.hpp"

namespace taut {
namespace {

/// Evaluates the equations only on the constraints (docs/theory/auto.md). With π the projection onto
/// them, f∘π is another smooth extension of the same vector field, so a formula keeps its order while
/// every stage is evaluated at π of its argument; the result of a step is replaced by its projection.
class AutoMethod : public Method {
 public:
  AutoMethod() : Method(Kind::projected) {}

  Projection correct(Manifold& manifold, double t, Vector& q, Vector& v) override { return manifold.project(t, q, v); }
};

}  // namespace

std::unique_ptr<Method> make_method(const Auto& options, Manifold& manifold) {
  manifold.tolerance = options.tolerance;
  return std::make_unique<AutoMethod>();
}

}  // namespace taut
