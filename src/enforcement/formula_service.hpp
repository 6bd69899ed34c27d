#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "system/formula_solver.hpp"

namespace taut {

/// Decides where the solution written out as formulas serves, and keeps it fit to.
///
/// Formulas go by the rank that the motion began with and take rows in the order in which they stand. They serve where
/// that is clearly right: where every pivot is large enough. Elsewhere, next to singular positions and where the rank
/// is another, the caller has matrices factored by a kernel, which looks for the rows that count; how often that
/// happened is counted, and a service that is refused more often than not gives up.
///
/// Where rows depend on each other the formulas need self-stresses V near the true ones. As a mechanism moves these
/// change; V is renewed at decisions before it is too far off.
///
/// It owns three solvers: where rank was last decided, where the equations were last evaluated, and one to look ahead.
class FormulaService {
 public:
  FormulaService(System& system, double rank_tolerance) : system_(system), rank_tolerance_(rank_tolerance) {}

  /// Begins to serve, with rows of this rank at (t, q) and these self-stresses of rows of length 1. False where there
  /// are no formulas, or they would not serve where the motion begins.
  bool start(double t, const Vector& q, int rank, const Matrix& stress);
  /// From now on it serves next to singular positions too, as near as the formulas bear and as the rank is beyond
  /// doubt: what an evaluation costs is then the same there as elsewhere. For methods that neither project stages nor
  /// estimate errors: those would notice the digits that formulas lose there.
  void serve_near_singular_positions() { serves_near_singular_ = true; }

  bool exists() const { return state_ != State::none; }
  /// Are the next points left to the formulas, by the last decision?
  bool is_serving() const { return state_ == State::serving; }
  /// Do rows depend on each other, and formulas count on it?
  bool rows_depend() const { return exists() && state_ != State::given_up && rank_ < scales_.size(); }

  /// The solver where rank was last decided, if that was left to formulas.
  FormulaSolver& decided() { return *decided_; }
  /// The one that goes to the points in between.
  FormulaSolver& current() { return *current_; }
  const FormulaSolver& current() const { return *current_; }

  /// M and H at a position, factored by current(). False, and counted, where matrices must serve.
  bool factor_at(double t, const Vector& q);
  /// As that, and the equations there, at y = (q, v, …); not counted.
  bool evaluate_at(double t, const Vector& y) { return current_->at_state(t, y, trust()); }
  /// What a stage's factor must be like.
  FormulaSolver::Trust stage_trust() const;

  /// Do the rows at current() still depend on each other as they did at the start? Where not, matrices must decide.
  bool confirms_rank();
  /// current() becomes the point of the decision: rows that are clearly independent in the order in which they stand
  /// need no other, and the rank is what it was.
  void accept_rank();
  /// Matrices have decided on this rank, after so many evaluations in all.
  void note_decision(int rank, long evaluations);
  /// Takes note that the equations were left to matrices.
  void count_left() { ++left_to_matrices_; }
  long left_to_matrices() const { return left_to_matrices_; }

  /// Squares of the rows' largest lengths so far.
  const Vector& scales() const { return scales_; }
  /// How far the point of the last decision is from a singular position.
  double pivot() const { return pivot_; }
  /// The least pivot of the factor there.
  double factor_pivot() const { return factor_pivot_; }
  /// The same as pivot() at another position; none where formulas cannot tell.
  std::optional<double> pivot_at(double t, const Vector& q, Vector& Phi);
  /// Does pivot() measure otherwise since this was last asked? Then it may have jumped.
  bool pivot_measure_changed() { return std::exchange(pivot_measure_changed_, false); }

 private:
  enum class State {
    none,      ///< there are no formulas
    waiting,   ///< the rank at hand is not theirs
    serving,   ///< the next points are left to them
    given_up,  ///< they left more to matrices than they did
  };

  FormulaSolver::Trust trust() const;
  double distance_from_singular(FormulaSolver& solver) const;
  void renew_stress();

  System& system_;
  double rank_tolerance_;
  State state_ = State::none;
  std::unique_ptr<FormulaSolver> decided_, current_, probe_;
  int rank_ = 0;
  Vector scales_, sizes_;  ///< largest and present squares of the rows' lengths
  double pivot_ = 1, factor_pivot_ = 1;
  double farthest_ = 1;                  ///< see distance_from_singular()
  double stress_renewal_threshold_ = 0;  ///< V is renewed where the true self-stresses have more than this beside it
  bool serves_near_singular_ = false, stress_renewed_ = false, pivot_measure_changed_ = false;
  long left_to_matrices_ = 0;
};

}  // namespace taut
