#include <algorithm>

#include "enforcement/list.hpp"

namespace taut {
namespace {

/// Constraint violation stabilisation using gradient feedback, Yoon, Howe & Greenwood Eq. (28):
///   q̇ = N v − Σᵢ ζᵢ ∂Φᵢ²/∂q,     ζᵢ such that a single Φᵢ decays at the rate `gain` (Eq. 40)
/// In the mass metric the gradient is M⁻¹Aᵢᵀ, which the motion's own inertia makes the steepest descent;
/// metric=identity is the paper's plain gradient. With velocity feedback, v̇ also gets −gain_v P(χ):
/// without it the direction of the gradient lags one step behind under --control euler, and χ grows
/// slowly whatever the gain.
class GradientFeedbackMethod : public Method {
 public:
  GradientFeedbackMethod(const GradientFeedback& options, const Shape& shape)
      : gain_(options.gain),
        velocity_gain_(options.velocity_gain),
        mass_metric_(options.metric == "mass"),
        row_(Vector::Zero(shape.n_v())),
        direction_(Vector::Zero(shape.n_v())),
        sum_(Vector::Zero(shape.n_v())),
        dq_(Vector::Zero(shape.n_q())) {}

  void demand(const Point&, const ViolationNow& violation, double, Vector& c) override {
    if (velocity_gain_ > 0) c -= velocity_gain_ * violation.chi;
    // A velocity constraint has no position to be fed back: it decays at the same rate.
    const Eigen::Index velocity_rows = c.size() - violation.Phi.size();
    if (velocity_gain_ <= 0) c.tail(velocity_rows) -= gain_ * violation.chi.tail(velocity_rows);
  }

  void add_to_rates(Manifold& manifold, double t, const Vector& q, const ViolationNow& violation, double,
                    Vector& qdot) override {
    sum_.setZero();
    for (Eigen::Index i = 0; i < violation.Phi.size(); ++i) {
      manifold.row(static_cast<int>(i), row_);
      if (mass_metric_) {
        manifold.divide_by_mass(row_, direction_);
      } else {
        direction_ = row_;
      }
      const double size = row_.dot(direction_);
      if (size > 0) sum_ -= (gain_ * violation.Phi[i] / size) * direction_;
    }
    manifold.system().spread(t, q, sum_, dq_);
    qdot += dq_;
  }

  bool adds_terms() const override { return true; }
  bool reads_matrices() const override { return true; }
  double gain() const override { return std::max(gain_, velocity_gain_); }

 private:
  double gain_, velocity_gain_;
  bool mass_metric_;
  Vector row_, direction_, sum_, dq_;
};

}  // namespace

std::unique_ptr<Method> make_method(const GradientFeedback& options, Manifold& manifold) {
  return std::make_unique<GradientFeedbackMethod>(options, manifold.shape());
}

}  // namespace taut
