#include <cmath>
#include <limits>
#include <optional>

#include "enforcement/coupled_correction.hpp"
#include "enforcement/list.hpp"
#include "enforcement/option_lists.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

/// The perturbation approach of Keerthi, Sudarsan & Sancheti, problem P1: integrate v̇ = a + P(b − H a)
/// freely, then replace the result of the step by the nearest point of the constraints,
///   min ‖x − x̄‖_W  subject to  Φ(q) = 0, χ(q, v) = 0:   q first (3.5), then v (3.6), or both together (3.2).
/// With H at the corrected q, χ vanishes to rounding; as printed, with H at q̄, it is left at |δq||v|.
/// A correction larger than τ/2 means that the step was too large: it is repeated (Remark 2.5). With p1 the steps
/// themselves are chosen to err by τ/2 in the same norm, so that the result is good to τ (2.1).
class PerturbationMethod : public Method {
 public:
  PerturbationMethod(const Perturbation& options, Manifold& manifold, StateMetric positions, StateMetric velocities)
      : Method(Kind::corrected),
        p1_(options.p1),
        tau_(options.tau),
        as_printed_(options.jacobian == "printed"),
        positions_(std::move(positions)),
        velocities_(std::move(velocities)),
        q_(Vector::Zero(manifold.shape().n_q())),
        v_(Vector::Zero(manifold.shape().n_v())),
        room_(v_) {
    if (options.correction == "coupled") coupled_.emplace(manifold, positions_, velocities_, options.rank_tolerance);
  }

  Projection correct(Manifold& manifold, double t, Vector& q, Vector& v) override {
    q_ = q;
    v_ = v;
    const Projection projection = project(manifold, t, q, v);
    if (!projection.ok || (tau_ <= 0 && p1_ <= 0)) return projection;
    q_ -= q;
    v_ -= v;
    const bool small =
        p1_ > 0 ? error_size(manifold, q_, v_) <= 1 : std::sqrt(q_.squaredNorm() + v_.squaredNorm()) <= tau_ / 2;
    return {small, projection.change};
  }

  double local_tolerance() const override { return p1_ / 2; }
  double error_size(Manifold& manifold, const Vector& dq, const Vector& dv) override {
    const SparseValues& M = manifold.point().M;
    return std::sqrt(positions_.square(M, dq, room_) + velocities_.square(M, dv, room_)) / local_tolerance();
  }

  bool holds() const override { return !as_printed_; }
  bool reads_matrices() const override { return coupled_ || (p1_ > 0 && (positions_.mass || velocities_.mass)); }

 private:
  Projection project(Manifold& manifold, double t, Vector& q, Vector& v) {
    if (coupled_) return coupled_->project(manifold, t, q, v);
    return as_printed_ ? as_printed(manifold, t, q, v) : manifold.project(t, q, v);
  }
  /// (3.6) with J(q̄): one factorisation serves both corrections.
  Projection as_printed(Manifold& manifold, double t, Vector& q, Vector& v) {
    if (!manifold.factor_at(t, q, v)) return {false, 0};
    manifold.project_velocity(t, q, v);
    return manifold.project_position(t, q, std::numeric_limits<double>::infinity());
  }

  double p1_, tau_;
  bool as_printed_;
  StateMetric positions_, velocities_;
  std::optional<CoupledCorrection> coupled_;
  Vector q_, v_, room_;
};

StateMetric read_metric(const std::string& option, const std::string& text, int count) {
  if (text == "mass") return {};
  if (text == "identity") return {false, Vector::Ones(count)};
  return {false, read_weights(text, count, "perturbation has no " + option,
                              "write " + option + "=mass, " + option + "=identity, or " + std::to_string(count) +
                                  " positive weights as 1:1:…")};
}

void check(const Perturbation& options) {
  if (options.p1 > 0 && options.tau > 0)
    throw InputError("perturbation has p1 and tau, and p1 is a tau already", "leave tau out");
  if (options.correction == "coupled" && options.jacobian == "printed")
    throw InputError("perturbation has correction=coupled with jacobian=printed, which is what uncouples it",
                     "leave one of the two out");
}

}  // namespace

std::unique_ptr<Method> make_method(const Perturbation& options, Manifold& manifold) {
  check(options);
  manifold.tolerance = options.tolerance;
  const int n = manifold.shape().n_v();
  const bool same = options.velocity_metric == "same";
  const StateMetric positions = read_metric("metric", options.metric, n);
  StateMetric velocities = same ? positions : read_metric("velocity_metric", options.velocity_metric, n);
  velocities.factor = options.alpha * options.alpha;
  if (!positions.mass) manifold.use_metric(positions.weights);
  if (!same) manifold.use_velocity_metric(velocities.mass ? std::nullopt : std::optional(velocities.weights));
  return std::make_unique<PerturbationMethod>(options, manifold, positions, velocities);
}

}  // namespace taut
