#pragma once

#include <cassert>
#include <memory>
#include <optional>
#include <vector>

#include "expression/derivative.hpp"
#include "system/equations.hpp"

namespace taut {

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

/// What all steps of deriving the equations of one model share: the equations as they grow, which symbols stand for q,
/// v and v̇, and formulas of the model in terms of these.
class Derivation {
 public:
  /// Declares the symbols and finds q̇ = N v + n.
  explicit Derivation(const Model& model);

  Graph& graph() { return *graph_; }
  /// A formula of the model as it is.
  Expression here(const Expression& e) { return e.graph() ? Expression(graph(), e.in(*e.graph())) : e; }
  Expression symbol(SymbolId id) { return Expression(graph(), graph().symbol(id)); }
  /// A formula of the model in terms of q, v and t.
  Expression resolved(const Expression& e) { return plain ? here(e) : resolved_anew(here(e)); }
  /// … of one that is in terms of rates.
  Expression resolved_anew(const Expression& e) { return (*resolve_)(e); }
  /// d/dt at v̇ = 0.
  Expression flow(const Expression& e) { return (*flow_)(e); }
  /// d/dt with accelerations.
  Expression motion(const Expression& e) { return (*motion_)(e); }
  Expression without_speeds(const Expression& e);

  bool depends_on(const Expression& e, SymbolKind kind) const;
  bool is_coordinate(SymbolId s) const { return index_of_q_.contains(s); }
  int index_of_q(SymbolId s) const { return index_of_q_.at(s); }
  int index_of_v(SymbolId s) const { return index_of_v_.at(s); }
  /// One of the speeds that are not the rate of a coordinate.
  const Speed& speed(int i) const { return model.speeds[static_cast<std::size_t>(i - eq.shape.leading_rates)]; }
  bool is_state(SymbolId s) const;
  bool is_of_states(const Expression& e) const;
  /// The rows' multipliers, in the order of the rows.
  void declare_multipliers();

  const Model& model;
  const bool plain;         ///< q̇ = v
  const SymbolKind v_kind;  ///< of the symbols of v
  Equations eq;

 private:
  void make_room();
  void declare_symbols();
  void declare(const Coordinate& coordinate);
  void declare(const Speed& speed);
  void find_rates();
  void find_derivatives();

  std::shared_ptr<Graph> graph_;
  std::vector<SymbolId> own_speed_;  ///< of each coordinate whose rate is a speed by itself
  IndexOfSymbol index_of_q_, index_of_v_, coordinate_accelerations_;
  std::optional<DirectionalDerivative> flow_, motion_;
  std::optional<Substitution> resolve_, at_rest_;
};

// The steps, in the order of the story; each fills in its part of the equations.

/// Φ, χ, H, b.
void derive_constraints(Derivation& derivation);

/// Forces on v, as the energy balance asks for them.
struct DerivedForces {
  std::vector<Expression> applied;  ///< that no potential covers
  std::vector<Expression> covered;  ///< the others; where T is not natural
  bool natural = false;             ///< T is a quadratic form in the rates alone: the balance needs no accelerations
};
/// M and f, from energies or from a given mass matrix.
DerivedForces derive_forces(Derivation& derivation);
/// Adds a force to f, or to the reactions if it depends on multipliers.
void apply_force(Derivation& derivation, int i, const Expression& force);
/// Has a load been written out with the rest of f?
bool is_in_f(const Model& model, const Load& load);

/// E, its derivatives, and the power that forces and moving constraints put in.
void derive_energy(Derivation& derivation, const DerivedForces& forces);

}  // namespace taut
