#include "system/written_rows.hpp"

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

namespace {

///   c_k = Σ_{j<k} s_jk q_j + ρ_k q_k
class OrthonormalRows : public WrittenRows {
 public:
  explicit OrthonormalRows(const std::vector<Formulas>& rows) {
    for (const Formulas& row : rows) add_row(row);
  }

  /// Each share is measured on what the others have left: what rounding keeps the q_k from being orthogonal does no
  /// harm then (Björck & Paige).
  Formulas nearest(const Formulas& c, const Formulas& w, Formulas& multipliers) const override {
    const Formulas y = forward(c);
    Formulas x = w;
    multipliers.resize(y.size());
    for (std::size_t k = y.size(); k-- > 0;) {
      multipliers[k] = y[k] - inner(q_[k], x);
      add(x, multipliers[k], q_[k]);
    }
    multipliers = backward(multipliers);
    return x;
  }

  Formulas smallest(const Formulas& r, std::size_t length) const override {
    const Formulas y = forward(r);
    Formulas x(length);
    for (std::size_t k = 0; k < y.size(); ++k) add(x, y[k], q_[k]);
    return x;
  }

  Formulas remainder(const Formulas& row, Formulas& shares) const override {
    Formulas left = row;
    shares.clear();
    for (const Formulas& q : q_) {
      shares.push_back(inner(q, left));
      add(left, -shares.back(), q);
    }
    shares = backward(shares);
    return left;
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
    inverse_.push_back(sqrt(1 / pivots_.back()));
    for (Expression& entry : row) entry *= inverse_.back();
    q_.push_back(std::move(row));
    shares_.push_back(std::move(shares));
  }

  /// y with q_k·x = y_k wherever c_k·x = c of that row.
  Formulas forward(Formulas c) const {
    for (std::size_t k = 0; k < c.size(); ++k) {
      for (std::size_t j = 0; j < k; ++j) c[k] -= shares_[k][j] * c[j];
      c[k] *= inverse_[k];
    }
    return c;
  }

  /// λ with Σ λ_k c_k = Σ z_k q_k.
  Formulas backward(Formulas z) const {
    for (std::size_t k = z.size(); k-- > 0;) {
      z[k] *= inverse_[k];
      for (std::size_t j = 0; j < k; ++j) z[j] -= shares_[k][j] * z[k];
    }
    return z;
  }

  std::vector<Formulas> q_;
  std::vector<Formulas> shares_;  ///< s_jk, by k
  Formulas inverse_;              ///< 1/ρ_k
};

///   G = C Cᵀ = F D⁻¹ Fᵀ, with D the diagonal of F: no roots are needed
class SquaredRows : public WrittenRows {
 public:
  SquaredRows(const std::vector<Formulas>& rows, std::size_t leading) : rows_(rows), order_(rows.size()) {
    const std::size_t m = rows.size();
    std::vector<Formulas> G(m, Formulas(m));
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j <= i; ++j) G[i][j] = G[j][i] = inner(rows[i], rows[j]);
    find_order(G, 0, leading);
    find_order(G, leading, m);
    F_.assign(m, Formulas(m));
    pivots_.resize(m);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k <= i; ++k) {
        Expression sum = G[order_[i]][order_[k]];
        for (std::size_t j = 0; j < k; ++j)
          if (!F_[i][j].is_zero() && !F_[k][j].is_zero()) sum -= F_[i][j] * (F_[k][j] * inverse_[j]);
        F_[i][k] = sum;
      }
      inverse_.push_back(1 / F_[i][i]);
      pivots_[order_[i]] = F_[i][i];
      sizes_.push_back(G[i][i]);
    }
  }

  Formulas nearest(const Formulas& c, const Formulas& w, Formulas& multipliers) const override {
    Formulas x = w;
    multipliers.assign(rows_.size(), 0);
    for (int pass = 0; pass < 2; ++pass) {
      Formulas missing = c;
      for (std::size_t k = 0; k < rows_.size(); ++k) missing[k] -= inner(rows_[k], x);
      const Formulas change = solve(missing);
      for (std::size_t k = 0; k < rows_.size(); ++k) {
        multipliers[k] += change[k];
        add(x, change[k], rows_[k]);
      }
    }
    return x;
  }

  Formulas smallest(const Formulas& r, std::size_t length) const override {
    const Formulas change = solve(r);
    Formulas x(length);
    for (std::size_t k = 0; k < r.size(); ++k) add(x, change[k], rows_[k]);
    return x;
  }

  Formulas remainder(const Formulas& row, Formulas& shares) const override {
    Formulas products;
    for (const Formulas& other : rows_) products.push_back(inner(other, row));
    shares = solve(products);
    Formulas left = row;
    for (std::size_t k = 0; k < rows_.size(); ++k) add(left, -shares[k], rows_[k]);
    return left;
  }

 private:
  /// Of rows [first, end), which come after those before them.
  void find_order(const std::vector<Formulas>& G, std::size_t first, std::size_t end) {
    const std::size_t count = end - first;
    std::vector<char> linked(count * count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < count; ++j) linked[i * count + j] = i != j && !G[first + i][first + j].is_zero();
    std::vector<int> place(count);
    minimum_degree(linked, place);
    for (std::size_t i = 0; i < count; ++i) order_[first + static_cast<std::size_t>(place[i])] = first + i;
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

  std::vector<Formulas> rows_;
  std::vector<std::size_t> order_;  ///< of elimination
  std::vector<Formulas> F_;
  Formulas inverse_;  ///< of the diagonal of F
};

}  // namespace

std::unique_ptr<WrittenRows> orthonormal_rows(const std::vector<Formulas>& rows) {
  return std::make_unique<OrthonormalRows>(rows);
}

std::unique_ptr<WrittenRows> squared_rows(const std::vector<Formulas>& rows, std::size_t leading) {
  return std::make_unique<SquaredRows>(rows, leading);
}

}  // namespace taut
