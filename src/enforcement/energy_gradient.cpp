#include <algorithm>
#include <cmath>
#include <limits>

#include "enforcement/energy.hpp"
#include "taut/error.hpp"
#include "taut/methods.hpp"

namespace taut {
namespace {

/// The coupling of an energy control with the constraints, Yoon, Howe & Greenwood Eq. (47),
///   Yᵢ = ∂E/∂(q, v) · ∂χᵢ/∂(q, v),     χᵢ = Φᵢ(t, q) for position constraints
/// where the parts that are not fed back count for nothing, as in (43). It is the change of χᵢ along the gradient, by
/// central differences: over a way of ∛ε of the sizes what is left out and what rounding adds are alike, ε^⅔.
class CouplingGauge {
 public:
  CouplingGauge(const Shape& shape, bool by_position, bool by_velocity)
      : by_position_(by_position),
        by_velocity_(by_velocity),
        s_(Vector::Zero(shape.n_q())),
        q_(s_),
        g_(Vector::Zero(shape.n_v())),
        v_(g_),
        Phi_(Vector::Zero(shape.position_rows)),
        chi_(Vector::Zero(shape.rows())),
        ahead_(chi_),
        largest_(chi_) {}

  void see(System& system, double t, const Vector& q, const Vector& v) {
    if (by_position_) system.energy_slope(t, q, v, s_);
    if (by_velocity_) system.energy_gradient(t, q, v, g_);
    const auto most = [](const Vector& x) { return x.lpNorm<Eigen::Infinity>(); };
    const double way = std::max(most(s_) / std::max(most(q), 1.0), most(g_) / std::max(most(v), 1.0));
    if (!(way > 0)) return;
    const double step = std::cbrt(std::numeric_limits<double>::epsilon()) / way;
    evaluate_moved(system, t, q, v, step, ahead_);
    evaluate_moved(system, t, q, v, -step, chi_);
    largest_ = largest_.cwiseMax((ahead_ - chi_).cwiseAbs() / (2 * step));
  }
  const Vector& largest() const { return largest_; }

 private:
  void evaluate_moved(System& system, double t, const Vector& q, const Vector& v, double step, Vector& chi) {
    q_ = q + step * s_;
    v_ = v + step * g_;
    system.velocity(t, q_, v_, chi);
    system.position(t, q_, Phi_);
    chi.head(Phi_.size()) = Phi_;
  }

  bool by_position_, by_velocity_;
  Vector s_, q_, g_, v_, Phi_, chi_, ahead_, largest_;
};

/// Gradient feedback of the energy error, Yoon, Howe & Greenwood Eq. (44), (51), (53):
///   v̇ −= ρ_v ∂E²/∂v,        2 ρ_v |∂E/∂v|² = gain           (Eq. 27)
/// In the mass metric the gradient is M⁻¹∂E/∂v, that is v: then it is tangent to the constraints. With
/// position=on also q̇ −= ρ_q ∂E²/∂q, ρ_q = ratio ρ_v: Eq. (50), (52), which couples it to the geometry. Or ρ_v and ρ_q
/// are constants, as in (20).
class EnergyGradientLaw : public EnergyLaw {
 public:
  EnergyGradientLaw(const EnergyGradient& options, const Shape& shape)
      : options_(options),
        constant_(options.rho_v > 0 || options.rho_q > 0),
        by_position_(constant_ ? options.rho_q > 0 : options.position && options.ratio > 0),
        fastest_(constant_ ? 0 : options.gain),
        g_(Vector::Zero(shape.n_v())),
        d_(Vector::Zero(shape.n_v())),
        s_(Vector::Zero(shape.n_q())),
        gauge_(shape, by_position_, !constant_ || options.rho_v > 0) {}

  void add(Manifold& manifold, const Moment& at, Vector& qdot, Vector& vdot) override {
    manifold.system().energy_gradient(at.t, at.q, at.v, g_);
    if (options_.metric == "mass") {
      manifold.kernel().divide_by_mass(g_, d_);
    } else {
      d_ = g_;
    }
    if (by_position_) manifold.system().energy_slope(at.t, at.q, at.v, s_);
    double into_v = 2 * options_.rho_v * at.excess, into_q = 2 * options_.rho_q * at.excess;
    if (!choose(at.excess, into_v, into_q)) return;
    if (by_position_) qdot -= into_q * s_;
    vdot -= into_v * d_;
  }

  bool adds_terms() const override { return true; }
  double gain() const override { return fastest_; }
  const Vector* coupling() const override { return options_.coupling ? &gauge_.largest() : nullptr; }
  void see(System& system, double t, const Vector& q, const Vector& v) override {
    if (options_.coupling) gauge_.see(system, t, q, v);
  }

 private:
  /// 2ρE of both parts by Eq. (27), unless they are constants. False where there is too little to feed back into.
  bool choose(double excess, double& into_v, double& into_q) {
    const double velocity = g_.dot(d_), position = by_position_ ? s_.squaredNorm() : 0;
    if (constant_) {
      fastest_ = std::max(fastest_, 2 * (options_.rho_v * velocity + options_.rho_q * position));
      return true;
    }
    if (velocity <= options_.tolerance) return false;
    into_v = options_.gain * excess / (velocity + options_.ratio * position);
    into_q = options_.ratio * into_v;
    return true;
  }

  EnergyGradient options_;
  bool constant_, by_position_;
  double fastest_;  ///< of the rates; those that come of constants are known as they are met
  Vector g_, d_, s_;
  CouplingGauge gauge_;
};

}  // namespace

std::unique_ptr<EnergyLaw> make_energy_gradient(const Choice& choice, const Shape& shape) {
  const auto options = read_options<EnergyGradient>(choice);
  if (options.position && (options.rho_v > 0 || options.rho_q > 0))
    throw InputError("the energy law 'gradient' has either position with a gain, or rho_v and rho_q",
                     "leave position out: rho_q alone says how much is fed back into q̇");
  return std::make_unique<EnergyGradientLaw>(options, shape);
}

}  // namespace taut
