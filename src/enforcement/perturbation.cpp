#include <charconv>
#include <cmath>
#include <limits>

#include "enforcement/list.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

/// The perturbation approach of Keerthi, Sudarsan & Sancheti, problem P1: integrate v̇ = a + P(b − H a)
/// freely, then replace the result of the step by the nearest point of the constraints,
///   min ‖x − x̄‖_W  subject to  Φ(q) = 0, χ(q, v) = 0:   q first (3.5), then v (3.6).
/// With H at the corrected q, χ vanishes to rounding; as printed, with H at q̄, it is left at |δq||v|.
/// A correction larger than τ/2 means that the step was too large: it is repeated (Remark 2.5).
class PerturbationMethod : public Method {
 public:
  PerturbationMethod(const Perturbation& options, const Shape& shape)
      : tau_(options.tau),
        as_printed_(options.jacobian == "printed"),
        q_(Vector::Zero(shape.n_q())),
        v_(Vector::Zero(shape.n_v())),
        chi_(Vector::Zero(shape.rows())) {}

  Projection correct(Manifold& manifold, double t, Vector& q, Vector& v) override {
    q_ = q;
    v_ = v;
    const Projection projection = as_printed_ ? as_printed(manifold, t, q, v) : manifold.project(t, q, v);
    if (!projection.ok || tau_ <= 0) return projection;
    const double size = std::sqrt((q - q_).squaredNorm() + (v - v_).squaredNorm());
    return {size <= tau_ / 2, projection.change};
  }

  bool corrects() const override { return true; }
  bool holds() const override { return !as_printed_; }
  bool needs_consistent_start() const override { return true; }

 private:
  /// (3.6) with J(q̄): one factorisation serves both corrections.
  Projection as_printed(Manifold& manifold, double t, Vector& q, Vector& v) {
    if (!manifold.factor_at(t, q, v)) return {false, 0};
    manifold.project_velocity(t, q, v);
    return manifold.project_position(t, q, std::numeric_limits<double>::infinity());
  }

  double tau_;
  bool as_printed_;
  Vector q_, v_, chi_;
};

/// "1:1:4" as weights of the speeds.
Vector read_weights(const std::string& text, int count) {
  Vector weights(count);
  const char* at = text.data();
  const char* end = at + text.size();
  int found = 0;
  while (at <= end && found < count) {
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || !(value > 0)) break;
    weights[found++] = value;
    at = next + (next < end && *next == ':');
    if (next == end) break;
  }
  if (found != count || at != end)
    throw InputError("perturbation has no metric '" + text + "'",
                     "write metric=mass, metric=identity, or " + std::to_string(count) + " positive weights as 1:1:…");
  return weights;
}

}  // namespace

std::unique_ptr<Method> make_method(const Perturbation& options, Manifold& manifold) {
  manifold.tolerance = options.tolerance;
  if (options.metric != "mass") {
    const int n = manifold.shape().n_v();
    manifold.use_metric(options.metric == "identity" ? Vector(Vector::Ones(n)) : read_weights(options.metric, n));
  }
  return std::make_unique<PerturbationMethod>(options, manifold.shape());
}

}  // namespace taut
