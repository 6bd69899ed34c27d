#include "system/symbolic_row_factor.hpp"

#include <algorithm>

#include "base/minimum_degree.hpp"

namespace taut {
namespace {

/// Self-stresses that are smaller than this in some rows, compared to all, may soon vanish there.
constexpr double small_share = 0.1;
/// So many rows may all be linked without much harm.
constexpr std::size_t few_dependent_rows = 20;

///   L⁻¹h_k = Σ_{j<k} s_jk q_j + ρ_k q_k
class OrthonormalRows : public SymbolicRowFactor {
 public:
  OrthonormalRows(const SymbolicMassFactor& mass, const std::vector<Formulas>& rows) : mass_(mass) {
    for (const Formulas& row : rows) add_row(mass.lower(row));
  }

  /// Each share is measured on what the others have left: what rounding keeps the q_k from being orthogonal does no
  /// harm then (Björck & Paige).
  Formulas accelerations(const Formulas& c, const Formulas& f, Formulas& multipliers) const override {
    const Formulas y = forward(c);
    Formulas x = mass_.lower(f);
    multipliers.resize(y.size());
    for (std::size_t k = y.size(); k-- > 0;) {
      multipliers[k] = y[k] - inner(q_[k], x);
      add(x, multipliers[k], q_[k]);
    }
    multipliers = backward(multipliers);
    return mass_.upper(x);
  }

  Formulas smallest(const Formulas& r, Formulas& multipliers) const override {
    multipliers = forward(r);
    Formulas x(mass_.pivots().size());
    for (std::size_t k = 0; k < r.size(); ++k) add(x, multipliers[k], q_[k]);
    multipliers = backward(multipliers);
    return mass_.upper(x);
  }

 private:
  void add_row(Formulas row) {
    sizes_.push_back(inner(row, row));
    Formulas shares;
    for (const Formulas& q : q_) {
      shares.push_back(inner(q, row));
      add(row, -shares.back(), q);
    }
    pivots_.push_back(inner(row, row));
    inverse_.push_back(sqrt(inverse_of(pivots_.back())));
    for (Expression& entry : row) entry *= inverse_.back();
    q_.push_back(std::move(row));
    shares_.push_back(std::move(shares));
  }

  /// y with q_k·x = y_k wherever L⁻¹h_k·x = c of that row.
  Formulas forward(Formulas c) const {
    for (std::size_t k = 0; k < c.size(); ++k) {
      for (std::size_t j = 0; j < k; ++j) c[k] -= shares_[k][j] * c[j];
      c[k] *= inverse_[k];
    }
    return c;
  }

  /// λ with Σ λ_k L⁻¹h_k = Σ z_k q_k.
  Formulas backward(Formulas z) const {
    for (std::size_t k = z.size(); k-- > 0;) {
      z[k] *= inverse_[k];
      for (std::size_t j = 0; j < k; ++j) z[j] -= shares_[k][j] * z[k];
    }
    return z;
  }

  const SymbolicMassFactor& mass_;
  std::vector<Formulas> q_;
  std::vector<Formulas> shares_;  ///< s_jk, by k
  Formulas inverse_;              ///< 1/ρ_k
};

///   G = H M⁻¹ Hᵀ = F D⁻¹ Fᵀ, with D the diagonal of F: no roots are needed
class SquaredRows : public SymbolicRowFactor {
 public:
  SquaredRows(const SymbolicMassFactor& mass, const std::vector<Formulas>& rows, std::size_t leading)
      : mass_(mass), rows_(rows), order_(rows.size()) {
    find_products();
    find_order(0, leading);
    find_order(leading, rows.size());
  }

  /// Of rows that depend on each other: V is added to their products. False where there is no place for it.
  bool add_stress(const Matrix& stress, const std::function<Formulas(int)>& make_inputs, StressColumns& V) {
    V.rows = best_clique(stress);
    if (V.rows.empty()) return false;
    V.columns.clear();
    for (int k = 0; k < static_cast<int>(stress.cols()); ++k)
      V.columns.push_back(make_inputs(static_cast<int>(V.rows.size())));
    for (std::size_t i = 0; i < V.rows.size(); ++i)
      for (std::size_t j = 0; j < V.rows.size(); ++j)
        for (const Formulas& column : V.columns) G_[V.rows[i]][V.rows[j]] += column[i] * column[j];
    return true;
  }

  void factor() {
    const std::size_t m = rows_.size();
    F_.assign(m, Formulas(m));
    pivots_.resize(m);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k <= i; ++k) {
        Expression sum = G_[order_[i]][order_[k]];
        for (std::size_t j = 0; j < k; ++j)
          if (!F_[i][j].is_zero() && !F_[k][j].is_zero()) sum -= F_[i][j] * (F_[k][j] * inverse_[j]);
        F_[i][k] = sum;
      }
      inverse_.push_back(inverse_of(F_[i][i]));
      pivots_[order_[i]] = F_[i][i];
    }
  }

  Formulas accelerations(const Formulas& c, const Formulas& f, Formulas& multipliers) const override {
    const Formulas free = mass_.solve(f);
    Formulas missing = c;
    for (std::size_t k = 0; k < rows_.size(); ++k) missing[k] -= inner(rows_[k], free);
    multipliers = solve(missing);
    return mass_.solve(with_forces(f, multipliers));
  }

  Formulas smallest(const Formulas& r, Formulas& multipliers) const override {
    multipliers = solve(r);
    return mass_.solve(with_forces(Formulas(mass_.pivots().size()), multipliers));
  }

 private:
  /// Rows are sparse and M⁻¹h less so: of two rows the sparser is multiplied with what M⁻¹ makes of the other.
  void find_products() {
    const std::size_t m = rows_.size();
    std::vector<Formulas> divided;
    std::vector<std::ptrdiff_t> zeros;
    for (const Formulas& row : rows_) {
      divided.push_back(mass_.solve(row));
      zeros.push_back(std::ranges::count_if(row, &Expression::is_zero));
    }
    G_.assign(m, Formulas(m));
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j <= i; ++j)
        G_[i][j] = G_[j][i] = zeros[i] > zeros[j] ? inner(rows_[i], divided[j]) : inner(rows_[j], divided[i]);
      sizes_.push_back(G_[i][i]);
    }
  }

  std::vector<char> links(std::size_t first, std::size_t end) const {
    const std::size_t count = end - first;
    std::vector<char> linked(count * count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < count; ++j) linked[i * count + j] = i != j && !G_[first + i][first + j].is_zero();
    return linked;
  }

  /// Of rows [first, end), which come after those before them.
  void find_order(std::size_t first, std::size_t end) {
    std::vector<char> linked = links(first, end);
    std::vector<int> place(end - first);
    minimum_degree(linked, place);
    for (std::size_t i = 0; i < place.size(); ++i) order_[first + static_cast<std::size_t>(place[i])] = first + i;
  }

  /// Rows that are linked to each other in the factor, in which the self-stresses are as large as possible; all rows
  /// where they are few and no such set will do.
  std::vector<std::size_t> best_clique(const Matrix& stress) const {
    const std::size_t m = rows_.size();
    std::vector<char> linked = links(0, m);
    std::vector<std::size_t> best;
    double most = small_share;
    for (std::size_t i = 0; i < m; ++i) {  // what is eliminated links those that come after it
      std::vector<std::size_t> clique = {order_[i]};
      for (std::size_t j = i + 1; j < m; ++j)
        if (linked[order_[i] * m + order_[j]]) clique.push_back(order_[j]);
      for (std::size_t a = 1; a < clique.size(); ++a)
        for (std::size_t b = 1; b < clique.size(); ++b) linked[clique[a] * m + clique[b]] = a != b;
      const double share = least_share(stress, clique);
      if (share <= most) continue;
      most = share;
      best = std::move(clique);
    }
    if (!best.empty() || m > few_dependent_rows) return best;
    for (std::size_t i = 0; i < m; ++i) best.push_back(i);
    return best;
  }

  static double least_share(const Matrix& stress, const std::vector<std::size_t>& rows) {
    if (rows.size() < static_cast<std::size_t>(stress.cols())) return 0;
    Matrix part(static_cast<Eigen::Index>(rows.size()), stress.cols());
    for (std::size_t i = 0; i < rows.size(); ++i)
      part.row(static_cast<Eigen::Index>(i)) = stress.row(static_cast<Eigen::Index>(rows[i]));
    return make_orthonormal(part);
  }

  /// G⁻¹r, of the leading part that has the size of r.
  Formulas solve(const Formulas& r) const {
    const std::size_t m = r.size();
    Formulas y(m), x(m);
    for (std::size_t i = 0; i < m; ++i) {
      y[i] = r[order_[i]];
      for (std::size_t j = 0; j < i; ++j)
        if (!F_[i][j].is_zero()) y[i] -= F_[i][j] * y[j];
      y[i] *= inverse_[i];
    }
    for (std::size_t i = m; i-- > 0;) {
      for (std::size_t j = i + 1; j < m; ++j)
        if (!F_[j][i].is_zero()) y[i] -= F_[j][i] * inverse_[i] * y[j];
      x[order_[i]] = y[i];
    }
    return x;
  }

  /// f + Σ multipliers_k h_k
  Formulas with_forces(Formulas f, const Formulas& multipliers) const {
    for (std::size_t k = 0; k < multipliers.size(); ++k) add(f, multipliers[k], rows_[k]);
    return f;
  }

  const SymbolicMassFactor& mass_;
  std::vector<Formulas> rows_;
  std::vector<Formulas> G_;
  std::vector<std::size_t> order_;  ///< of elimination
  std::vector<Formulas> F_;
  Formulas inverse_;  ///< of the diagonal of F
};

}  // namespace

std::unique_ptr<SymbolicRowFactor> orthonormal_rows(const SymbolicMassFactor& mass, const std::vector<Formulas>& rows) {
  return std::make_unique<OrthonormalRows>(mass, rows);
}

std::unique_ptr<SymbolicRowFactor> squared_rows(const SymbolicMassFactor& mass, const std::vector<Formulas>& rows,
                                                std::size_t leading) {
  auto squared = std::make_unique<SquaredRows>(mass, rows, leading);
  squared->factor();
  return squared;
}

std::unique_ptr<SymbolicRowFactor> dependent_rows(const SymbolicMassFactor& mass, const std::vector<Formulas>& rows,
                                                  const Matrix& stress, const std::function<Formulas(int)>& make_inputs,
                                                  StressColumns& V) {
  auto squared = std::make_unique<SquaredRows>(mass, rows, rows.size());
  if (!squared->add_stress(stress, make_inputs, V)) return nullptr;
  squared->factor();
  return squared;
}

double make_orthonormal(Eigen::Ref<Matrix> columns) {
  double least = 1;
  for (Eigen::Index k = 0; k < columns.cols(); ++k) {
    for (int pass = 0; pass < 2; ++pass)
      for (Eigen::Index j = 0; j < k; ++j) columns.col(k) -= columns.col(j).dot(columns.col(k)) * columns.col(j);
    const double length = columns.col(k).norm();
    if (!(length >= least)) least = length;
    columns.col(k) /= length;
  }
  return least;
}

}  // namespace taut
