#include "enforcement/list.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

/// The perturbation approach of Keerthi, Sudarsan & Sancheti, problem P1: integrate v̇ = a + P(b − H a)
/// freely, then replace the result of the step by the nearest point of the constraints,
///   min ‖x − x̄‖_W  subject to  Φ(q) = 0, χ(q, v) = 0:   q first (3.5), then v (3.6), H at the corrected q.
class PerturbationMethod : public Method {
 public:
  Projection correct(Manifold& manifold, double t, Vector& q, Vector& v) override { return manifold.project(t, q, v); }

  bool corrects() const override { return true; }
  bool needs_consistent_start() const override { return true; }
};

}  // namespace

std::unique_ptr<Method> make_method(const Perturbation& options, Manifold& manifold) {
  manifold.tolerance = options.tolerance;
  if (options.metric == "identity") {
    manifold.use_identity_metric();
  } else if (options.metric != "mass") {
    throw InputError("perturbation has no metric '" + options.metric + "'", "write metric=mass or metric=identity");
  }
  return std::make_unique<PerturbationMethod>();
}

}  // namespace taut
