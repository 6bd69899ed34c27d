#include "enforcement/factored_equations.hpp"

#include "enforcement/row_growth.hpp"
#include "linear/null_space.hpp"

namespace taut {
namespace {

/// Of rows made of length 1: multipliers whose forces cancel.
Matrix self_stress_of(const SparseValues& rows, int rank) {
  const int count = rows.pattern.rows;
  if (rank == count) return Matrix(count, 0);
  Matrix H(count, rows.pattern.columns);
  rows.to_dense(H);
  return left_null_space(H.rowwise().normalized(), rank);
}

}  // namespace

FactoredEquations::FactoredEquations(System& system, const KernelMaker& make_kernel, double rank_tolerance)
    : system_(system),
      reactions_(system),
      point_(system.make_point()),
      rows_(point_.H.pattern),
      scratch_(system.shape()),
      setting_{system, point_, rows_, reactions_, scratch_, make_kernel, rank_tolerance},
      formulas_(system, rank_tolerance),
      decided_(setting_, point_.M),
      current_(setting_, point_.M, &decided_) {}

bool FactoredEquations::use_formulas(double t, const Vector& q) {
  const int rank = kernel().rank();
  // Rows of velocity constraints might stand for position constraints that they imply only together.
  const bool implied_together = rank < shape().rows() && shape().velocity_rows() > 0;
  if (!in_other_metrics_.empty() || implied_together || rows_at_start_ == Rows::vanish) return false;
  return formulas_.start(t, q, rank, self_stress_of(point_.H, rank));
}

// ---- evaluating -----------------------------------------------------------------------------------

bool FactoredEquations::factor_by_formulas(double t, const Vector& q) {
  current_by_ = By::matrices;
  if (!formulas_.is_serving()) return false;
  at_decision_ = false;
  if (!formulas_.factor_at(t, q)) return false;
  current_by_ = By::formulas;
  ++counts.factorisations;
  return true;
}

/// Where formulas count on rows that depend on each other, the order of the last decision by matrices may be long out
/// of date.
bool FactoredEquations::factor() {
  at_decision_ = false;
  current_by_ = By::matrices;
  ++counts.factorisations;
  return formulas_.rows_depend() ? current_.factor_in_new_order() : current_.factor();
}

bool FactoredEquations::evaluate(double t, const Vector& q, const Vector& v, Factoring factoring) {
  ++counts.evaluations;
  if (factor_by_formulas(t, q)) {
    if (complete_at(t, q, v)) return true;
    current_by_ = By::matrices;
  }
  outdated_ = false;
  system_.at_position(t, q, point_);
  return complete_at(t, q, v) && (factoring == Factoring::at_decision || factor());
}

bool FactoredEquations::evaluate_by_matrices(double t, const Vector& q, const Vector& v) {
  if (!formulas_.exists()) return evaluate(t, q, v);
  ++counts.evaluations;
  current_by_ = By::matrices;
  current_.kernel().remember_sizes(formulas_.scales());
  outdated_ = false;
  system_.at_position(t, q, point_);
  return complete_at(t, q, v) && factor();
}

bool FactoredEquations::complete_at(double t, const Vector& q, const Vector& v) {
  if (current_by_ == By::formulas) {
    outdated_ = true;
    return formulas_.current().at_velocity(v);
  }
  system_.at_velocity(t, q, v, point_);
  if (reactions_.is_needed()) reactions_.stand_at(t, q, v);
  return point_.f.allFinite() && point_.b.allFinite();
}

bool FactoredEquations::rows_at(double t, const Vector& q, const Vector& v) {
  outdated_ = false;
  system_.at_position(t, q, point_);
  if (shape().jacobian_of_speeds) system_.at_velocity(t, q, v, point_);
  return point_.H.values.allFinite();
}

bool FactoredEquations::factor_at(double t, const Vector& q, const Vector& v) {
  if (factor_by_formulas(t, q)) return true;
  rows_at(t, q, v);
  if (!factor()) return false;
  for (MatrixSolver* solver : in_other_metrics_) {
    ++counts.factorisations;
    if (!solver->factor()) return false;
  }
  return true;
}

PointSolver* FactoredEquations::factor_normals(double t, const Vector& q, const SparseValues& metric) {
  if (factor_by_formulas(t, q)) return &formulas_.current();
  outdated_ = at_decision_ = false;
  system_.at_position(t, q, point_);
  return current_.factor_positions(metric) ? &current_ : nullptr;
}

bool FactoredEquations::run_stage(Normals normals, const FormulaSolver::Stage& stage) {
  if (!formulas_.is_serving() || !in_other_metrics_.empty()) return false;
  const bool newest = normals == Normals::newest && current_by_ == By::formulas;
  if (!newest && decided_by_ != By::formulas) return false;
  at_decision_ = false;
  current_by_ = By::matrices;
  if (!formulas_.current().run_stage(newest ? formulas_.current() : formulas_.decided(), stage)) return false;
  ++counts.evaluations;
  ++counts.factorisations;
  current_by_ = By::formulas;
  return outdated_ = true;
}

// ---- deciding rank --------------------------------------------------------------------------------

FactoredEquations::RankOutcome FactoredEquations::determine_rank(double t, const Vector& q, const Vector& v) {
  if (current_by_ == By::formulas && !formulas_.confirms_rank()) {
    formulas_.count_left();
    current_by_ = By::matrices;
    outdated_ = false;
    system_.at_position(t, q, point_);
    system_.at_velocity(t, q, v, point_);
  }
  if (at_decision_ && formulas_here()) return {true, true};
  if (current_by_ == By::formulas) {
    formulas_.accept_rank();
    decided_by_ = By::formulas;
    current_by_ = By::matrices;
    at_decision_ = true;
    return {true, true};
  }
  if (formulas_.is_serving()) decided_.kernel().remember_sizes(formulas_.scales());
  const bool unchanged = decided_.determine_rank();
  for (MatrixSolver* solver : in_other_metrics_) solver->determine_rank();
  current_.follow(decided_);
  at_decision_ = decided_.is_factored();
  decided_by_ = By::matrices;
  formulas_.note_decision(decided_.kernel().rank(), counts.evaluations);
  return {unchanged, at_decision_ || factor()};
}

/// Before anything has moved, a row has no size but the one it has. If that is rounding alone, so is its direction:
/// rows are then measured nearby as well. Places may lie where a formula has no value, or M none that can be factored.
bool FactoredEquations::determine_rank_afresh(double t, const Vector& q, const Vector& v, double rank_tolerance) {
  if (!determine_rank_afresh(rank_tolerance)) return false;
  if (rows_at_start_ != Rows::unknown) return true;
  const Vector here = row_lengths(rows_, point_.H);
  rows_at_start_ = Rows::grow;
  for (int k = 0; k < places_nearby; ++k) {
    const Vector there = place_nearby(system_, t, q, k);
    if (!rows_at(t, there, v) || !any_grows(here, row_lengths(rows_, point_.H))) continue;
    rows_at_start_ = Rows::vanish;
    decided_.determine_rank_afresh(setting_.rank_tolerance);
    for (MatrixSolver* solver : in_other_metrics_) solver->determine_rank_afresh(setting_.rank_tolerance);
  }
  system_.at_position(t, q, point_);
  system_.at_velocity(t, q, v, point_);
  return rows_at_start_ == Rows::grow || determine_rank_afresh(rank_tolerance);
}

bool FactoredEquations::determine_rank_afresh(double rank_tolerance) {
  if (!decided_.determine_rank_afresh(rank_tolerance)) return false;
  for (MatrixSolver* solver : in_other_metrics_)
    if (!solver->determine_rank_afresh(rank_tolerance)) return false;
  current_.follow(decided_);
  // Before a decision all rows count, and may seem to be next to singular.
  hand_overs_before_ = 0;
  hand_overs_before_ = effort().hand_overs;
  decided_by_ = By::matrices;
  formulas_.note_decision(decided_.kernel().rank(), counts.evaluations);
  return factor();
}

// ---- at the point last evaluated ------------------------------------------------------------------

FormulaSolver* FactoredEquations::formulas_here() {
  if (at_decision_) return decided_by_ == By::formulas ? &formulas_.decided() : nullptr;
  return current_by_ == By::formulas ? &formulas_.current() : nullptr;
}

PointSolver& FactoredEquations::here() {
  if (FormulaSolver* formulas = formulas_here()) return *formulas;
  return matrices_here();
}

PointSolver& FactoredEquations::solver_of(Normals normals) {
  if (normals == Normals::newest && current_by_ == By::formulas) return formulas_.current();
  if (decided_by_ == By::formulas) return formulas_.decided();
  return decided_;
}

const Point& FactoredEquations::point() {
  if (outdated_) {
    if (const FormulaSolver* formulas = formulas_here()) formulas->copy_to(point_);
    outdated_ = false;
  }
  return point_;
}

Effort FactoredEquations::effort() const {
  Effort effort{counts};
  effort.left_to_matrices = formulas_.left_to_matrices();
  effort.lacks_reactions = reactions_.has_failed();
  decided_.add_to(effort);
  current_.add_to(effort);
  for (const MatrixSolver* solver : in_other_metrics_) solver->add_to(effort);
  effort.hand_overs -= hand_overs_before_;
  return effort;
}

}  // namespace taut
