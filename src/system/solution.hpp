#pragma once

#include <optional>
#include <vector>

#include "system/equations.hpp"

namespace taut {

/// The solution of the equations of motion, written out: factors of M and H as formulas, so that entries which are
/// zero cost nothing, those which are constant are computed once, and a program does at one go what a kernel would do
/// with matrices handed to it. It holds where the rows of H that it is given are independent and imply the others.
///
///   M = LLᵀ,  C = H L⁻ᵀ, and a factor of the rows of C
///
/// The leading part of the factor is that of the position constraints alone.
struct Solution {
  std::vector<int> rows, implied;           ///< of H; all lists below of one entry a row are in the order of H
  std::vector<SymbolId> demanded;           ///< c of H v̇ = c: these symbols are inputs
  std::vector<SymbolId> residual;           ///< r of P(r)
  std::vector<SymbolId> position_residual;  ///< r of N P_q(r)
  std::vector<SymbolId> trial_position;     ///< t, q of −Φ(t, q)
  std::vector<SymbolId> trial_velocity;     ///< v of −χ(v)
  std::vector<Expression> mass_pivots;      ///< squares of the diagonal of L
  std::vector<Expression> sizes,
      pivots;  ///< squares of the length of each c_k, and of ρ_k; of what is left of implied rows
  std::vector<Expression> exchange;  ///< of implied rows: square of what they take of the others, in units of length
  std::vector<Expression> acceleration;         ///< v̇
  std::vector<Expression> multipliers;          ///< λ
  Expression power = 0;                         ///< with v̇ and λ put in
  std::vector<Expression> correction;           ///< P(r)
  std::vector<Expression> position_correction;  ///< N P_q(r), of the leading rows
  std::vector<Expression> missing_position;     ///< −Φ at the trial position
  std::vector<Expression> missing_velocity;     ///< −χ at the trial velocity
};

/// None where it would be longer than `most` operations, or where H depends on the speeds. Adds to the graph of the
/// equations.
std::optional<Solution> solution_of(const Equations& eq, const std::vector<int>& rows, std::size_t most);

}  // namespace taut
