#include "system/compiled_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "system/levels.hpp"
#include "system/solution.hpp"

namespace taut {
namespace {

/// A longer solution is left to a kernel.
constexpr std::size_t longest_solution = 20000;

class CompiledSolver : public Solver {
 public:
  explicit CompiledSolver(std::shared_ptr<const SolverProgram> shared)
      : shared_(std::move(shared)), s_(*shared_), workspace_(s_.begun) {}

  bool at_position(double t, const Vector& q, Vector& Phi) override {
    *workspace_.input(s_.first) = t;
    put(s_.first + 1, q.data(), s_.n_q);
    run(Level::position);
    copy(s_.Phi, Phi);
    return has_mass() && Phi.allFinite();
  }

  bool at_velocity(const Vector& v, Point& point) override {
    put(s_.first + 1 + s_.n_q, v.data(), s_.n_v);
    run(Level::velocity);
    copy(s_.f, point.f);
    copy(s_.b, point.b);
    copy(s_.chi, point.chi);
    return point.f.allFinite() && point.b.allFinite();
  }

  bool at_state(double t, const double* y, const Vector& scales, double least) override {
    *workspace_.input(s_.first) = t;
    put(s_.first + 1, y, s_.n_q + s_.n_v);
    run(Level::position);
    if (!has_mass()) return false;
    for (const int k : s_.independent)
      if (!(value(s_.pivots + k) > least * least * scales[k])) return false;
    run(Level::velocity);
    return true;
  }

  void violations(double* Phi, double* chi) const override {
    get(s_.Phi, s_.position_rows, Phi);
    get(s_.chi, s_.rows, chi);
  }

  void held_rates(const double* Phi, const double* chi, double* ydot) override {
    double* c = workspace_.input(s_.first + 1 + s_.n_q + s_.n_v);
    for (int k = 0; k < s_.rows; ++k) c[k] = value(s_.b + k) - chi[k];
    run(Level::acceleration);
    double* r = c + 2 * s_.rows;
    for (int k = 0; k < s_.position_rows; ++k) r[k] = -Phi[k] - value(s_.chi + k);
    run(Level::position_correction);
    for (int i = 0; i < s_.n_q; ++i) ydot[i] = value(s_.rates + i) + value(s_.position_correction + i);
    get(s_.acceleration, s_.n_v, ydot + s_.n_q);
    if (s_.does_work) ydot[s_.n_q + s_.n_v] = power();
  }

  void sizes(Vector& squares) const override { copy(s_.sizes, squares); }

  double smallest_pivot(const Vector& scales) const override {
    double smallest = 1;
    for (const int k : s_.independent) {
      const double share = value(s_.pivots + k) / scales[k];
      if (!(share >= smallest)) smallest = share;  // not a number is kept
    }
    return std::sqrt(smallest);
  }

  double largest_remainder(const Vector& scales) const override {
    double largest = 0;
    for (const int k : s_.implied) {
      const double share = value(s_.pivots + k) / scales[k];
      if (!(share <= largest)) largest = share;
    }
    return std::sqrt(largest);
  }

  void accelerate(const Vector& c, Vector& a, Vector& lambda) override {
    put(s_.first + 1 + s_.n_q + s_.n_v, c.data(), s_.rows);
    run(Level::acceleration);
    copy(s_.acceleration, a);
    copy(s_.multipliers, lambda);
  }

  double power() const override { return value(s_.power); }

  void correct(const Vector& r, Vector& dv) override {
    put(s_.first + 1 + s_.n_q + s_.n_v + s_.rows, r.data(), s_.rows);
    run(Level::correction);
    copy(s_.correction, dv);
  }

  void correct_position(const Vector& r, Vector& dq) override {
    put(s_.first + 1 + s_.n_q + s_.n_v + 2 * s_.rows, r.data(), s_.position_rows);
    run(Level::position_correction);
    copy(s_.position_correction, dq);
  }

 private:
  /// Inputs of one lane stand side by side.
  void put(int first, const double* values, int count) { std::copy_n(values, count, workspace_.input(first)); }
  void run(Level level) { s_.program.run(level, workspace_); }
  double value(int k) const { return s_.program.output(k, workspace_); }
  void get(int first, int count, double* out) const { s_.program.copy(first, count, workspace_, out); }
  void copy(int first, Vector& out) const { get(first, static_cast<int>(out.size()), out.data()); }

  /// Is M positive definite? What is not a number is not positive, either.
  bool has_mass() const {
    double largest = 0, smallest = INFINITY;
    for (int i = 0; i < s_.n_v; ++i) {
      const double pivot = value(s_.mass_pivots + i);
      if (!(pivot > 0)) return false;
      largest = std::max(largest, pivot);
      smallest = std::min(smallest, pivot);
    }
    return smallest > 1e-16 * largest && std::isfinite(largest);
  }

  std::shared_ptr<const SolverProgram> shared_;
  const SolverProgram& s_;
  Program::Workspace workspace_;
};

}  // namespace

std::unique_ptr<Solver> make_solver(std::shared_ptr<const SolverProgram> program) {
  return std::make_unique<CompiledSolver>(std::move(program));
}

std::shared_ptr<SolverProgram> make_solver_program(const Equations& eq, const std::vector<int>& rows,
                                                   const std::vector<double>& parameters) {
  const std::optional<Solution> solution = solution_of(eq, rows, longest_solution);
  if (!solution) return nullptr;
  std::vector<Program::Input> inputs = state_inputs(eq);
  add_inputs(inputs, solution->demanded, Level::acceleration);
  add_inputs(inputs, solution->residual, Level::correction);
  add_inputs(inputs, solution->position_residual, Level::position_correction);

  auto made = std::make_shared<SolverProgram>();
  SolverProgram& s = *made;
  std::vector<Expression> outputs;
  const auto place = [&](int& first, std::span<const Expression> formulas) {
    first = static_cast<int>(outputs.size());
    outputs.insert(outputs.end(), formulas.begin(), formulas.end());
  };
  place(s.Phi, eq.Phi);
  place(s.mass_pivots, solution->mass_pivots);
  place(s.sizes, solution->sizes);
  place(s.pivots, solution->pivots);
  place(s.f, eq.f);
  place(s.b, eq.b);
  place(s.chi, eq.chi);
  place(s.acceleration, solution->acceleration);
  place(s.multipliers, solution->multipliers);
  place(s.power, std::array{solution->power});
  place(s.rates, eq.rates);
  place(s.correction, solution->correction);
  place(s.position_correction, solution->position_correction);

  s.independent = solution->rows;
  s.implied = solution->implied;
  s.n_q = eq.shape.n_q();
  s.n_v = eq.shape.n_v();
  s.rows = eq.shape.rows();
  s.position_rows = eq.shape.position_rows;
  s.does_work = eq.shape.does_work;
  s.first = static_cast<int>(parameters.size());
  s.program = Program(*eq.graph, inputs, outputs);
  s.begun = s.program.workspace();
  std::ranges::copy(parameters, s.begun.input(0));
  s.program.run(Level::parameters, s.begun);
  return made;
}

}  // namespace taut
