#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "system/symbolic_mass_factor.hpp"
#include "taut/vector.hpp"

namespace taut {

/// Rows h_k of H, factored as formulas in the metric M⁻¹.
class SymbolicRowFactor {
 public:
  virtual ~SymbolicRowFactor() = default;

  /// v̇ and λ with M v̇ = f + Σ λ_k h_k and h_k·v̇ = c of that row.
  virtual Formulas accelerations(const Formulas& c, const Formulas& f, Formulas& multipliers) const = 0;
  /// The x = M⁻¹ Σ multipliers_k h_k with h_k·x = r_k, which is the smallest, over as many of the leading rows as r
  /// has; their factor is part of the whole.
  virtual Formulas smallest(const Formulas& r, Formulas& multipliers) const = 0;

  const Formulas& sizes() const { return sizes_; }
  const Formulas& pivots() const { return pivots_; }

 protected:
  Formulas sizes_;   ///< squares of the rows' lengths
  Formulas pivots_;  ///< squares of what each has beside those before it
};

/// By rows L⁻¹h made orthonormal one after the other (modified Gram–Schmidt): nothing is squared. Rows are to be
/// independent. The mass is to live as long as they.
std::unique_ptr<SymbolicRowFactor> orthonormal_rows(const SymbolicMassFactor& mass, const std::vector<Formulas>& rows);

/// By Cholesky's factor of all their products G = H M⁻¹ Hᵀ, in an order that keeps it sparse, the first `leading` rows
/// first. Much shorter where rows are many and sparse, as in a mechanism of bodies, since orthonormal rows are full.
/// What squares lose comes back where what is missing is corrected once: x + smallest(c − Hx).
std::unique_ptr<SymbolicRowFactor> squared_rows(const SymbolicMassFactor& mass, const std::vector<Formulas>& rows,
                                                std::size_t leading);

/// Columns V with entries in some of the rows only.
struct StressColumns {
  std::vector<std::size_t> rows;
  std::vector<Formulas> columns;  ///< entries in the order of `rows`
};

/// As squared_rows, for rows that depend on each other. Then there are self-stresses S, multipliers whose forces
/// cancel, HᵀS = 0, and G is singular; G + VVᵀ is not, and gives the same wherever the rows do not contradict each
/// other: from (G + VVᵀ)λ = r follows SᵀV Vᵀλ = Sᵀr = 0, so Vᵀλ = 0 and Gλ = r, whatever V is, if only SᵀV is regular.
/// No row is left out, and nothing has to be chosen. (G + VVᵀ)⁻¹V spans the self-stresses.
///
/// V has entries only in rows that are linked in the factor anyway, so that it stays as sparse as it is. They are found
/// by `stress`: numbers, a column for each self-stress and a row for each row of length 1, as the motion begins.
/// `make_inputs` declares so many symbols. None where the self-stresses have no such rows in common.
std::unique_ptr<SymbolicRowFactor> dependent_rows(const SymbolicMassFactor& mass, const std::vector<Formulas>& rows,
                                                  const Matrix& stress, const std::function<Formulas(int)>& make_inputs,
                                                  StressColumns& V);

/// Makes columns orthonormal, one after the other. The least length that one has beside those before it.
double make_orthonormal(Eigen::Ref<Matrix> columns);

}  // namespace taut
