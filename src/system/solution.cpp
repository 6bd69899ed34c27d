#include "system/solution.hpp"

#include <algorithm>
#include <string>

#include "base/minimum_degree.hpp"
#include "expression/derivative.hpp"
#include "system/written_rows.hpp"

namespace taut {
namespace {

/// Cholesky's factor of M, unknowns in an order that keeps it sparse.
class Mass {
 public:
  explicit Mass(const FormulaMatrix& M) : n_(M.pattern.rows), place_(n_), L_(n_, Formulas(n_)), inverse_(n_) {
    std::vector<Formulas> entries(n_, Formulas(n_));
    for (std::size_t k = 0; k < M.entries.size(); ++k)
      entries[M.pattern.entries[k].first][M.pattern.entries[k].second] = M.entries[k];
    find_order(entries);
    std::vector<int> index(n_);
    for (int i = 0; i < n_; ++i) index[place_[i]] = i;
    for (int i = 0; i < n_; ++i) {
      for (int k = 0; k < i; ++k) {
        Expression sum = entries[index[i]][index[k]];
        for (int j = 0; j < k; ++j) sum -= L_[i][j] * L_[k][j];
        L_[i][k] = sum * inverse_[k];
      }
      Expression square = entries[index[i]][index[i]];
      for (int j = 0; j < i; ++j) square -= L_[i][j] * L_[i][j];
      pivots_.push_back(square);
      inverse_[i] = sqrt(1 / square);  // as 1 / sqrt it would be folded into every product, as a division
    }
  }

  /// L⁻¹x, in the factor's order.
  Formulas lower(const Formulas& x) const {
    Formulas y(n_);
    for (int i = 0; i < n_; ++i) y[place_[i]] = x[i];
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < i; ++j)
        if (!L_[i][j].is_zero() && !y[j].is_zero()) y[i] -= L_[i][j] * y[j];
      if (!y[i].is_zero()) y[i] *= inverse_[i];
    }
    return y;
  }

  /// L⁻ᵀy, back in the order of the unknowns.
  Formulas upper(Formulas y) const {
    for (int i = n_; i-- > 0;) {
      y[i] *= inverse_[i];
      for (int j = 0; j < i; ++j) y[j] -= L_[i][j] * y[i];
    }
    Formulas x(n_);
    for (int i = 0; i < n_; ++i) x[i] = y[place_[i]];
    return x;
  }

  const Formulas& pivots() const { return pivots_; }

 private:
  void find_order(const std::vector<Formulas>& entries) {
    std::vector<char> linked(static_cast<std::size_t>(n_) * n_);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) linked[i * n_ + j] = i != j && !entries[i][j].is_zero();
    minimum_degree(linked, place_);
  }

  int n_;
  std::vector<int> place_;
  std::vector<Formulas> L_;
  Formulas inverse_;  ///< of the diagonal of L
  Formulas pivots_;
};

std::vector<SymbolId> inputs(Graph& graph, const char* name, int count) {
  std::vector<SymbolId> symbols;
  for (int k = 0; k < count; ++k) symbols.push_back(graph.declare(name + std::to_string(k), SymbolKind::parameter));
  return symbols;
}

std::vector<Formulas> rows_of(const FormulaMatrix& H) {
  std::vector<Formulas> rows(H.pattern.rows, Formulas(H.pattern.columns));
  for (std::size_t k = 0; k < H.entries.size(); ++k)
    rows[H.pattern.entries[k].first][H.pattern.entries[k].second] = H.entries[k];
  return rows;
}

Formulas spread(const Equations& eq, const Formulas& dv) {
  if (eq.shape.plain_rates) return dv;
  Formulas dq(eq.q.size());
  for (std::size_t k = 0; k < eq.N.entries.size(); ++k)
    dq[eq.N.pattern.entries[k].first] += eq.N.entries[k] * dv[eq.N.pattern.entries[k].second];
  return dq;
}

/// Minus these formulas at other values of some symbols.
Formulas negative_at(const Equations& eq, const Formulas& formulas, const std::vector<SymbolId>& symbols,
                     const std::vector<SymbolId>& others) {
  Graph& graph = *eq.graph;
  Substitution put_in(graph, [&](SymbolId s) {
    const auto found = std::ranges::find(symbols, s);
    return Expression(graph, graph.symbol(found == symbols.end() ? s : others[found - symbols.begin()]));
  });
  Formulas negative;
  for (const Expression& formula : formulas) negative.push_back(-put_in(formula));
  return negative;
}

/// The power where accelerations and multipliers are known as formulas.
Expression power_of(const Equations& eq, const Solution& solution) {
  if (!eq.shape.does_work) return 0;
  Graph& graph = *eq.graph;
  Substitution put_in(graph, [&](SymbolId s) {
    if (const auto a = std::ranges::find(eq.a, s); a != eq.a.end()) return solution.acceleration[a - eq.a.begin()];
    const auto lambda = std::ranges::find(eq.multipliers, s);
    if (lambda != eq.multipliers.end()) return solution.multipliers[lambda - eq.multipliers.begin()];
    return Expression(graph, graph.symbol(s));
  });
  return put_in(eq.power);
}

/// A coordinate without inertia: M alone is singular, and the rows complete it.
bool lacks_inertia(const FormulaMatrix& M) {
  std::vector<bool> has(M.pattern.rows);
  for (std::size_t k = 0; k < M.entries.size(); ++k)
    if (const auto [i, j] = M.pattern.entries[k]; i == j && !M.entries[k].is_zero()) has[i] = true;
  return std::ranges::find(has, false) != has.end();
}

/// M + HᵀWH in place of M, with W of the size |M|/|h|²: with f + HᵀWc in place of f the solution is the same, since
/// H v̇ = c (as the kernels do, docs/theory/notation.md).
class Completion {
 public:
  Completion(const FormulaMatrix& M, const std::vector<Formulas>& H, const std::vector<int>& rows)
      : H_(H), rows_(rows) {
    const int n = M.pattern.rows;
    std::vector<Formulas> sum(n, Formulas(n));
    Expression inertia = 0;
    for (std::size_t k = 0; k < M.entries.size(); ++k) {
      const auto [i, j] = M.pattern.entries[k];
      sum[i][j] = M.entries[k];
      if (i == j) inertia += M.entries[k];
    }
    for (const int k : rows) {
      weights_.push_back(inertia / inner(H[k], H[k]));
      for (int i = 0; i < n; ++i)
        if (!H[k][i].is_zero()) add(sum[i], weights_.back() * H[k][i], H[k]);
    }
    mass_.pattern.rows = mass_.pattern.columns = n;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (!sum[i][j].is_zero()) mass_.add(i, j, sum[i][j]);
  }

  const FormulaMatrix& mass() const { return mass_; }
  /// `demanded` has one entry for each of the rows.
  void add_force(const Formulas& demanded, Formulas& f) const {
    for (std::size_t k = 0; k < rows_.size(); ++k) add(f, weights_[k] * demanded[k], H_[rows_[k]]);
  }

 private:
  const std::vector<Formulas>& H_;
  const std::vector<int>& rows_;
  Formulas weights_;
  FormulaMatrix mass_;
};

/// More rows than this are factored by their products.
constexpr std::size_t few_rows = 6;

/// An estimate that spares writing out what is too long anyway: dense factors.
std::size_t dense_operations(std::size_t n, std::size_t m) { return n * n * n / 3 + n * n * m + 2 * n * m * m; }

}  // namespace

std::optional<Solution> solution_of(const Equations& eq, const std::vector<int>& rows_given, std::size_t most) {
  const std::size_t n = eq.v.size(), m = eq.chi.size();
  if (eq.shape.jacobian_of_speeds) return std::nullopt;  // its factor belongs to a velocity, not to a position
  // Most of a large mechanism's factors are zeros, but not all but a hundredth.
  if (dense_operations(n, m) > 100 * most) return std::nullopt;
  Graph& graph = *eq.graph;
  const std::size_t before = graph.size();
  const auto too_long = [&] { return graph.size() - before > most; };

  Solution solution;
  solution.rows = rows_given;
  solution.sizes.resize(m);
  solution.pivots.resize(m);
  solution.multipliers.resize(m);
  const std::vector<Formulas> H = rows_of(eq.H);
  std::optional<Completion> completion;
  if (lacks_inertia(eq.M)) completion.emplace(eq.M, H, solution.rows);
  const Mass mass(completion ? completion->mass() : eq.M);
  solution.mass_pivots = mass.pivots();
  std::vector<Formulas> weighted;  // H L⁻ᵀ
  for (const Formulas& row : H) weighted.push_back(mass.lower(row));
  std::vector<Formulas> chosen;
  std::size_t leading = 0;
  for (const int k : solution.rows) {
    chosen.push_back(weighted[k]);
    if (k < eq.shape.position_rows) ++leading;
  }
  if (too_long()) return std::nullopt;
  const std::unique_ptr<WrittenRows> rows =
      chosen.size() <= few_rows ? orthonormal_rows(chosen) : squared_rows(chosen, leading);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    solution.sizes[solution.rows[i]] = rows->sizes()[i];
    solution.pivots[solution.rows[i]] = rows->pivots()[i];
  }
  if (too_long()) return std::nullopt;
  for (int k = 0; k < static_cast<int>(m); ++k) {
    if (std::ranges::find(solution.rows, k) != solution.rows.end()) continue;
    solution.implied.push_back(k);
    Formulas shares;
    const Formulas left = rows->remainder(weighted[k], shares);
    solution.sizes[k] = inner(weighted[k], weighted[k]);
    solution.pivots[k] = inner(left, left);
    Expression exchange = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) exchange += shares[i] * shares[i] * rows->sizes()[i];
    solution.exchange.push_back(exchange / solution.sizes[k]);
    if (too_long()) return std::nullopt;
  }

  solution.demanded = inputs(graph, "demanded ", static_cast<int>(m));
  solution.residual = inputs(graph, "residual ", static_cast<int>(m));
  solution.position_residual = inputs(graph, "position residual ", eq.shape.position_rows);
  /// Those of the symbols that belong to rows that count.
  const auto counting = [&](const std::vector<SymbolId>& symbols) {
    Formulas formulas;
    for (const int k : solution.rows)
      if (k < static_cast<int>(symbols.size())) formulas.emplace_back(graph, graph.symbol(symbols[k]));
    return formulas;
  };
  const Formulas demanded = counting(solution.demanded);
  Formulas f = eq.f;
  if (completion) completion->add_force(demanded, f);
  Formulas multipliers;
  solution.acceleration = mass.upper(rows->nearest(demanded, mass.lower(f), multipliers));
  for (std::size_t k = 0; k < multipliers.size(); ++k) solution.multipliers[solution.rows[k]] = multipliers[k];
  solution.power = power_of(eq, solution);

  const auto correction = [&](const std::vector<SymbolId>& residual) {
    return mass.upper(rows->smallest(counting(residual), n));
  };
  solution.correction = correction(solution.residual);
  solution.position_correction = spread(eq, correction(solution.position_residual));
  std::vector<SymbolId> position = eq.q;
  position.insert(position.begin(), eq.time);
  solution.trial_position = inputs(graph, "trial position ", static_cast<int>(position.size()));
  solution.trial_velocity = inputs(graph, "trial velocity ", static_cast<int>(n));
  solution.missing_position = negative_at(eq, eq.Phi, position, solution.trial_position);
  solution.missing_velocity = negative_at(eq, eq.chi, eq.v, solution.trial_velocity);
  if (too_long()) return std::nullopt;
  return solution;
}

}  // namespace taut
