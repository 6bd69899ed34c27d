#include "enforcement/energy.hpp"
#include "taut/methods.hpp"

namespace taut {
namespace {

/// Ė + η E = 0 as one more row, eliminated after the constraints: Yoon, Howe & Greenwood Eq. (19),
///   v̇ −= M⁻¹E_vᵀ (E_v M⁻¹E_vᵀ)⁻¹ (E_v v̇ + E_q q̇ + E_t − power + η E)
class EnergyMultiplierLaw : public EnergyLaw {
 public:
  EnergyMultiplierLaw(const EnergyMultiplier& options, const Shape& shape)
      : options_(options), g_(Vector::Zero(shape.n_v())), d_(Vector::Zero(shape.n_v())) {}

  void add(Manifold& manifold, const Moment& at, Vector&, Vector& vdot) override {
    manifold.system().energy_gradient(at.t, at.q, at.v, g_);
    manifold.kernel().divide_by_mass(g_, d_);
    const double size = g_.dot(d_);
    if (size <= options_.tolerance) return;
    const double rate = g_.dot(vdot) + manifold.system().energy_rate(at.t, at.q, at.v);
    const double missing = rate - at.power + options_.gain * at.excess;
    vdot -= (missing / size) * d_;
  }

  bool adds_terms() const override { return true; }
  double gain() const override { return options_.gain; }

 private:
  EnergyMultiplier options_;
  Vector g_, d_;
};

}  // namespace

std::unique_ptr<EnergyLaw> make_energy_multiplier(const Choice& choice, const Shape& shape) {
  return std::make_unique<EnergyMultiplierLaw>(read_options<EnergyMultiplier>(choice), shape);
}

}  // namespace taut
