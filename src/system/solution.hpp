#pragma once

#include <optional>
#include <vector>

#include "system/equations.hpp"
#include "system/stage.hpp"
#include "system/symbolic_row_factor.hpp"

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
  /// A factor 1 of V: what depends on it is computed when self-stresses are asked for.
  std::vector<SymbolId> stress_request;
  /// The rows were factored by their products: v̇ wants P(c − H v̇) where pivots are small.
  bool squared = false;
  // What is computed: see system/stage.h.
#define TAUT_FORMULAS(name, count) std::vector<Expression> name;
  TAUT_SOLVER_OUTPUTS(TAUT_FORMULAS)
#undef TAUT_FORMULAS
};

/// How independent rows are factored: made orthonormal, or by their products, which costs less where there are many.
enum class Rows { by_number, orthonormal, products };

/// None where it would be longer than `most` operations, or where H depends on the speeds. `stress`: see
/// dependent_rows; without columns where rows are independent. Adds to the graph of the equations.
std::optional<Solution> solution_of(const Equations& eq, const Matrix& stress, std::size_t most,
                                    Rows factored = Rows::by_number);

}  // namespace taut
