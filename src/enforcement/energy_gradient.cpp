#include "enforcement/energy.hpp"
#include "taut/methods.hpp"

namespace taut {
namespace {

/// Gradient feedback of the energy error, Yoon, Howe & Greenwood Eq. (44), (51), (53):
///   v̇ −= ρ_v ∂E²/∂v,        2 ρ_v |∂E/∂v|² = gain           (Eq. 27)
/// In the mass metric the gradient is M⁻¹∂E/∂v, that is v: then it is tangent to the constraints. With
/// position=on also q̇ −= ρ_q ∂E²/∂q, ρ_q = ρ_v: Eq. (50), (52), which couples it to the geometry.
class EnergyGradientLaw : public EnergyLaw {
 public:
  EnergyGradientLaw(const EnergyGradient& options, const Shape& shape)
      : options_(options),
        g_(Vector::Zero(shape.n_v())),
        d_(Vector::Zero(shape.n_v())),
        s_(Vector::Zero(shape.n_q())) {}

  void add(Manifold& manifold, double t, const Vector& q, const Vector& v, double excess, double, double, Vector& qdot,
           Vector& vdot) override {
    manifold.system().energy_gradient(t, q, v, g_);
    if (options_.metric == "mass") {
      manifold.divide_by_mass(g_, d_);
    } else {
      d_ = g_;
    }
    double size = g_.dot(d_);
    if (size <= options_.tolerance) return;
    if (options_.position) {
      manifold.system().energy_slope(t, q, v, s_);
      size += s_.squaredNorm();
      qdot -= (options_.gain * excess / size) * s_;
    }
    vdot -= (options_.gain * excess / size) * d_;
  }

  bool adds_terms() const override { return true; }
  double gain() const override { return options_.gain; }

 private:
  EnergyGradient options_;
  Vector g_, d_, s_;
};

}  // namespace

std::unique_ptr<EnergyLaw> make_energy_gradient(const Choice& choice, const Shape& shape) {
  const auto options = read_options<EnergyGradient>(choice);
  return std::make_unique<EnergyGradientLaw>(options, shape);
}

}  // namespace taut
