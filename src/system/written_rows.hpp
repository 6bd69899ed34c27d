#pragma once

#include <memory>
#include <vector>

#include "taut/expression.hpp"

namespace taut {

using Formulas = std::vector<Expression>;

Expression inner(const Formulas& a, const Formulas& b);
/// a += factor b
void add(Formulas& a, const Expression& factor, const Formulas& b);

/// Independent rows c_k, factored as formulas.
class WrittenRows {
 public:
  virtual ~WrittenRows() = default;

  /// x nearest to w with c_k·x = c of that row; x = w + Σ multipliers_k c_k.
  virtual Formulas nearest(const Formulas& c, const Formulas& w, Formulas& multipliers) const = 0;
  /// The smallest x with c_k·x = r_k, over as many of the leading rows as r has; their factor is part of the whole.
  virtual Formulas smallest(const Formulas& r, std::size_t length) const = 0;
  /// What another row has beside these: row − Σ shares_k c_k.
  virtual Formulas remainder(const Formulas& row, Formulas& shares) const = 0;

  const Formulas& sizes() const { return sizes_; }
  const Formulas& pivots() const { return pivots_; }

 protected:
  Formulas sizes_;   ///< squares of the rows' lengths
  Formulas pivots_;  ///< squares of what each has beside those before it
};

/// By rows made orthonormal one after the other (modified Gram–Schmidt): nothing is squared.
std::unique_ptr<WrittenRows> orthonormal_rows(const std::vector<Formulas>& rows);

/// By Cholesky's factor of all their products, in an order that keeps it sparse, the first `leading` rows first. Much
/// shorter where rows are many and sparse, as in a mechanism of bodies, since orthonormal rows are full. What squares
/// lose is brought back by one refinement of what nearest() gives.
std::unique_ptr<WrittenRows> squared_rows(const std::vector<Formulas>& rows, std::size_t leading);

}  // namespace taut
