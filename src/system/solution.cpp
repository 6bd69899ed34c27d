#include "system/solution.hpp"

#include <algorithm>
#include <string>

#include "expression/derivative.hpp"

namespace taut {
namespace {

std::vector<SymbolId> inputs(Graph& graph, const char* name, int count, int first = 0) {
  std::vector<SymbolId> symbols;
  for (int k = first; k < first + count; ++k)
    symbols.push_back(graph.declare(name + std::to_string(k), SymbolKind::parameter));
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

/// Formulas where some symbols stand for others, or for formulas.
class PutIn {
 public:
  PutIn(Graph& graph, const std::vector<SymbolId>& symbols, const Formulas& values)
      : substitution_(graph, [&graph, symbols, values](SymbolId s) {
          const auto found = std::ranges::find(symbols, s);
          return found == symbols.end() ? Expression(graph, graph.symbol(s)) : values[found - symbols.begin()];
        }) {}

  Formulas operator()(const Formulas& formulas) {
    Formulas changed;
    for (const Expression& formula : formulas) changed.push_back(substitution_(formula));
    return changed;
  }

 private:
  Substitution substitution_;
};

Formulas formulas_of(Graph& graph, const std::vector<SymbolId>& symbols) {
  Formulas formulas;
  for (const SymbolId s : symbols) formulas.emplace_back(graph, graph.symbol(s));
  return formulas;
}

Formulas negative(const Formulas& formulas) {
  Formulas changed;
  for (const Expression& formula : formulas) changed.push_back(-formula);
  return changed;
}

/// The trial position, retracted, and what Φ misses there.
void write_trial_position(const Equations& eq, Solution& solution) {
  Graph& graph = *eq.graph;
  std::vector<SymbolId> position = eq.q;
  position.insert(position.begin(), eq.time);
  solution.trial_position = inputs(graph, "trial position ", static_cast<int>(position.size()));
  Formulas trial = formulas_of(graph, solution.trial_position);
  solution.retraction = PutIn(graph, position, trial)(eq.retractions);
  for (std::size_t k = 0; k < eq.retracted.size(); ++k)
    trial[static_cast<std::size_t>(eq.retracted[k]) + 1] = solution.retraction[k];
  solution.missing_position = negative(PutIn(graph, position, trial)(eq.Phi));
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
  Completion(const FormulaMatrix& M, const std::vector<Formulas>& H) : H_(H) {
    const int n = M.pattern.rows;
    std::vector<Formulas> sum(n, Formulas(n));
    Expression inertia = 0;
    for (std::size_t k = 0; k < M.entries.size(); ++k) {
      const auto [i, j] = M.pattern.entries[k];
      sum[i][j] = M.entries[k];
      if (i == j) inertia += M.entries[k];
    }
    for (const Formulas& row : H) {
      weights_.push_back(inertia / inner(row, row));
      for (int i = 0; i < n; ++i)
        if (!row[i].is_zero()) add(sum[i], weights_.back() * row[i], row);
    }
    mass_.pattern.rows = mass_.pattern.columns = n;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (!sum[i][j].is_zero()) mass_.add(i, j, sum[i][j]);
  }

  const FormulaMatrix& mass() const { return mass_; }
  /// `demanded` has one entry for each of the rows.
  void add_force(const Formulas& demanded, Formulas& f) const {
    for (std::size_t k = 0; k < H_.size(); ++k) add(f, weights_[k] * demanded[k], H_[k]);
  }

 private:
  const std::vector<Formulas>& H_;
  Formulas weights_;
  FormulaMatrix mass_;
};

/// More rows than this are factored by their products.
constexpr std::size_t few_rows = 6;

/// An estimate that spares writing out what is too long anyway: dense factors.
std::size_t dense_operations(std::size_t n, std::size_t m) { return n * n * n / 3 + n * n * m + 2 * n * m * m; }

/// What tells of the self-stresses, as if V were multiplied with the input that asks for it.
void write_self_stress(const Equations& eq, const std::vector<Formulas>& H, const SymbolicRowFactor& rows,
                       Solution& solution) {
  Graph& graph = *eq.graph;
  solution.stress_request = inputs(graph, "stress request ", 1);
  const Expression asked(graph, graph.symbol(solution.stress_request[0]));
  Expression drift = 0;
  const StressColumns& V = solution.stress;
  for (const Formulas& column : V.columns) {
    Formulas r(H.size()), S, forces(eq.v.size());
    for (std::size_t i = 0; i < V.rows.size(); ++i) r[V.rows[i]] = asked * column[i];
    const Formulas moved = rows.smallest(r, S);
    Expression square = 0;
    for (std::size_t k = 0; k < H.size(); ++k) {
      add(forces, S[k], H[k]);
      square += rows.sizes()[k] * S[k] * S[k];
    }
    for (const std::size_t i : V.rows) solution.self_stress.push_back(S[i]);
    solution.remainders.push_back(inner(forces, moved) / square);
    drift += square - 1;
  }
  solution.stress_drift = {drift};
}

}  // namespace

std::optional<Solution> solution_of(const Equations& eq, const Matrix& stress, std::size_t most, Rows factored) {
  const std::size_t n = eq.v.size(), m = eq.chi.size();
  if (eq.shape.jacobian_of_speeds) return std::nullopt;  // its factor belongs to a velocity, not to a position
  // Most of a large mechanism's factors are zeros, but not all but a hundredth.
  if (dense_operations(n, m) > 100 * most) return std::nullopt;
  Graph& graph = *eq.graph;
  const std::size_t before = graph.size();
  const auto too_long = [&] { return graph.size() - before > most; };

  Solution solution;
  const std::vector<Formulas> H = rows_of(eq.H);
  std::optional<Completion> completion;
  if (lacks_inertia(eq.M)) completion.emplace(eq.M, H);
  const SymbolicMassFactor mass(completion ? completion->mass() : eq.M);
  solution.mass_pivots = mass.pivots();
  if (too_long()) return std::nullopt;
  const auto make_inputs = [&](int count) {
    const std::vector<SymbolId> symbols =
        inputs(graph, "self-stress ", count, static_cast<int>(solution.stress_inputs.size()));
    solution.stress_inputs.insert(solution.stress_inputs.end(), symbols.begin(), symbols.end());
    return formulas_of(graph, symbols);
  };
  const bool many = factored == Rows::by_number ? m > few_rows : factored == Rows::products;
  solution.squared = many || stress.cols() > 0;
  const std::unique_ptr<SymbolicRowFactor> rows =
      stress.cols() > 0 ? dependent_rows(mass, H, stress, make_inputs, solution.stress)
      : solution.squared || m == 0  // without rows, roots of M's pivots would be taken for nothing
          ? squared_rows(mass, H, static_cast<std::size_t>(eq.shape.position_rows))
          : orthonormal_rows(mass, H);
  if (!rows || too_long()) return std::nullopt;
  solution.sizes = rows->sizes();
  solution.pivots = rows->pivots();
  write_self_stress(eq, H, *rows, solution);
  if (too_long()) return std::nullopt;

  solution.demanded = inputs(graph, "demanded ", static_cast<int>(m));
  solution.residual = inputs(graph, "residual ", static_cast<int>(m));
  solution.position_residual = inputs(graph, "position residual ", eq.shape.position_rows);
  const Formulas demanded = formulas_of(graph, solution.demanded);
  Formulas f = eq.f, multipliers;
  if (completion) completion->add_force(demanded, f);
  solution.acceleration = rows->accelerations(demanded, f, solution.multipliers);
  for (std::size_t k = 0; k < m; ++k)
    solution.missing_acceleration.push_back(demanded[k] - inner(H[k], formulas_of(graph, eq.a)));
  solution.correction = rows->smallest(formulas_of(graph, solution.residual), solution.correction_multipliers);
  solution.position_correction =
      spread(eq, rows->smallest(formulas_of(graph, solution.position_residual), multipliers));
  write_trial_position(eq, solution);
  solution.trial_velocity = inputs(graph, "trial velocity ", static_cast<int>(n));
  solution.missing_velocity = negative(PutIn(graph, eq.v, formulas_of(graph, solution.trial_velocity))(eq.chi));
  if (too_long()) return std::nullopt;
  solution.Phi = eq.Phi;
  solution.f = eq.f;
  solution.b = eq.b;
  solution.chi = eq.chi;
  solution.rates = eq.rates;
  solution.power = {eq.shape.does_work ? eq.power : Expression(0)};
  return solution;
}

}  // namespace taut
