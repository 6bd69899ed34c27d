#pragma once

#include <optional>
#include <vector>

#include "system/equations.hpp"
#include "system/written_rows.hpp"

namespace taut {

/// The solution of the equations of motion, written out: factors of M and H as formulas, so that entries which are zero
/// cost nothing, those which are constant are computed once, and a program does at one go what a kernel would do with
/// matrices handed to it. It holds where the rows of H have as many self-stresses as it is given.
///
/// The leading part of the rows' factor is that of the position constraints alone.
struct Solution {
  StressColumns stress;                     ///< V, in rows of H; its entries are inputs, column after column
  std::vector<SymbolId> demanded;           ///< c of H v̇ = c: these symbols are inputs
  std::vector<SymbolId> residual;           ///< r of P(r)
  std::vector<SymbolId> position_residual;  ///< r of N P_q(r)
  std::vector<SymbolId> trial_position;     ///< t, q of −Φ(t, q), retracted first
  std::vector<SymbolId> trial_velocity;     ///< v of −χ(v)
  std::vector<SymbolId> stress_inputs;      ///< V
  std::vector<SymbolId> look;               ///< a factor 1 of V: what depends on it is computed when asked for
  std::vector<Expression> mass_pivots;      ///< squares of the diagonal of L
  std::vector<Expression> sizes;            ///< squares of the rows' lengths, weighted by M⁻¹
  std::vector<Expression> pivots;           ///< squares of what each has of its own, V included
  /// The rows were factored by their products: v̇ wants P(c − H v̇) where pivots are small.
  bool squared = false;
  /// S = (G + VVᵀ)⁻¹V, column after column, as far as it has rows in V.
  std::vector<Expression> self_stress;
  /// Squares of the forces M^-1/2 HᵀS that should cancel, by columns of length 1.
  std::vector<Expression> remainders;
  /// What S has beside V, a square; S is weighted by the rows' lengths.
  Expression exchange = 0;
  std::vector<Expression> acceleration;            ///< v̇
  std::vector<Expression> multipliers;             ///< λ
  std::vector<Expression> missing_acceleration;    ///< c − H v̇ at a given v̇, the equations' own symbols
  std::vector<Expression> correction;              ///< P(r) …
  std::vector<Expression> correction_multipliers;  ///< … = M⁻¹Hᵀ times these
  std::vector<Expression> position_correction;     ///< N P_q(r), of the leading rows
  std::vector<Expression> retraction;              ///< of the trial position: what its retracted coordinates become
  std::vector<Expression> missing_position;        ///< −Φ there
  std::vector<Expression> missing_velocity;        ///< −χ at the trial velocity
};

/// None where it would be longer than `most` operations, or where H depends on the speeds. `stress`: see
/// dependent_rows; without columns where rows are independent. Adds to the graph of the equations.
std::optional<Solution> solution_of(const Equations& eq, const Matrix& stress, std::size_t most);

}  // namespace taut
