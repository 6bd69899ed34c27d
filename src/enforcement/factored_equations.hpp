#pragma once

#include <memory>
#include <vector>

#include "enforcement/formula_service.hpp"
#include "enforcement/matrix_solver.hpp"
#include "taut/system.hpp"

namespace taut {

/// The equations of a system at two points, factored: where they were last evaluated, and where rank was last decided.
///
/// At each of the two a PointSolver stands: formulas where FormulaService lets them serve, matrices elsewhere. Those of
/// the decision lend their normals to corrections until the next one. Owns all memory; nothing here allocates after
/// construction.
class FactoredEquations {
 public:
  FactoredEquations(System& system, const KernelMaker& make_kernel, double rank_tolerance);
  FactoredEquations(const FactoredEquations&) = delete;  // solvers refer to its point

  /// From now on formulas serve where the rows' rank is clearly that of the decision at hand, and matrices elsewhere. M
  /// and H of point() are then not to be relied upon. False if there are no formulas, or none that would serve where
  /// the motion begins, at (t, q).
  bool use_formulas(double t, const Vector& q);
  FormulaService& formulas() { return formulas_; }

  // ---- evaluating -------------------------------------------------------------------------------
  /// Is what is evaluated factored at once, with the rank and order last decided, or left to determine_rank(), which
  /// follows?
  enum class Factoring { now, at_decision };
  /// All of the equations at (t, q, v).
  bool evaluate(double t, const Vector& q, const Vector& v, Factoring factoring = Factoring::now);
  /// As evaluate, with M and H of point() to be relied upon, and the smallest multipliers where those are not unique.
  bool evaluate_by_matrices(double t, const Vector& q, const Vector& v);
  /// M and H at a point, factored with the decision at hand.
  bool factor_at(double t, const Vector& q, const Vector& v);
  /// f, b and χ at the position just factored.
  bool complete_at(double t, const Vector& q, const Vector& v);
  /// M and H at a point, not factored.
  bool rows_at(double t, const Vector& q, const Vector& v);
  /// Whose normals positions are moved along: those of the last decision, or newer ones where formulas have some.
  enum class Normals { decided, newest };
  /// A stage at one go. False, and nothing done, where formulas do not serve.
  bool run_stage(Normals normals, const FormulaSolver::Stage& stage);

  // ---- deciding rank ----------------------------------------------------------------------------
  struct RankOutcome {
    bool unchanged;  ///< rank and order are what they were
    bool
        factored;  ///< the equations are factored at the point; they may fail to be where that was left to the decision
    explicit operator bool() const { return unchanged; }
  };
  /// Decides rank and order anew from the point last evaluated, (t, q, v); see MatrixSolver::determine_rank().
  RankOutcome determine_rank(double t, const Vector& q, const Vector& v);
  /// Decides rank and order from the point last evaluated, (t, q, v), whatever was decided before. False if M and H
  /// cannot be factored there. The first time rows that vanish there but for rounding errors are told from others.
  bool determine_rank_afresh(double t, const Vector& q, const Vector& v, double rank_tolerance);

  // ---- at the point last evaluated --------------------------------------------------------------
  PointSolver& here();
  /// The formulas there, if they stand there.
  FormulaSolver* formulas_here();
  /// The matrices there, if they stand there; kernels know the decision at hand in any case.
  MatrixSolver& matrices_here() { return at_decision_ ? decided_ : current_; }
  const LinearKernel& kernel() const { return (at_decision_ ? decided_ : current_).kernel(); }
  /// Those of the last decision.
  MatrixSolver& decided_matrices() { return decided_; }
  /// The equations there.
  const Point& point();

  System& system() { return system_; }
  const Shape& shape() const { return system_.shape(); }
  Effort effort() const;

  WorkCounts counts;  ///< of all work so far; whoever evaluates the system by itself counts here, too

 protected:
  PointSolver& solver_of(Normals normals);
  /// Newer normals than those of the last decision, for positions alone, in a metric; none if they cannot be factored.
  PointSolver* factor_normals(double t, const Vector& q, const SparseValues& metric);
  bool factor();

  System& system_;
  ReactionSolver reactions_;
  Point point_;
  RowTable rows_;
  MatrixSolver::Scratch scratch_;
  MatrixSolver::Setting setting_;
  std::vector<MatrixSolver*> in_other_metrics_;  ///< factored and decided along with the others

 private:
  friend class PivotProbe;
  enum class By { matrices, formulas };

  bool factor_by_formulas(double t, const Vector& q);
  bool determine_rank_afresh(double rank_tolerance);

  FormulaService formulas_;
  MatrixSolver decided_, current_;
  By decided_by_ = By::matrices, current_by_ = By::matrices;
  bool at_decision_ = false;  ///< the point last evaluated is that of the last decision
  bool outdated_ = false;     ///< formulas have gone on, and point_ has yet to be told
  long hand_overs_before_ = 0;
  enum class Rows {
    unknown,
    grow,
    vanish
  } rows_at_start_ = Rows::unknown;  ///< do some vanish but for rounding errors?
};

}  // namespace taut
