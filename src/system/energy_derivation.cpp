#include "expression/identity.hpp"
#include "system/derivation.hpp"

namespace taut {
namespace {

class EnergyDerivation {
 public:
  EnergyDerivation(Derivation& derivation, const DerivedForces& forces)
      : d_(derivation), eq_(derivation.eq), model_(derivation.model), forces_(forces) {}

  /// dE/dt = E_t + E_q·q̇ + E_v·v̇ with M v̇ = f + Hᵀλ; the part that ideal constraints at rest cannot
  /// take is what forces without potential and moving constraints put in.
  void energy() {
    if (eq_.shape.mechanical_speeds() == 0) return;
    if (model_.mass_matrix.empty()) {
      eq_.energy = Expression(0);
      if (model_.kinetic_energy) *eq_.energy += d_.resolved(*model_.kinetic_energy);
      if (model_.inertial_energy) *eq_.energy += d_.resolved(*model_.inertial_energy);
      for (const Rotor& rotor : model_.rotors) *eq_.energy += d_.resolved(rotor.energy);
      if (model_.potential_energy) *eq_.energy += d_.resolved(*model_.potential_energy);
    } else if (model_.energy) {
      eq_.energy = d_.resolved(*model_.energy);
    } else {
      return;
    }
    eq_.shape.has_energy = true;
    eq_.energy_gradient.assign(eq_.shape.n_v(), Expression(0));
    for (const auto& [s, value] : gradient(*eq_.energy, d_.v_kind)) eq_.energy_gradient[d_.index_of_v(s)] = value;
    eq_.energy_slope.assign(eq_.q.size(), Expression(0));
    for (const auto& [s, value] : gradient(*eq_.energy, SymbolKind::coordinate))
      eq_.energy_slope[d_.index_of_q(s)] = value;
    eq_.energy_rate = d_.flow(*eq_.energy);
    eq_.power = forces_.natural ? natural_power() : general_power();
    eq_.power += constraint_power();
    eq_.shape.does_work = !eq_.power.is_zero();
  }

 private:
  Expression natural_power() {
    Expression power = 0;
    if (model_.potential_energy) power += derivative(d_.here(*model_.potential_energy), eq_.time);
    for (int i = 0; i < eq_.shape.n_v(); ++i) power += forces_.applied[i] * d_.symbol(eq_.v[i]);
    for (const Load& load : model_.loads)
      for (std::size_t k = 0; is_in_f(model_, load) && k < load.force.size(); ++k)
        power += d_.resolved(load.force[k]) * d_.resolved(load.velocity[k]);
    return power;
  }

  /// Forces that no potential covers work by themselves. With a mass matrix nobody knows which these are.
  Expression general_power() {
    Expression power = eq_.energy_rate, work = 0;
    for (int i = 0; i < eq_.shape.n_v(); ++i) {
      power += d_.symbol(eq_.v[i]) * forces_.covered[i];
      (model_.mass_matrix.empty() ? work : power) += d_.symbol(eq_.v[i]) * forces_.applied[i];
    }
    std::vector<Expression> excess = eq_.energy_gradient;
    for (std::size_t k = 0; k < eq_.M.entries.size(); ++k) {
      const auto [i, j] = eq_.M.pattern.entries[k];
      excess[i] -= eq_.M.entries[k] * d_.symbol(eq_.v[j]);
    }
    for (int i = 0; i < eq_.shape.n_v(); ++i)
      if (!vanishes_identically(excess[i])) power += excess[i] * d_.symbol(eq_.a[i]);
    return vanishes_identically(power) ? work : power + work;
  }

  /// λ·(H v − χ): what moving constraints put in. Rows that are linear in v contribute −λ χ at v = 0.
  Expression constraint_power() {
    Expression power = 0;
    std::vector<Expression> moving(eq_.chi.size());
    std::vector<bool> linear(eq_.chi.size(), true);
    for (std::size_t k = 0; k < eq_.H.entries.size(); ++k)
      if (d_.depends_on(eq_.H.entries[k], d_.v_kind)) linear[eq_.H.pattern.entries[k].first] = false;
    for (std::size_t i = 0; i < moving.size(); ++i)
      moving[i] = linear[i] ? -d_.without_speeds(eq_.chi[i]) : -eq_.chi[i];
    for (std::size_t k = 0; k < eq_.H.entries.size(); ++k) {
      const auto [i, j] = eq_.H.pattern.entries[k];
      if (!linear[i]) moving[i] += eq_.H.entries[k] * d_.symbol(eq_.v[j]);
    }
    for (std::size_t i = 0; i < moving.size(); ++i)
      if (!d_.is_of_states(eq_.chi[i]) && !vanishes_identically(moving[i]))
        power += multiplier(static_cast<int>(i)) * moving[i];
    return power;
  }

  /// The symbol of a row's multiplier: the model's own where an output uses it.
  Expression multiplier(int row) {
    d_.declare_multipliers();
    return d_.symbol(eq_.multipliers[row]);
  }

  Derivation& d_;
  Equations& eq_;
  const Model& model_;
  const DerivedForces& forces_;
};

}  // namespace

void derive_energy(Derivation& derivation, const DerivedForces& forces) {
  EnergyDerivation(derivation, forces).energy();
}

}  // namespace taut
