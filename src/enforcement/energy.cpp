#include "enforcement/energy.hpp"

#include <cmath>

#include "taut/error.hpp"
#include "taut/methods.hpp"

namespace taut {
namespace {

/// The step form of the null-space energy law (Braun & Goldfarb, Part II, Eq. (2), (4)-(6), applied to
/// an accepted step): move v along d, the part of v that the constraints leave free, until E = target.
/// Since ∂E/∂v = M v and M is the metric of the projection, E(v + s d) = E + (s + s²/2) dᵀM d exactly,
/// and χ = 0 survives because H d = 0. With constraints at rest d is v itself: v is scaled.
class EnergyProjection : public EnergyLaw {
 public:
  EnergyProjection(const ProjectEnergy& options, const Shape& shape)
      : options_(options),
        r_(Vector::Zero(shape.rows())),
        d_(Vector::Zero(shape.n_v())),
        Md_(Vector::Zero(shape.n_v())) {}

  Projection correct(Manifold& manifold, double t, const Vector& q, Vector& v, double target) override {
    const double excess = manifold.system().energy(t, q, v) - target;
    manifold.point().H.multiply(v, r_);
    manifold.correct_velocity(r_, d_);
    d_ = v - d_;
    manifold.point().M.multiply(d_, Md_);
    const double size = d_.dot(Md_);
    // Where nothing moves there is no kinetic energy to correct with.
    if (size <= options_.tolerance || std::abs(2 * excess) > 0.5 * size) return {};
    v += (std::sqrt(1 - 2 * excess / size) - 1) * d_;
    return {true, std::abs(excess)};
  }

 private:
  ProjectEnergy options_;
  Vector r_, d_, Md_;
};

std::unique_ptr<EnergyLaw> make_none(const Choice&, const Shape&) { return nullptr; }

std::unique_ptr<EnergyLaw> make_projection(const Choice& choice, const Shape& shape) {
  return std::make_unique<EnergyProjection>(read_options<ProjectEnergy>(choice), shape);
}

}  // namespace

const std::vector<EnergyEntry>& energy_laws() {
  static const std::vector<EnergyEntry> list = {
      {"none", "energy is watched, not corrected", "", {}, make_none},
      {"project", "after each step v is moved within the constraints to the energy balance",
       "Braun & Goldfarb, Part II, Eq. (2), (4)-(6)", fields<ProjectEnergy>(), make_projection},
  };
  return list;
}

const EnergyEntry& find_energy_law(const Choice& choice) {
  std::vector<std::string> names;
  for (const auto& entry : energy_laws()) {
    if (entry.name == choice.name) return entry;
    names.push_back(entry.name);
  }
  refuse_choice("energy law", choice.name, names);
}

std::unique_ptr<EnergyLaw> make_energy_law(const Choice& choice, const Shape& shape) {
  auto law = find_energy_law(choice).make(choice, shape);
  if (law && !shape.has_energy)
    throw InputError("an energy law needs an energy, and this model has none",
                     "give the model energy: EXPRESSION, or kinetic_energy and potential_energy");
  return law;
}

}  // namespace taut
