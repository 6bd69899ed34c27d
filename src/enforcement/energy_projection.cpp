#include <cmath>

#include "enforcement/energy.hpp"
#include "taut/methods.hpp"

namespace taut {
namespace {

/// The energy balance restored in the null space of the constraints, so that they are not disturbed:
/// Braun & Goldfarb, Part II. With d the part of M⁻¹∂E/∂v that the constraints leave free, H d = 0:
///
/// The step form moves v of an accepted step along d until E = target: E(v + s d) = E + s d·∂E/∂v + s²/2 dᵀM d
/// exactly. With ∂E/∂v = M v and constraints at rest d is v itself: v is scaled.
///
/// The form as printed, Eq. (2), (4)-(6), adds a term to v̇ that asks for Ė = power − E/h.
class EnergyProjection : public EnergyLaw {
 public:
  EnergyProjection(const ProjectEnergy& options, const Shape& shape)
      : tolerance_(options.tolerance),
        as_terms_(options.form == "terms"),
        r_(Vector::Zero(shape.rows())),
        g_(Vector::Zero(shape.n_v())),
        d_(Vector::Zero(shape.n_v())),
        x_(Vector::Zero(shape.n_v())) {}

  Projection correct(Manifold& manifold, double t, const Vector& q, Vector& v, double target) override {
    const double excess = manifold.system().energy(t, q, v) - target;
    manifold.system().energy_gradient(t, q, v, g_);
    manifold.kernel().divide_by_mass(g_, d_);
    make_free(manifold);
    manifold.point().M.multiply(d_, x_);
    const double slope = d_.dot(g_), bend = d_.dot(x_);
    // Where nothing moves there is no kinetic energy to correct with.
    const double discriminant = slope * slope - 2 * bend * excess;
    if (slope <= tolerance_ || discriminant < 0.5 * slope * slope) return {};
    // The smaller root of excess + s slope + s²/2 bend, in the form that does not cancel.
    v -= 2 * excess / (slope + std::sqrt(discriminant)) * d_;
    return {true, std::abs(excess)};
  }

  void add(Manifold& manifold, const Moment& at, Vector&, Vector& vdot) override {
    if (!as_terms_) return;
    manifold.system().energy_gradient(at.t, at.q, at.v, g_);
    manifold.kernel().divide_by_mass(g_, d_);
    make_free(manifold);
    const double size = g_.dot(d_);
    if (size <= tolerance_) return;
    const double rate = g_.dot(vdot) + manifold.system().energy_rate(at.t, at.q, at.v);
    const double missing = rate - at.power + at.excess / at.h;
    vdot -= (missing / size) * d_;
  }

  bool adds_terms() const override { return as_terms_; }
  bool uses_step() const override { return as_terms_; }
  bool corrects() const override { return !as_terms_; }

 private:
  /// d ← d − P H d
  void make_free(Manifold& manifold) {
    manifold.point().H.multiply(d_, r_);
    manifold.here().correct_velocity(r_, x_);
    d_ -= x_;
  }

  double tolerance_;
  bool as_terms_;
  Vector r_, g_, d_, x_;
};

}  // namespace

std::unique_ptr<EnergyLaw> make_energy_projection(const Choice& choice, const Shape& shape) {
  const auto options = read_options<ProjectEnergy>(choice);
  return std::make_unique<EnergyProjection>(options, shape);
}

}  // namespace taut
