#include "system/symbolic_mass_factor.hpp"

#include "base/minimum_degree.hpp"

namespace taut {

Expression inner(const Formulas& a, const Formulas& b) {
  Expression sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!a[i].is_zero() && !b[i].is_zero()) sum += a[i] * b[i];
  return sum;
}

void add(Formulas& a, const Expression& factor, const Formulas& b) {
  if (factor.is_zero()) return;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!b[i].is_zero()) a[i] += factor * b[i];
}

/// As 1 / x it would be folded into every product with it, as a division each.
Expression inverse_of(const Expression& x) { return pow(x, -1); }

namespace {

Formulas scaled(Formulas x, const Formulas& factors) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!x[i].is_zero()) x[i] *= factors[i];
  return x;
}

}  // namespace

SymbolicMassFactor::SymbolicMassFactor(const FormulaMatrix& M) : n_(M.pattern.rows), place_(n_), U_(n_, Formulas(n_)) {
  std::vector<Formulas> entries(n_, Formulas(n_));
  for (std::size_t k = 0; k < M.entries.size(); ++k)
    entries[M.pattern.entries[k].first][M.pattern.entries[k].second] = M.entries[k];
  find_order(entries);
  std::vector<int> index(n_);
  for (int i = 0; i < n_; ++i) index[place_[i]] = i;
  Formulas row(n_);  // of U D
  for (int i = 0; i < n_; ++i) {
    Expression pivot = entries[index[i]][index[i]];
    for (int k = 0; k < i; ++k) {
      row[k] = entries[index[i]][index[k]];
      for (int j = 0; j < k; ++j)
        if (!row[j].is_zero() && !U_[k][j].is_zero()) row[k] -= row[j] * U_[k][j];
      if (row[k].is_zero()) continue;
      U_[i][k] = row[k] * inverse_[k];
      pivot -= row[k] * U_[i][k];
    }
    pivots_.push_back(pivot);
    inverse_.push_back(inverse_of(pivot));
    root_.push_back(sqrt(inverse_.back()));
  }
}

/// U⁻¹x, in the factor's order.
Formulas SymbolicMassFactor::divide_by_unit(const Formulas& x) const {
  Formulas y(n_);
  for (int i = 0; i < n_; ++i) y[place_[i]] = x[i];
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < i; ++j)
      if (!U_[i][j].is_zero() && !y[j].is_zero()) y[i] -= U_[i][j] * y[j];
  return y;
}

/// U⁻ᵀy, back in the order of the unknowns.
Formulas SymbolicMassFactor::divide_by_transpose(Formulas y) const {
  for (int i = n_; i-- > 0;) {
    if (y[i].is_zero()) continue;
    for (int j = 0; j < i; ++j)
      if (!U_[i][j].is_zero()) y[j] -= U_[i][j] * y[i];
  }
  Formulas x(n_);
  for (int i = 0; i < n_; ++i) x[i] = y[place_[i]];
  return x;
}

Formulas SymbolicMassFactor::lower(const Formulas& x) const { return scaled(divide_by_unit(x), root_); }

Formulas SymbolicMassFactor::upper(const Formulas& y) const { return divide_by_transpose(scaled(y, root_)); }

Formulas SymbolicMassFactor::solve(const Formulas& x) const {
  return divide_by_transpose(scaled(divide_by_unit(x), inverse_));
}

void SymbolicMassFactor::find_order(const std::vector<Formulas>& entries) {
  std::vector<char> linked(static_cast<std::size_t>(n_) * n_);
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < n_; ++j) linked[i * n_ + j] = i != j && !entries[i][j].is_zero();
  minimum_degree(linked, place_);
}

}  // namespace taut
