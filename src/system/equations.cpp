#include "system/equations.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <span>

#include "expression/derivative.hpp"
#include "expression/identity.hpp"
#include "expression/program.hpp"
#include "model/tree/joint_form.hpp"
#include "system/branches.hpp"
#include "system/part_blocks.hpp"
#include "system/signs.hpp"

namespace taut {
namespace {

/// Which one of its kind a symbol is, for some of the symbols: a table of all, since large models have many.
class IndexOfSymbol {
 public:
  void set(SymbolId symbol, std::size_t index) {
    if (symbol >= indices_.size()) indices_.resize(std::size_t{symbol} + 1, -1);
    indices_[symbol] = static_cast<int>(index);
  }
  void reserve(std::size_t symbols) { indices_.reserve(symbols); }
  bool contains(SymbolId symbol) const { return symbol < indices_.size() && indices_[symbol] >= 0; }
  int at(SymbolId symbol) const {
    assert(contains(symbol));
    return indices_[symbol];
  }

 private:
  std::vector<int> indices_;
};

/// A matrix row by row, each in ascending columns.
class Rows {
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

/// Derives the equations of one model. The order of the member functions is the order of the story.
class Derivation {
 public:
  explicit Derivation(const Model& model)
      : model_(model),
        graph_(std::make_shared<Graph>(model.graph)),
        plain_(model.speeds.empty() &&
               std::ranges::none_of(model.coordinates, [](const Coordinate& c) { return c.kinematics.has_value(); })),
        v_kind_(plain_ ? SymbolKind::rate : SymbolKind::speed) {}

  Equations run() {
    declare_symbols();
    kinematics();
    retractions();
    constraints();
    if (model_.mass_matrix.empty()) {
      lagrange();
    } else {
      given_mass_matrix();
    }
    momenta();
    rotors();
    loads();
    refuse_mass_of_speeds();
    energy();
    states();
    outputs();
    if (has_kinks())
      open_branches(
          eq_, [this](const Expression& e) { return (*motion_)(e); }, breakaways());
    eq_.H.shrink_to_fit();
    return std::move(eq_);
  }

 private:
  Graph& g() { return *graph_; }

  /// Is there a formula with a kink at all? Most models have none, and large ones many formulas.
  bool has_kinks() const {
    const auto has_kink = [](Op op) { return op == Op::abs || op == Op::sign || op == Op::min || op == Op::max; };
    for (NodeId id = 0; id < graph_->size(); ++id)
      if (has_kink(graph_->node(id).op)) return true;
    return false;
  }

  Expression here(const Expression& e) { return e.graph() ? Expression(g(), e.in(*e.graph())) : e; }
  Expression symbol(SymbolId id) { return Expression(g(), g().symbol(id)); }
  int n_v() const { return eq_.shape.n_v(); }

  void make_room() {
    const std::size_t n = model_.coordinates.size(), n_v = n + model_.speeds.size(), m = model_.constraints.size();
    const auto reserve = [](std::size_t count, auto&... lists) { (lists.reserve(count), ...); };
    reserve(n, eq_.q, eq_.shape.coordinates, own_speed_, eq_.rates);
    reserve(plain_ ? n : n_v, eq_.v, eq_.a, eq_.shape.speeds, eq_.shape.speed_places);
    reserve(m, eq_.shape.constraints, eq_.shape.constraint_places, eq_.softness, eq_.Phi, eq_.chi, eq_.b,
            eq_.multipliers);
  }

  void declare_symbols() {
    make_room();
    eq_.graph = graph_;
    eq_.time = model_.time;
    eq_.shape.plain_rates = plain_;
    for (const auto& parameter : model_.parameters) eq_.parameters.push_back(parameter.symbol);
    for (const auto& c : model_.coordinates) {
      eq_.q.push_back(c.symbol);
      eq_.shape.coordinates.push_back(c.name);
      if (c.is_state) eq_.shape.states.push_back({c.name, false, static_cast<int>(eq_.q.size()) - 1});
      if (c.kinematics) {
        coordinate_accelerations_.set(c.acceleration, eq_.q.size() - 1);
        own_speed_.push_back(Graph::no_symbol);
        continue;
      }
      own_speed_.push_back(plain_ ? c.rate : g().declare(c.name + "'", SymbolKind::speed));
      eq_.v.push_back(own_speed_.back());
      eq_.a.push_back(c.acceleration);
      eq_.shape.speeds.push_back(c.name + "'");
      eq_.shape.speed_places.push_back(c.place);
    }
    eq_.shape.leading_rates = static_cast<int>(eq_.v.size());
    for (const auto& u : model_.speeds) {
      eq_.v.push_back(u.symbol);
      eq_.a.push_back(u.acceleration);
      eq_.shape.speeds.push_back(u.name);
      eq_.shape.speed_places.push_back(u.place);
      if (u.is_state) eq_.shape.states.push_back({u.name, true, n_v() - 1});
    }
    index_of_q_.reserve(g().symbols());
    index_of_v_.reserve(g().symbols());
    for (std::size_t i = 0; i < eq_.q.size(); ++i) index_of_q_.set(eq_.q[i], i);
    for (std::size_t i = 0; i < eq_.v.size(); ++i) index_of_v_.set(eq_.v[i], i);
  }

  /// q̇ in terms of q, v, t, and the substitution that puts it into every formula.
  void kinematics() {
    eq_.N.pattern = {static_cast<int>(eq_.q.size()), n_v(), {}};
    // A rate may be given by the rates of others, as the angle between a planar and a spatial body is.
    Substitution in_speeds(g(), [this](SymbolId s) -> Expression {
      const Symbol info = g().info(s);
      const bool own = info.kind == SymbolKind::rate && own_speed_[info.index] != Graph::no_symbol;
      return symbol(own ? own_speed_[info.index] : s);
    });
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
      const auto& c = model_.coordinates[i];
      if (c.is_state) {  // its rate may hold those of all others, and no correction moves it
        eq_.rates.emplace_back(0);
        continue;
      }
      eq_.rates.push_back(c.kinematics ? in_speeds(here(*c.kinematics)) : symbol(own_speed_[i]));
      for (const auto& [s, value] : gradient(eq_.rates.back(), v_kind_))
        eq_.N.add(static_cast<int>(i), index_of_v_.at(s), value);
    }
    flow_.emplace(g(), [this](SymbolId s) -> Expression {
      if (s == eq_.time) return 1;
      return index_of_q_.contains(s) ? eq_.rates[index_of_q_.at(s)] : Expression(0);
    });
    // d/dt with accelerations, for x'' where the model declares speeds.
    motion_.emplace(g(), [this](SymbolId s) -> Expression {
      if (s == eq_.time) return 1;
      if (index_of_q_.contains(s)) return eq_.rates[index_of_q_.at(s)];
      if (index_of_v_.contains(s)) return symbol(eq_.a[index_of_v_.at(s)]);
      return 0;
    });
    resolve_.emplace(g(), [this](SymbolId s) -> Expression {
      const Symbol info = g().info(s);
      if (info.kind == SymbolKind::rate) return eq_.rates[info.index];
      if (coordinate_accelerations_.contains(s)) return (*motion_)(eq_.rates[coordinate_accelerations_.at(s)]);
      return symbol(s);
    });
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i)
      if (model_.coordinates[i].is_state) eq_.rates[i] = (*resolve_)(here(*model_.coordinates[i].kinematics));
  }

  /// A formula of the model in terms of q, v and t.
  Expression resolved(const Expression& e) { return plain_ ? here(e) : (*resolve_)(here(e)); }

  void retractions() {
    std::map<SymbolId, Expression> anew;
    Substitution retract(g(), [&](SymbolId s) -> Expression {
      const auto found = anew.find(s);
      return found == anew.end() ? symbol(s) : found->second;
    });
    for (const bool derived : {false, true}) {
      for (const Retraction& retraction : model_.retractions) {
        if (retraction.derived != derived) continue;
        const Expression value = here(retraction.value);
        eq_.retracted.push_back(index_of_q_.at(retraction.coordinate));
        eq_.retractions.push_back(derived ? retract(value) : value);
        if (!derived) anew[retraction.coordinate] = value;
      }
    }
    eq_.shape.retracts = !eq_.retracted.empty();
  }

  /// χ = [Φ̇; Ψ], H = ∂χ/∂v, b = −χ̇ at v̇ = 0. Position constraints come first.
  void constraints() {
    const std::vector<int> turns = turns_of_parts(model_);
    for (const bool on_velocity : {false, true}) {
      for (const auto& c : model_.constraints) {
        if (c.on_velocity != on_velocity) continue;
        const Expression residual = resolved(c.residual);
        if (!on_velocity) refuse_feedback(c, residual);
        eq_.shape.constraints.push_back(c.name);
        eq_.shape.constraint_places.push_back(c.place);
        if (!turns.empty()) eq_.shape.blocks.push_back(c.part < 0 ? turns.back() : turns[c.part]);
        eq_.softness.push_back(here(c.softness));
        if (!on_velocity) eq_.Phi.push_back(residual);
        const Expression* written = written_row(c) ? &written_row(c)->velocity : nullptr;
        eq_.chi.push_back(written ? resolved(*written) : on_velocity ? residual : (*flow_)(residual));
        if (written) eq_.b.push_back(resolved(written_row(c)->bias));
      }
      if (!on_velocity) eq_.shape.position_rows = static_cast<int>(eq_.Phi.size());
    }
    const int rows = static_cast<int>(eq_.chi.size());
    eq_.H.pattern = {rows, n_v(), {}};
    for (int i = 0; i < rows; ++i) {
      for (const auto& [s, value] : gradient(eq_.chi[i], v_kind_)) {
        eq_.H.add(i, index_of_v_.at(s), value);
        if (depends_on(value, v_kind_)) eq_.shape.jacobian_of_speeds = true;
      }
      if (!model_.joint_form) eq_.b.push_back(-(*flow_)(eq_.chi[i]));
      if (is_of_states(eq_.chi[i])) eq_.shape.state_rows.push_back(i);
    }
  }

  /// What a mechanism in joint coordinates has written out of a constraint.
  const JointForm::Row* written_row(const Constraint& c) const {
    return model_.joint_form ? &model_.joint_form->rows[&c - model_.constraints.data()] : nullptr;
  }

  /// Nothing acts back on a state that drives. With a rate of the motion in its own, its second derivative would hold
  /// accelerations, and the constraint's force would act on what these belong to.
  void refuse_feedback(const Constraint& c, const Expression& residual) {
    for (const SymbolId s : symbols_of(residual)) {
      if (!index_of_q_.contains(s) || !model_.coordinates[index_of_q_.at(s)].is_state) continue;
      const std::string felt = first_of_kind(eq_.rates[index_of_q_.at(s)], v_kind_), name(g().info(s).name);
      if (felt.empty()) continue;
      throw InputError(c.place,
                       "constraint '" + c.name + "' is driven by state '" + name + "', whose rate depends on " + felt,
                       "let it depend on a state that follows " + felt + ", such as w: {value: 0, rate: (" + felt +
                           " - w)/T} with a short time T");
    }
  }

  /// The name of a symbol of this kind in a formula, or "".
  std::string first_of_kind(const Expression& e, SymbolKind kind) {
    for (const SymbolId s : symbols_of(e))
      if (g().info(s).kind == kind) return std::string(g().info(s).name);
    return "";
  }

  std::vector<Breakaway> breakaways() {
    std::vector<Breakaway> list = model_.breakaways;
    for (Breakaway& b : list) b = {resolved(b.slip), here(b.ratio), b.place, b.name};
    return list;
  }

  bool depends_on(const Expression& e, SymbolKind kind) {
    for (const SymbolId s : symbols_of(e))
      if (g().info(s).kind == kind) return true;
    return false;
  }

  /// d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q = Q in the rates of the coordinates; where the model declares speeds,
  /// the equations are then projected: M := NᵀMN, f := Nᵀ(f − M (Ṅv + ṅ)).
  void lagrange() {
    const Expression T = model_.kinetic_energy ? here(*model_.kinetic_energy) : Expression(0);
    const Expression V = model_.potential_energy ? here(*model_.potential_energy) : Expression(0);
    const int n = static_cast<int>(eq_.q.size());
    std::vector<Expression> f(n), p(n);
    std::optional<DirectionalDerivative> drift;
    drift.emplace(g(), [this](SymbolId s) -> Expression {
      if (s == eq_.time) return 1;
      return index_of_q_.contains(s) ? symbol(model_.coordinates[index_of_q_.at(s)].rate) : Expression(0);
    });
    for (const auto& [s, value] : gradient(T, SymbolKind::coordinate)) f[index_of_q_.at(s)] += value;
    if (!model_.joint_form)  // there the forces of a potential are written out
      for (const auto& [s, value] : gradient(V, SymbolKind::coordinate)) f[index_of_q_.at(s)] -= value;
    for (const auto& [s, value] : gradient(T, SymbolKind::rate)) p[g().info(s).index] = value;
    Rows M;
    for (int i = 0; i < n; ++i) {
      f[i] -= (*drift)(p[i]);
      M.begin_row();
      for (const auto& [s, value] : gradient(p[i], SymbolKind::rate)) M.add(g().info(s).index, value);
    }
    drift.reset();  // it remembers much
    natural_ = is_natural(T, p) && !holds_driving_state(T) && !holds_driving_state(V);
    if (plain_) {
      use_plain(M, f);
    } else {
      project(M, f);
    }
  }

  void use_plain(const Rows& M, std::vector<Expression>& f) {
    eq_.M.pattern = {n_v(), n_v(), {}};
    eq_.M.reserve(M.size());
    for (int i = 0; i < n_v(); ++i)
      for (const auto& [j, value] : M[i]) eq_.M.add(i, j, M.at(std::min(i, j), std::max(i, j)));
    for (int i = 0; i < n_v(); ++i) applied_.push_back(here(model_.coordinates[i].force));
    eq_.f = std::move(f);
  }

  void project(const Rows& M, std::vector<Expression> f) {
    const int n = static_cast<int>(eq_.q.size());
    for (int i = 0; i < n; ++i) {
      f[i] = (*resolve_)(f[i]);
      for (const auto& [j, value] : M[i]) f[i] -= (*resolve_)(value) * (*flow_)(eq_.rates[j]);
    }
    std::vector<std::map<int, Expression>> N(n);
    for (std::size_t k = 0; k < eq_.N.entries.size(); ++k)
      N[eq_.N.pattern.entries[k].first][eq_.N.pattern.entries[k].second] = eq_.N.entries[k];
    std::vector<std::map<int, Expression>> projected(n_v());
    std::vector<Expression> force(n_v());
    applied_.assign(n_v(), Expression(0));
    for (int i = 0; i < n; ++i) {
      for (const auto& [r, left] : N[i]) {
        force[r] += left * f[i];
        applied_[r] += left * resolved(model_.coordinates[i].force);
        for (const auto& [j, value] : M[i])
          for (const auto& [c, right] : N[j]) projected[r][c] += left * (*resolve_)(value)*right;
      }
    }
    eq_.M.pattern = {n_v(), n_v(), {}};
    for (int r = 0; r < n_v(); ++r)
      for (const auto& [c, value] : projected[r])
        if (!value.is_zero()) eq_.M.add(r, c, projected[std::min(r, c)].at(std::max(r, c)));
    for (int r = 0; r < n_v(); ++r) {
      if (r >= eq_.shape.leading_rates && !speed(r).is_state) applied_[r] += resolved(speed(r).force);
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
        add(i, j, resolved(value));
        if (j > i) add(j, i, resolved(value));
      }
      for (int i = 0; i < n_v(); ++i) eq_.f[i] += resolved(model_.joint_form->f[i]);
      return;
    }
    for (const auto& [s, p] : gradient(here(*model_.inertial_energy), SymbolKind::speed)) {
      const int i = index_of_v_.at(s);
      eq_.f[i] -= (*flow_)(p);
      for (const auto& [other, value] : gradient(p, SymbolKind::speed)) {
        const int j = index_of_v_.at(other);
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
      const Expression J = here(model_.rotors[k].inertia), s = resolved(model_.rotors[k].rate), drift = (*flow_)(s);
      const auto slopes = gradient(s, v_kind_);
      for (const auto& [left, g_left] : slopes) {
        const int i = index_of_v_.at(left);
        eq_.f[i] -= J * g_left * drift;
        for (const auto& [right, g_right] : slopes) {
          const int j = index_of_v_.at(right);
          const auto [at, is_new] = known.emplace(std::pair(i, j), eq_.M.entries.size());
          if (is_new) eq_.M.add(i, j, 0);
          eq_.M.entries[at->second] += J * (i < j ? g_left * g_right : g_right * g_left);
        }
      }
    }
  }

  void given_mass_matrix() {
    eq_.M.pattern = {n_v(), n_v(), {}};
    const int n = static_cast<int>(model_.mass_matrix.size());
    eq_.f.assign(n_v(), Expression(0));
    applied_.assign(n_v(), Expression(0));
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const Expression entry = resolved(model_.mass_matrix[i][j]);
        if (!entry.is_zero()) eq_.M.add(i, j, entry);
      }
      for (int j = 0; j < i; ++j) refuse_asymmetry(i, j);
      const bool leads = i < eq_.shape.leading_rates;
      applied_[i] = resolved(leads ? model_.coordinates[i].force : speed(i).force);
    }
  }

  /// One of the speeds that are not the rate of a coordinate.
  const Speed& speed(int i) const { return model_.speeds[static_cast<std::size_t>(i - eq_.shape.leading_rates)]; }

  /// ż = rate: the equation of a speed of inertia 1. It comes after the energy, which it has no part in. A state
  /// without a rate has no inertia: the constraints, which complete M, move it and nothing else.
  void states() {
    for (const Shape::State& state : eq_.shape.states) {
      if (!state.is_speed || speed(state.index).is_algebraic) continue;
      eq_.M.add(state.index, state.index, 1);
      apply(state.index, resolved(speed(state.index).force));
    }
  }

  bool is_of_states(const Expression& e) {
    return !eq_.shape.states.empty() && std::ranges::all_of(symbols_of(e), [this](SymbolId s) {
      const SymbolKind kind = g().info(s).kind;
      return kind == SymbolKind::parameter || kind == SymbolKind::time || is_state(s);
    });
  }
  bool is_state(SymbolId s) const {
    if (!index_of_v_.contains(s)) return false;
    const int i = index_of_v_.at(s);
    return i >= eq_.shape.leading_rates && speed(i).is_state;
  }

  void refuse_asymmetry(int i, int j) {
    const Expression difference = resolved(model_.mass_matrix[i][j]) - resolved(model_.mass_matrix[j][i]);
    if (vanishes_at_samples(difference) || !not_smooth(difference).empty()) return;
    throw InputError(eq_.shape.speed_places[i],
                     "the mass matrix is not symmetric: the entry of '" + eq_.shape.speeds[i] + "' and '" +
                         eq_.shape.speeds[j] + "' differs from its mirror image",
                     "write the same formula on both sides of the diagonal");
  }

  /// A force at a point acts on v through the point's own velocity.
  void loads() {
    for (const auto& load : model_.loads) {
      if (is_in_f(load)) continue;
      for (std::size_t k = 0; k < load.force.size(); ++k) {
        const Expression velocity = load.velocity.empty() ? (*flow_)(resolved(load.at[k])) : resolved(load.velocity[k]);
        const Expression force = resolved(load.force[k]);
        for (const auto& [s, value] : gradient(velocity, v_kind_))  // nothing acts on a state, as on a belt's speed
          if (!is_state(s)) applied_[index_of_v_.at(s)] += value * force;
      }
    }
    if (!natural_) covered_ = eq_.f;
    for (int i = 0; i < n_v(); ++i) apply(i, applied_[i]);
  }

  /// Has it been written out with the rest of f?
  bool is_in_f(const Load& load) const {
    return model_.joint_form && model_.joint_form->load_is_in_f[&load - model_.loads.data()];
  }

  /// Adds a force to f, or to the reactions if it depends on multipliers.
  void apply(int i, const Expression& force) {
    if (!depends_on(force, SymbolKind::multiplier)) {
      eq_.f[i] += force;
      return;
    }
    declare_multipliers();
    eq_.shape.forces_need_multipliers = true;
    eq_.reactions.resize(n_v(), Expression(0));
    eq_.reactions[i] = force;
    eq_.reaction_slopes.pattern.rows = n_v();
    eq_.reaction_slopes.pattern.columns = eq_.shape.rows();
    for (const SymbolId s : symbols_of(force))
      if (g().info(s).kind == SymbolKind::multiplier)
        eq_.reaction_slopes.add(i, index_of(s, eq_.multipliers), derivative(force, s));
  }

  static int index_of(SymbolId s, const std::vector<SymbolId>& list) {
    return static_cast<int>(std::ranges::find(list, s) - list.begin());
  }

  void refuse_mass_of_speeds() {
    for (std::size_t k = 0; k < eq_.M.entries.size(); ++k) {
      if (!depends_on(eq_.M.entries[k], v_kind_)) continue;
      const std::string name = eq_.shape.speeds[eq_.M.pattern.entries[k].first];
      throw InputError(Place{model_.file, 0, 0}, "the inertia that belongs to '" + name + "' depends on the rates",
                       "the kinetic energy must be quadratic in the rates, a mass matrix free of them");
    }
  }

  /// T is a quadratic form in the rates alone: then the energy balance needs no accelerations.
  bool is_natural(const Expression& T, const std::vector<Expression>& p) {
    Substitution at_rest(g(), [this](SymbolId s) -> Expression {
      return g().info(s).kind == SymbolKind::rate ? Expression(0) : symbol(s);
    });
    bool natural = at_rest(T).is_zero() && !depends_on(T, SymbolKind::time) && rates_vanish_at_rest();
    for (const auto& momentum : p) natural = natural && at_rest(momentum).is_zero();
    return natural;
  }

  /// Energies that change with a state change without forces that do work.
  bool holds_driving_state(const Expression& energy) {
    return std::ranges::any_of(symbols_of(energy), [this](SymbolId s) {
      return index_of_q_.contains(s) && model_.coordinates[index_of_q_.at(s)].is_state;
    });
  }

  bool rates_vanish_at_rest() {
    for (std::size_t i = 0; i < eq_.rates.size(); ++i)
      if (!model_.coordinates[i].is_state && !without_speeds(eq_.rates[i]).is_zero()) return false;
    return true;
  }

  Expression without_speeds(const Expression& e) {
    if (!at_rest_)
      at_rest_.emplace(
          g(), [this](SymbolId s) -> Expression { return g().info(s).kind == v_kind_ ? Expression(0) : symbol(s); });
    return (*at_rest_)(e);
  }

  /// dE/dt = E_t + E_q·q̇ + E_v·v̇ with M v̇ = f + Hᵀλ; the part that ideal constraints at rest cannot
  /// take is what forces without potential and moving constraints put in.
  void energy() {
    if (eq_.shape.mechanical_speeds() == 0) return;
    if (model_.mass_matrix.empty()) {
      eq_.energy = Expression(0);
      if (model_.kinetic_energy) *eq_.energy += resolved(*model_.kinetic_energy);
      if (model_.inertial_energy) *eq_.energy += resolved(*model_.inertial_energy);
      for (const Rotor& rotor : model_.rotors) *eq_.energy += resolved(rotor.energy);
      if (model_.potential_energy) *eq_.energy += resolved(*model_.potential_energy);
    } else if (model_.energy) {
      eq_.energy = resolved(*model_.energy);
    } else {
      return;
    }
    eq_.shape.has_energy = true;
    eq_.energy_gradient.assign(n_v(), Expression(0));
    for (const auto& [s, value] : gradient(*eq_.energy, v_kind_)) eq_.energy_gradient[index_of_v_.at(s)] = value;
    eq_.energy_slope.assign(eq_.q.size(), Expression(0));
    for (const auto& [s, value] : gradient(*eq_.energy, SymbolKind::coordinate))
      eq_.energy_slope[index_of_q_.at(s)] = value;
    eq_.energy_rate = (*flow_)(*eq_.energy);
    eq_.power = natural_ ? natural_power() : general_power();
    eq_.power += constraint_power();
    eq_.shape.does_work = !eq_.power.is_zero();
  }

  Expression natural_power() {
    Expression power = 0;
    if (model_.potential_energy) power += derivative(here(*model_.potential_energy), eq_.time);
    for (int i = 0; i < n_v(); ++i) power += applied_[i] * symbol(eq_.v[i]);
    for (const Load& load : model_.loads)
      for (std::size_t k = 0; is_in_f(load) && k < load.force.size(); ++k)
        power += resolved(load.force[k]) * resolved(load.velocity[k]);
    return power;
  }

  /// Forces that no potential covers work by themselves. With a mass matrix nobody knows which these are.
  Expression general_power() {
    Expression power = eq_.energy_rate, work = 0;
    for (int i = 0; i < n_v(); ++i) {
      power += symbol(eq_.v[i]) * covered_[i];
      (model_.mass_matrix.empty() ? work : power) += symbol(eq_.v[i]) * applied_[i];
    }
    std::vector<Expression> excess = eq_.energy_gradient;
    for (std::size_t k = 0; k < eq_.M.entries.size(); ++k) {
      const auto [i, j] = eq_.M.pattern.entries[k];
      excess[i] -= eq_.M.entries[k] * symbol(eq_.v[j]);
    }
    for (int i = 0; i < n_v(); ++i)
      if (!vanishes_identically(excess[i])) power += excess[i] * symbol(eq_.a[i]);
    return vanishes_identically(power) ? work : power + work;
  }

  /// λ·(H v − χ): what moving constraints put in. Rows that are linear in v contribute −λ χ at v = 0.
  Expression constraint_power() {
    Expression power = 0;
    std::vector<Expression> moving(eq_.chi.size());
    std::vector<bool> linear(eq_.chi.size(), true);
    for (std::size_t k = 0; k < eq_.H.entries.size(); ++k)
      if (depends_on(eq_.H.entries[k], v_kind_)) linear[eq_.H.pattern.entries[k].first] = false;
    for (std::size_t i = 0; i < moving.size(); ++i) moving[i] = linear[i] ? -without_speeds(eq_.chi[i]) : -eq_.chi[i];
    for (std::size_t k = 0; k < eq_.H.entries.size(); ++k) {
      const auto [i, j] = eq_.H.pattern.entries[k];
      if (!linear[i]) moving[i] += eq_.H.entries[k] * symbol(eq_.v[j]);
    }
    for (std::size_t i = 0; i < moving.size(); ++i)
      if (!is_of_states(eq_.chi[i]) && !vanishes_identically(moving[i]))
        power += multiplier(static_cast<int>(i)) * moving[i];
    return power;
  }

  /// The symbol of a row's multiplier: the model's own where an output uses it.
  Expression multiplier(int row) {
    declare_multipliers();
    return symbol(eq_.multipliers[row]);
  }

  /// The rows' multipliers, in the order of the rows.
  void declare_multipliers() {
    if (!eq_.multipliers.empty()) return;
    for (const bool on_velocity : {false, true})
      for (const auto& c : model_.constraints)
        if (c.on_velocity == on_velocity) eq_.multipliers.push_back(c.multiplier);
  }

  void outputs() {
    declare_multipliers();
    const auto add = [this](const std::string& name, const Expression& value, std::vector<std::string>& names) {
      const Expression e = resolved(value);
      names.push_back(name);
      eq_.outputs.push_back(e);
      if (depends_on(e, SymbolKind::acceleration) || depends_on(e, SymbolKind::multiplier))
        eq_.shape.outputs_need_accelerations = true;
    };
    for (const auto& output : model_.outputs) add(output.name, output.value, eq_.shape.outputs);
    if (model_.joint_form) follow(*model_.joint_form);
    Signs signs(g());
    for (const auto& watch : model_.events) {
      const Expression value = here(watch.value);
      // The zeros of (x - 5)^3 are those of x - 5, which has a slope there.
      const bool simple = value.is_constant();
      add(watch.name, simple ? value : Expression(g(), signs.simplest_of_same(value.in(g()))), eq_.shape.watches);
      eq_.shape.watch_stops.push_back(watch.stop);
    }
  }

  /// Coordinates of bodies, their rates, speeds, accelerations.
  void follow(const JointForm& form) {
    const auto add = [&](const std::vector<JointForm::Following>& list, std::vector<std::string>& names) {
      for (const auto& one : list) names.push_back(one.name);
      for (const auto& one : list) eq_.following.push_back(resolved(one.value));
    };
    add(form.coordinates, eq_.shape.following.coordinates);
    for (const auto& one : form.coordinates) eq_.following.push_back(resolved(one.rate));
    add(form.speeds, eq_.shape.following.speeds);
    add(form.accelerations, eq_.shape.following.accelerations);
    eq_.shape.least_size = form.turns ? 1 : form.length;
  }

  const Model& model_;
  std::shared_ptr<Graph> graph_;
  bool plain_;
  SymbolKind v_kind_;
  bool natural_ = false;
  Equations eq_;
  std::vector<SymbolId> own_speed_;  ///< of each coordinate whose rate is a speed by itself
  IndexOfSymbol index_of_q_, index_of_v_, coordinate_accelerations_;
  std::vector<Expression> applied_;  ///< forces that no potential covers, on v
  std::vector<Expression> covered_;  ///< the others
  std::optional<DirectionalDerivative> flow_, motion_;
  std::optional<Substitution> resolve_, at_rest_;
};

}  // namespace

Equations derive(const Model& model) { return Derivation(model).run(); }

}  // namespace taut
