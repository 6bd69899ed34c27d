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

  /// What its terms act on.
  struct Moment {
    double t;
    const Vector &q, &v;
    double excess;  ///< the energy error
    double power;   ///< what is put in at this moment
    double h;       ///< the size of the step
  };
  /// Adds terms to q̇ and v̇ while integrating. The manifold has been evaluated and factored at (t, q, v).
  virtual void add(Manifold& /*manifold*/, const Moment& /*at*/, Vector& /*qdot*/, Vector& /*vdot*/) {}
  /// Corrects v of an accepted step, without disturbing χ = 0. The manifold is factored at (t, q).
  virtual Projection correct(Manifold& /*manifold*/, double /*t*/, const Vector& /*q*/, Vector& /*v*/,
                             double /*target*/) {
    return {};
  }

  virtual bool adds_terms() const { return false; }
  virtual bool uses_step() const { return false; }
  /// The fastest rate at which its terms let an energy error decay, in 1/s, as far as it has been seen; 0 where they
  /// have none of their own.
  virtual double gain() const { return 0; }
  virtual bool corrects() const { return false; }

  /// The largest coupling with each constraint so far; null where it measures none.
  virtual const Vector* coupling() const { return nullptr; }
  /// Told of each accepted state, if it measures something.
  virtual void see(System& /*system*/, double /*t*/, const Vector& /*q*/, const Vector& /*v*/) {}
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

std::unique_ptr<EnergyLaw> make_energy_projection(const Choice& choice, const Shape& shape);
std::unique_ptr<EnergyLaw> make_energy_gradient(const Choice& choice, const Shape& shape);
std::unique_ptr<EnergyLaw> make_energy_multiplier(const Choice& choice, const Shape& shape);

}  // namespace taut
