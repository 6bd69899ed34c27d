#include "enforcement/formula_service.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {
namespace {

/// Rows whose pivots are above this are clearly independent: formulas, which do not look for dependent ones, then lose
/// no more than three digits to them.
constexpr double independent = 1e-3;
/// Formulas that are about to be distrusted where the motion begins are not worth writing out.
constexpr double worth_writing = 10 * independent;
/// Above this a pivot tells at least how near a singular position is, whichever of the rows were chosen.
constexpr double least_meaningful_pivot = 1e-5;
/// So many evaluations must have been left to matrices, and more than half, before formulas are given up.
constexpr long many_left = 100;

}  // namespace

bool FormulaService::start(double t, const Vector& q, int rank, const Matrix& stress) {
  const Shape& shape = system_.shape();
  const bool dependent = rank < shape.rows();
  Vector Phi = Vector::Zero(shape.position_rows);
  rank_ = rank;
  scales_ = sizes_ = Vector::Zero(shape.rows());
  probe_ = system_.make_solver(stress);
  if (!probe_ || !probe_->at_position(t, q, Phi)) return false;
  if (dependent) {
    probe_->self_stress().set(stress);
    probe_->at_position(t, q, Phi);
  }
  probe_->sizes(scales_);
  if (dependent && !(probe_->smallest_pivot(scales_) > worth_writing)) return false;
  for (auto* solver : {&decided_, &current_}) {
    *solver = system_.make_solver(stress);
    if (dependent) (*solver)->self_stress().set_exact_of(probe_->self_stress());
  }
  if (dependent) probe_->self_stress().set_exact_of(probe_->self_stress());
  stress_renewed_ = dependent;
  state_ = State::serving;
  return true;
}

/// Where rows depend on each other, a small pivot may be that of V alone.
FormulaSolver::Trust FormulaService::trust() const {
  return {scales_, serves_near_singular_ && !rows_depend() ? rank_tolerance_ : independent};
}

FormulaSolver::Trust FormulaService::stage_trust() const { return {scales_, independent}; }

bool FormulaService::factor_at(double t, const Vector& q) {
  bool factored = current_->factor_at(t, q, trust());
  if (!factored && rows_depend() && current_->self_stress().drift() > double(taut_good_stress)) {
    current_->self_stress().set_exact_of(current_->self_stress());
    stress_renewal_threshold_ = 0;  // the others follow at the next decision
    factored = current_->factor_at(t, q, trust());
  }
  left_to_matrices_ += !factored;
  return factored;
}

bool FormulaService::confirms_rank() {
  return !rows_depend() || current_->self_stress().largest_remainder() <= rank_tolerance_;
}

void FormulaService::accept_rank() {
  std::swap(decided_, current_);
  decided_->sizes(sizes_);
  scales_ = scales_.cwiseMax(sizes_);
  factor_pivot_ = decided_->smallest_pivot(scales_);
  pivot_ = distance_from_singular(*decided_);
  if (!rows_depend()) return;
  farthest_ *= std::max(1.0, pivot_);
  pivot_ = std::min(1.0, pivot_);
  renew_stress();
}

void FormulaService::note_decision(int rank, long evaluations) {
  if (!exists() || state_ == State::given_up) return;
  const bool useless = left_to_matrices_ > many_left && 2 * left_to_matrices_ > evaluations;
  if (useless) pivot_measure_changed_ = true;
  state_ = useless ? State::given_up : rank == rank_ ? State::serving : State::waiting;
}

/// Where rows depend on each other, a pivot may fall because V is out of date alone; then what the true self-stresses
/// have beside V rises. What it amounts to depends on V, too, so it is compared to the largest it has been with it.
double FormulaService::distance_from_singular(FormulaSolver& solver) const {
  const double pivot = solver.smallest_pivot(scales_);
  return rows_depend() ? pivot * std::hypot(1, solver.self_stress().drift()) / farthest_ : pivot;
}

/// The solvers go by the self-stresses of the last decision, where those before them will not do much longer.
void FormulaService::renew_stress() {
  const double drift = decided_->self_stress().drift();
  if (std::exchange(stress_renewed_, false)) {
    stress_renewal_threshold_ = 2 * drift + 1;
    farthest_ *= pivot_;
    pivot_ = 1;
    pivot_measure_changed_ = true;
  }
  if (drift < stress_renewal_threshold_) return;
  for (FormulaSolver* solver : {current_.get(), probe_.get(), decided_.get()})
    solver->self_stress().set_exact_of(decided_->self_stress());
  stress_renewed_ = true;
}

std::optional<double> FormulaService::pivot_at(double t, const Vector& q, Vector& Phi) {
  const double pivot = probe_->at_position(t, q, Phi) ? probe_->smallest_pivot(scales_) : 0;
  if (!rows_depend()) return pivot;
  if (!(pivot > least_meaningful_pivot)) return std::nullopt;
  return distance_from_singular(*probe_);
}

}  // namespace taut
