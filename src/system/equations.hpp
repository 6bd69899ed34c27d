#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "taut/model.hpp"
#include "taut/system.hpp"

namespace taut {

/// A matrix of formulas: only the entries that are not identically zero.
struct FormulaMatrix {
  Pattern pattern;
  std::vector<Expression> entries;

  void reserve(std::size_t count) {
    pattern.entries.reserve(count);
    entries.reserve(count);
  }
  void shrink_to_fit() {
    pattern.entries.shrink_to_fit();
    entries.shrink_to_fit();
  }
  void add(int row, int column, const Expression& entry) {
    pattern.entries.emplace_back(row, column);
    entries.push_back(entry);
  }
};

/// Everything that is derived from a model, still as formulas. The speeds v are the rates of the
/// coordinates, or the model's own quasi-velocities.
struct Equations {
  std::shared_ptr<Graph> graph;  ///< a copy of the model's, so that deriving never changes the model
  Shape shape;
  SymbolId time;
  std::vector<SymbolId> parameters, q, v, a, multipliers;

  std::vector<int> retracted;           ///< coordinates that are set anew …
  std::vector<Expression> retractions;  ///< … to these values
  std::vector<Expression> rates;        ///< q̇ = N v + n
  FormulaMatrix N;
  FormulaMatrix M;
  std::vector<Expression> f;          ///< without what depends on multipliers, …
  std::vector<Expression> reactions;  ///< … which is this; empty where nothing does
  FormulaMatrix reaction_slopes;      ///< ∂reactions/∂λ
  std::vector<Expression> Phi, chi;
  FormulaMatrix H;
  std::vector<Expression> softness;  ///< of each row; 0 where it holds exactly
  std::vector<Expression> b;
  std::optional<Expression> energy;
  std::vector<Expression> energy_gradient;  ///< ∂E/∂v
  std::vector<Expression> energy_slope;     ///< ∂E/∂q
  Expression energy_rate = 0;               ///< ∂E/∂t + ∂E/∂q q̇
  Expression power = 0;
  std::vector<Expression> outputs;    ///< outputs, then watched functions
  std::vector<Expression> following;  ///< what Shape::Following names

  std::vector<StateFunction> functions;     ///< of the program, with their arguments
  std::vector<SymbolId> branches;           ///< inputs that choose the branch at each kink; see branches.hpp
  std::vector<Expression> switching;        ///< the switching functions: formulas of t, q, v …
  std::vector<Expression> switching_rates;  ///< … and their rates, of v̇ too
  std::vector<Expression> reach;            ///< the most that the sign of each may be where it is held at zero
};

/// Is the symbol an input that a function computes?
bool is_driven(const Equations& eq, SymbolId symbol);

/// Lagrange's equations, or the model's own mass matrix; constraints differentiated as often as needed.
/// Throws InputError where the model cannot be such a system.
Equations derive(const Model& model);

}  // namespace taut
