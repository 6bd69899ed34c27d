#pragma once

#include <memory>
#include <string>
#include <vector>

#include "enforcement/manifold.hpp"
#include "taut/choice.hpp"

namespace taut {

/// A law that keeps the energy balance E(t, q, v) = target, beside any method.
class EnergyLaw {
 public:
  virtual ~EnergyLaw() = default;
  /// Corrects v of an accepted step, without disturbing χ = 0. The manifold is factored at (t, q).
  virtual Projection correct(Manifold& manifold, double t, const Vector& q, Vector& v, double target) = 0;
};

/// The one list of energy laws.
struct EnergyEntry {
  std::string name, about, source;
  std::vector<Field> options;
  /// Null for `none`.
  std::unique_ptr<EnergyLaw> (*make)(const Choice& choice, const Shape& shape);
};
const std::vector<EnergyEntry>& energy_laws();
/// Throws InputError if there is none of that name.
const EnergyEntry& find_energy_law(const Choice& choice);
/// The law a choice names, or null for none. Throws InputError where the system has no energy.
std::unique_ptr<EnergyLaw> make_energy_law(const Choice& choice, const Shape& shape);

}  // namespace taut
