#include <algorithm>
#include <map>
#include <span>

#include "expression/identity.hpp"
#include "model/tree/joint_form.hpp"
#include "system/derivation.hpp"

namespace taut {
namespace {

/// A matrix row by row, each in ascending columns.
class DerivedRows {
 public:
  struct Entry {
    int column;
    Expression value;
  };

  void begin_row() { starts_.push_back(entries_.size()); }
  void add(int column, const Expression& value) { entries_.push_back({column, value}); }

  std::span<const Entry> operator[](int row) const {
    const auto k = static_cast<std::size_t>(row);
    const std::size_t end = k + 1 < starts_.size() ? starts_[k + 1] : entries_.size();
    return std::span(entries_).subspan(starts_[k], end - starts_[k]);
  }
  const Expression& at(int row, int column) const {
    return std::ranges::lower_bound((*this)[row], column, {}, &Entry::column)->value;
  }
  std::size_t size() const { return entries_.size(); }

 private:
  std::vector<std::size_t> starts_;
  std::vector<Entry> entries_;
};

class ForceDerivation {
 public:
  explicit ForceDerivation(Derivation& derivation) : d_(derivation), eq_(derivation.eq), model_(derivation.model) {}

  DerivedForces run() {
    if (model_.mass_matrix.empty()) {
      lagrange();
    } else {
      given_mass_matrix();
    }
    momenta();
    rotors();
    loads();
    refuse_mass_of_speeds();
    return std::move(forces_);
  }

 private:
  /// d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q = Q in the rates of the coordinates; where the model declares speeds,
  /// the equations are then projected: M := NᵀMN, f := Nᵀ(f − M (Ṅv + ṅ)).
  void lagrange() {
    const Expression T = model_.kinetic_energy ? d_.here(*model_.kinetic_energy) : Expression(0);
    const Expression V = model_.potential_energy ? d_.here(*model_.potential_energy) : Expression(0);
    const int n = static_cast<int>(eq_.q.size());
    std::vector<Expression> f(n), p(n);
    std::optional<DirectionalDerivative> drift;
    drift.emplace(d_.graph(), [this](SymbolId s) -> Expression {
      if (s == eq_.time) return 1;
      return d_.is_coordinate(s) ? d_.symbol(model_.coordinates[d_.index_of_q(s)].rate) : Expression(0);
    });
    for (const auto& [s, value] : gradient(T, SymbolKind::coordinate)) f[d_.index_of_q(s)] += value;
    if (!model_.joint_form)  // there the forces of a potential are written out
      for (const auto& [s, value] : gradient(V, SymbolKind::coordinate)) f[d_.index_of_q(s)] -= value;
    for (const auto& [s, value] : gradient(T, SymbolKind::rate)) p[d_.graph().info(s).index] = value;
    DerivedRows M;
    for (int i = 0; i < n; ++i) {
      f[i] -= (*drift)(p[i]);
      M.begin_row();
      for (const auto& [s, value] : gradient(p[i], SymbolKind::rate)) M.add(d_.graph().info(s).index, value);
    }
    drift.reset();  // it remembers much
    forces_.natural = is_natural(T, p) && !holds_driving_state(T) && !holds_driving_state(V);
    if (d_.plain) {
      use_plain(M, f);
    } else {
      project(M, f);
    }
  }

  void use_plain(const DerivedRows& M, std::vector<Expression>& f) {
    eq_.M.pattern = {eq_.shape.n_v(), eq_.shape.n_v(), {}};
    eq_.M.reserve(M.size());
    for (int i = 0; i < eq_.shape.n_v(); ++i)
      for (const auto& [j, value] : M[i]) eq_.M.add(i, j, M.at(std::min(i, j), std::max(i, j)));
    for (int i = 0; i < eq_.shape.n_v(); ++i) forces_.applied.push_back(d_.here(model_.coordinates[i].force));
    eq_.f = std::move(f);
  }

  void project(const DerivedRows& M, std::vector<Expression> f) {
    const int n = static_cast<int>(eq_.q.size());
    for (int i = 0; i < n; ++i) {
      f[i] = d_.resolved_anew(f[i]);
      for (const auto& [j, value] : M[i]) f[i] -= d_.resolved_anew(value) * d_.flow(eq_.rates[j]);
    }
    std::vector<std::map<int, Expression>> N(n);
    for (std::size_t k = 0; k < eq_.N.entries.size(); ++k)
      N[eq_.N.pattern.entries[k].first][eq_.N.pattern.entries[k].second] = eq_.N.entries[k];
    std::vector<std::map<int, Expression>> projected(eq_.shape.n_v());
    std::vector<Expression> force(eq_.shape.n_v());
    forces_.applied.assign(eq_.shape.n_v(), Expression(0));
    for (int i = 0; i < n; ++i) {
      for (const auto& [r, left] : N[i]) {
        force[r] += left * f[i];
        forces_.applied[r] += left * d_.resolved(model_.coordinates[i].force);
        for (const auto& [j, value] : M[i])
          for (const auto& [c, right] : N[j]) projected[r][c] += left * d_.resolved_anew(value) * right;
      }
    }
    eq_.M.pattern = {eq_.shape.n_v(), eq_.shape.n_v(), {}};
    for (int r = 0; r < eq_.shape.n_v(); ++r)
      for (const auto& [c, value] : projected[r])
        if (!value.is_zero()) eq_.M.add(r, c, projected[std::min(r, c)].at(std::max(r, c)));
    for (int r = 0; r < eq_.shape.n_v(); ++r) {
      if (r >= eq_.shape.leading_rates && !d_.speed(r).is_state) forces_.applied[r] += d_.resolved(d_.speed(r).force);
      eq_.f.push_back(force[r]);
    }
  }

  /// ṗ = F with p = ∂T/∂u: M = ∂p/∂u and f = −(ṗ at u̇ = 0); in joint coordinates both are written out.
  void momenta() {
    if (!model_.inertial_energy) return;
    std::map<std::pair<int, int>, std::size_t> known;
    for (std::size_t k = 0; k < eq_.M.entries.size(); ++k) known[eq_.M.pattern.entries[k]] = k;
    const auto add = [&](int i, int j, const Expression& value) {
      if (const auto at = known.find({i, j}); at != known.end()) {
        eq_.M.entries[at->second] += value;
      } else {
        eq_.M.add(i, j, value);
      }
    };
    if (model_.joint_form) {
      for (const auto& [i, j, value] : model_.joint_form->M) {
        add(i, j, d_.resolved(value));
        if (j > i) add(j, i, d_.resolved(value));
      }
      for (int i = 0; i < eq_.shape.n_v(); ++i) eq_.f[i] += d_.resolved(model_.joint_form->f[i]);
      return;
    }
    for (const auto& [s, p] : gradient(d_.here(*model_.inertial_energy), SymbolKind::speed)) {
      const int i = d_.index_of_v(s);
      eq_.f[i] -= d_.flow(p);
      for (const auto& [other, value] : gradient(p, SymbolKind::speed)) {
        const int j = d_.index_of_v(other);
        if (j < i) continue;
        add(i, j, value);
        if (j > i) add(j, i, value);
      }
    }
  }

  /// Of ½ J s² with s = g·v: M += J g gᵀ and f −= J g (ṡ at v̇ = 0). Lagrange's equations in s alone: what else turns
  /// with it is not felt.
  void rotors() {
    std::map<std::pair<int, int>, std::size_t> known;
    for (std::size_t k = 0; k < eq_.M.entries.size(); ++k) known[eq_.M.pattern.entries[k]] = k;
    for (std::size_t k = 0; k < model_.rotors.size(); ++k) {
      if (model_.joint_form && model_.joint_form->rotor_is_in_M[k]) continue;
      const Expression J = d_.here(model_.rotors[k].inertia), s = d_.resolved(model_.rotors[k].rate),
                       drift = d_.flow(s);
      const auto slopes = gradient(s, d_.v_kind);
      for (const auto& [left, g_left] : slopes) {
        const int i = d_.index_of_v(left);
        eq_.f[i] -= J * g_left * drift;
        for (const auto& [right, g_right] : slopes) {
          const int j = d_.index_of_v(right);
          const auto [at, is_new] = known.emplace(std::pair(i, j), eq_.M.entries.size());
          if (is_new) eq_.M.add(i, j, 0);
          eq_.M.entries[at->second] += J * (i < j ? g_left * g_right : g_right * g_left);
        }
      }
    }
  }

  void given_mass_matrix() {
    eq_.M.pattern = {eq_.shape.n_v(), eq_.shape.n_v(), {}};
    const int n = static_cast<int>(model_.mass_matrix.size());
    eq_.f.assign(eq_.shape.n_v(), Expression(0));
    forces_.applied.assign(eq_.shape.n_v(), Expression(0));
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const Expression entry = d_.resolved(model_.mass_matrix[i][j]);
        if (!entry.is_zero()) eq_.M.add(i, j, entry);
      }
      for (int j = 0; j < i; ++j) refuse_asymmetry(i, j);
      const bool leads = i < eq_.shape.leading_rates;
      forces_.applied[i] = d_.resolved(leads ? model_.coordinates[i].force : d_.speed(i).force);
    }
  }

  void refuse_asymmetry(int i, int j) {
    const Expression difference = d_.resolved(model_.mass_matrix[i][j]) - d_.resolved(model_.mass_matrix[j][i]);
    if (vanishes_at_samples(difference) || !not_smooth(difference).empty()) return;
    throw InputError(eq_.shape.speed_places[i],
                     "the mass matrix is not symmetric: the entry of '" + eq_.shape.speeds[i] + "' and '" +
                         eq_.shape.speeds[j] + "' differs from its mirror image",
                     "write the same formula on both sides of the diagonal");
  }

  /// A force at a point acts on v through the point's own velocity.
  void loads() {
    for (const auto& load : model_.loads) {
      if (is_in_f(model_, load)) continue;
      for (std::size_t k = 0; k < load.force.size(); ++k) {
        const Expression velocity =
            load.velocity.empty() ? d_.flow(d_.resolved(load.at[k])) : d_.resolved(load.velocity[k]);
        const Expression force = d_.resolved(load.force[k]);
        for (const auto& [s, value] : gradient(velocity, d_.v_kind))  // nothing acts on a state, as on a belt's speed
          if (!d_.is_state(s)) forces_.applied[d_.index_of_v(s)] += value * force;
      }
    }
    if (!forces_.natural) forces_.covered = eq_.f;
    for (int i = 0; i < eq_.shape.n_v(); ++i) apply_force(d_, i, forces_.applied[i]);
  }

  void refuse_mass_of_speeds() {
    for (std::size_t k = 0; k < eq_.M.entries.size(); ++k) {
      if (!d_.depends_on(eq_.M.entries[k], d_.v_kind)) continue;
      const std::string name = eq_.shape.speeds[eq_.M.pattern.entries[k].first];
      throw InputError(Place{model_.file, 0, 0}, "the inertia that belongs to '" + name + "' depends on the rates",
                       "the kinetic energy must be quadratic in the rates, a mass matrix free of them");
    }
  }

  /// T is a quadratic form in the rates alone: then the energy balance needs no accelerations.
  bool is_natural(const Expression& T, const std::vector<Expression>& p) {
    Substitution at_rest(d_.graph(), [this](SymbolId s) -> Expression {
      return d_.graph().info(s).kind == SymbolKind::rate ? Expression(0) : d_.symbol(s);
    });
    bool natural = at_rest(T).is_zero() && !d_.depends_on(T, SymbolKind::time) && rates_vanish_at_rest();
    for (const auto& momentum : p) natural = natural && at_rest(momentum).is_zero();
    return natural;
  }

  /// Energies that change with a state change without forces that do work.
  bool holds_driving_state(const Expression& energy) {
    return std::ranges::any_of(symbols_of(energy), [this](SymbolId s) {
      return d_.is_coordinate(s) && model_.coordinates[d_.index_of_q(s)].is_state;
    });
  }

  bool rates_vanish_at_rest() {
    for (std::size_t i = 0; i < eq_.rates.size(); ++i)
      if (!model_.coordinates[i].is_state && !d_.without_speeds(eq_.rates[i]).is_zero()) return false;
    return true;
  }

  Derivation& d_;
  Equations& eq_;
  const Model& model_;
  DerivedForces forces_;
};

int index_of(SymbolId s, const std::vector<SymbolId>& list) {
  return static_cast<int>(std::ranges::find(list, s) - list.begin());
}

}  // namespace

DerivedForces derive_forces(Derivation& derivation) { return ForceDerivation(derivation).run(); }

bool is_in_f(const Model& model, const Load& load) {
  return model.joint_form && model.joint_form->load_is_in_f[&load - model.loads.data()];
}

void apply_force(Derivation& d, int i, const Expression& force) {
  Equations& eq = d.eq;
  if (!d.depends_on(force, SymbolKind::multiplier)) {
    eq.f[i] += force;
    return;
  }
  d.declare_multipliers();
  eq.shape.forces_need_multipliers = true;
  eq.reactions.resize(eq.shape.n_v(), Expression(0));
  eq.reactions[i] = force;
  eq.reaction_slopes.pattern.rows = eq.shape.n_v();
  eq.reaction_slopes.pattern.columns = eq.shape.rows();
  for (const SymbolId s : symbols_of(force))
    if (d.graph().info(s).kind == SymbolKind::multiplier)
      eq.reaction_slopes.add(i, index_of(s, eq.multipliers), derivative(force, s));
}

}  // namespace taut
