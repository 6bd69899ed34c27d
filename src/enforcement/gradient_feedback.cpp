#include <algorithm>

#include "enforcement/list.hpp"
#include "enforcement/option_lists.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

/// The gains of each row, as the options give them.
struct RowGains {
  Vector decay;     ///< α_g: the rate at which Φ decays, where ζ follows from it (Eq. 40) …
  Vector zeta;      ///< … and ζ where that is a constant, else 0
  Vector velocity;  ///< the rate at which χ decays

  RowGains(const GradientFeedback& options, const Shape& shape);
};

RowGains::RowGains(const GradientFeedback& options, const Shape& shape)
    : decay(Vector::Constant(shape.rows(), options.gain)),
      zeta(Vector::Zero(shape.rows())),
      velocity(Vector::Constant(shape.rows(), options.velocity_gain)) {
  const int positions = shape.position_rows;
  zeta.head(positions).setConstant(options.zeta);
  // A velocity constraint has no position to be fed back: it decays at the same rate.
  if (options.velocity_gain <= 0) velocity.tail(shape.velocity_rows()).setConstant(options.gain);
  const auto gains = read_row_values(options.gains, shape, "the option 'gains' of 'gradient-feedback'");
  for (const auto& [row, value] : gains) {
    decay[row] = value;
    zeta[row] = 0;
    if (row >= positions) velocity[row] = value;
  }
  for (const auto& [row, value] : read_row_values(options.zetas, shape, "the option 'zetas' of 'gradient-feedback'")) {
    const std::string name = "constraint '" + shape.constraints[row] + "'";
    if (row >= positions)
      throw InputError(name + " has rates in it, and no position for zetas to feed back", "give it one of gains");
    if (std::ranges::any_of(gains, [&](const RowValue& other) { return other.row == row; }))
      throw InputError(name + " stands in gains and in zetas", "give it one of the two");
    zeta[row] = value;
    decay[row] = 0;
  }
}

/// Constraint violation stabilisation using gradient feedback, Yoon, Howe & Greenwood Eq. (28):
///   q̇ = N v − Σᵢ ζᵢ ∂Φᵢ²/∂q,     ζᵢ such that a single Φᵢ decays at the rate `gain` (Eq. 40), or a constant
/// In the mass metric the gradient is M⁻¹Aᵢᵀ, which the motion's own inertia makes the steepest descent;
/// metric=identity is the paper's plain gradient. With velocity feedback, v̇ also gets −gain_v P(χ):
/// without it the direction of the gradient lags one step behind under --control euler, and χ grows
/// slowly whatever the gain.
class GradientFeedbackMethod : public Method {
 public:
  GradientFeedbackMethod(const GradientFeedback& options, const Shape& shape)
      : Method(Kind::terms),
        gains_(options, shape),
        mass_metric_(options.metric == "mass"),
        row_(Vector::Zero(shape.n_v())),
        direction_(Vector::Zero(shape.n_v())),
        sum_(Vector::Zero(shape.n_v())),
        dq_(Vector::Zero(shape.n_q())) {
    fastest_ = shape.rows() > 0 ? options.velocity_gain : std::max(options.gain, options.velocity_gain);
    for (Eigen::Index i = 0; i < gains_.decay.size(); ++i) {
      const bool follows = gains_.zeta[i] <= 0;
      fastest_ = std::max({fastest_, follows ? gains_.decay[i] : 0, gains_.velocity[i]});
    }
  }

  void demand(const Point&, const ViolationNow& violation, double, Vector& c) override {
    for (Eigen::Index i = 0; i < c.size(); ++i)
      if (gains_.velocity[i] > 0) c[i] -= gains_.velocity[i] * violation.chi[i];
  }

  void add_to_rates(Manifold& manifold, double t, const Vector& q, const ViolationNow& violation, double,
                    Vector& qdot) override {
    sum_.setZero();
    for (Eigen::Index i = 0; i < violation.Phi.size(); ++i) {
      manifold.row(static_cast<int>(i), row_);
      if (mass_metric_) {
        manifold.kernel().divide_by_mass(row_, direction_);
      } else {
        direction_ = row_;
      }
      const double size = row_.dot(direction_);
      if (gains_.zeta[i] > 0) {
        fastest_ = std::max(fastest_, 2 * gains_.zeta[i] * size);
        sum_ -= (2 * gains_.zeta[i] * violation.Phi[i]) * direction_;
      } else if (size > 0) {
        sum_ -= (gains_.decay[i] * violation.Phi[i] / size) * direction_;
      }
    }
    manifold.system().spread(t, q, sum_, dq_);
    qdot += dq_;
  }

  bool reads_matrices() const override { return true; }
  double gain() const override { return fastest_; }

 private:
  RowGains gains_;
  double fastest_;  ///< of all rates; those that come of constants are known as they are met
  bool mass_metric_;
  Vector row_, direction_, sum_, dq_;
};

}  // namespace

std::unique_ptr<Method> make_method(const GradientFeedback& options, Manifold& manifold) {
  return std::make_unique<GradientFeedbackMethod>(options, manifold.shape());
}

}  // namespace taut
