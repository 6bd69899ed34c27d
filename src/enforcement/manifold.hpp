#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "enforcement/reaction_solver.hpp"
#include "linear/kernel.hpp"
#include "taut/system.hpp"

namespace taut {

/// How a projection went.
struct Projection {
  bool ok = true;
  double change = 0;  ///< largest change of an entry
};

/// The workbench of every method: a system, its kernel, and what can be done with the two at a point.
/// Evaluates and factors, solves for accelerations, projects positions and velocities onto the
/// constraints. Owns all memory; nothing here allocates after construction.
class Manifold {
 public:
  using KernelMaker = std::function<std::unique_ptr<LinearKernel>()>;

  Manifold(System& system, const KernelMaker& make_kernel, double rank_tolerance);

  /// From now on the system's own solver serves where the rows' rank is clearly that of the decision at hand, and the
  /// kernel elsewhere. M and H of point() are then not to be relied upon. False if there is no solver, or none that
  /// would serve where the motion begins, at (t, q).
  bool use_solver(double t, const Vector& q);
  /// From now on the solver serves next to singular positions too, as near as its formulas bear and as the rank is
  /// beyond doubt: what an evaluation costs is then the same there as elsewhere. For those who neither project nor
  /// estimate errors, to whom it matters who solves.
  void let_solver_pass() { solver_passes_ = true; }
  /// Does the solver serve, by the last decision?
  bool is_solving() const { return solving_; }
  /// Does it serve with some multipliers of many?
  bool solves_somehow() const { return here().solved && rows_depend(); }

  // ---- evaluating -------------------------------------------------------------------------------
  /// All of the equations at (t, q, v), factored with the rank and order last decided.
  bool evaluate(double t, const Vector& q, const Vector& v);
  /// As evaluate, but leaves factoring to decide(), which must follow.
  bool evaluate_to_decide(double t, const Vector& q, const Vector& v);
  /// As evaluate, but moves q and v onto the constraints first: q along the normals of the point of
  /// the last decision, then v with the factor at the new q. One factorisation, as without. The normals
  /// are the same for all stages of a step, so that all are evaluated on one and the same extension
  /// f∘π of the vector field: with normals that change from stage to stage the order falls by one.
  /// False if the constraints cannot be reached without moving q farther than `reach`.
  bool evaluate_projected(double t, Vector& q, Vector& v, double reach);
  /// As evaluate_projected for the result of a step, which may be moved along the normals of the point last evaluated,
  /// and as far as need be.
  bool evaluate_result(double t, Vector& q, Vector& v);
  /// As evaluate_projected at y, and the rates there, where the solver does all of it: `found` becomes the state on the
  /// constraints, give or take `slack`. One that is only predicted may be evaluated where it stands: it differs from
  /// the corrected one by as much as from the constraints, and neither the history nor the result keep it. False, and
  /// nothing done, where the solver does not do it.
  bool projected_rates(double t, const Vector& y, double reach, double slack, bool predicted, Vector& found,
                       Vector& ydot);
  /// As evaluate_result at y, and the rates there, where the solver does all of it. False where it does not.
  bool result_rates(double t, const Vector& y, Vector& found, Vector& ydot);
  /// Decides rank and order anew from the point last evaluated. A rank that falls is believed only
  /// when it has stayed low for several decisions in a row: at a singular passage it falls for one.
  /// True if the decision is what it was.
  bool decide();
  /// As decide(), where the point is at hand in case that the kernel must look at it instead of the solver.
  bool decide(double t, const Vector& q, const Vector& v);
  /// Are M and H factored at the point last evaluated? They may fail to be when decide() is told of it first.
  bool is_factored() const { return factored_; }
  /// Decides rank and order from the point last evaluated, whatever was decided before. False if M and H cannot be
  /// factored there.
  bool decide_afresh(double rank_tolerance);
  /// The solver that stands at the point of the last decision, if that is the one last evaluated and was left to it.
  Solver* solver_at_decision() { return at_decision_ && decided_.solved ? decided_.solver.get() : nullptr; }
  /// The solver at another state (q, v, …); none where the kernel must be asked. The factors at hand are those of the
  /// decision afterwards.
  Solver* solver_at(double t, const Vector& y);
  /// As evaluate, by the kernel, which knows the smallest multipliers where those are not unique.
  bool evaluate_by_kernel(double t, const Vector& q, const Vector& v);
  /// As evaluate, with M and H of point() to be relied upon.
  bool evaluate_openly(double t, const Vector& q, const Vector& v) {
    return decided_.solver ? evaluate_by_kernel(t, q, v) : evaluate(t, q, v);
  }
  /// The smallest change of position whose rows change by r, spelt in speeds, and its multipliers, M dv = Hᵀμ: those of
  /// the position rows come first, the others are 0 or nearly so. After evaluate_openly(). False if the position rows
  /// cannot be factored here.
  bool impulses(const Vector& r, Vector& dv, Vector& mu);
  /// The rates (q̇, v̇, power) at the point last evaluated, with no terms in them. False where the solver does not stand
  /// there.
  bool rates(Vector& ydot);
  /// v̇ and λ: M v̇ = f + Hᵀλ, H v̇ = c, from the factor at hand.
  void accelerate(const Vector& c, Vector& a, Vector& lambda);

  // ---- correcting -------------------------------------------------------------------------------
  /// Moves q onto Φ = 0, then v onto χ = 0 with H at the new q. Leaves M and H factored there.
  Projection project(double t, Vector& q, Vector& v);
  /// Moves q onto Φ = 0 by modified Newton along the normals of the point of the last decision;
  /// where that converges badly, along newer ones. False, and q as it was, if that leads nowhere.
  Projection project_position(double t, Vector& q, double reach);
  /// Moves v onto χ = 0 at a position that has been evaluated (and factored) already.
  Projection project_velocity(double t, const Vector& q, Vector& v);
  /// dq = N P_q(r): the smallest change of position whose rows change by r. False, and dq as it was, if the position
  /// rows cannot be factored here.
  bool correct_position(double t, const Vector& q, const Vector& r, Vector& dq);
  /// Takes out of small changes dq and dv of a point on the constraints, where they have just been factored, what
  /// projecting the changed point would take back.
  void remove_normal_part(double t, const Vector& q, const Vector& v, Vector& dq, Vector& dv);
  /// dv = P(r).
  void correct_velocity(const Vector& r, Vector& dv) { here().correct(r, dv); }
  /// M and H at a point, not factored.
  bool rows_at(double t, const Vector& q, const Vector& v);
  /// out = M⁻¹ x with the factor at hand.
  void divide_by_mass(const Vector& x, Vector& out) { here().all->divide_by_mass(x, out); }
  /// That will be asked for.
  void expect_division_by_mass() { decided_.all->expect_division_by_mass(); }
  /// So will remove_normal_part().
  void expect_removal_of_normal_parts();
  /// One row of H as a dense vector.
  void row(int i, Vector& out) const;
  /// M and H at a point, factored with the decision at hand.
  bool factor_at(double t, const Vector& q, const Vector& v);

  /// The smallest pivot that counts at the point of the last decision, (t, q, v), relative to its row's largest size.
  double smallest_pivot(double t, const Vector& q, const Vector& v) {
    if (decided_.solved) return solved_pivot_;
    return rows_depend() ? pivot_at(t, q, v) : decided_.all->smallest_pivot();
  }
  /// Does smallest_pivot() measure otherwise since this was last asked? Then it may have jumped.
  bool measures_otherwise() { return std::exchange(measure_changed_, false); }
  /// The smallest pivot that the constraints in force would have at another position.
  double pivot_at(double t, const Vector& q, const Vector& v);
  /// For those who look elsewhere where they have not decided: the factors at hand then need not be made anew.
  void make_scout();
  /// The power at the point last evaluated, with what accelerate() last gave.
  double power(double t, const Vector& q, const Vector& v, const Vector& a, const Vector& lambda);

  // ---- looking ----------------------------------------------------------------------------------
  System& system() { return system_; }
  const Shape& shape() const { return system_.shape(); }
  /// The point last evaluated.
  const Point& point() {
    if (behind_) catch_up();
    return point_;
  }
  const LinearKernel& kernel() const { return *here().all; }
  const LinearKernel& position_decision() { return decided_.for_positions(); }
  long evaluations() const { return evaluations_; }
  /// Factorisations of M and H where the equations were evaluated or a point was put onto the constraints.
  long factorisations() const { return factorisations_; }
  /// Evaluations that the solver left to the kernel.
  long left_to_kernel() const { return left_to_kernel_; }
  /// Factorisations that the kernel left to another since decide_afresh(), and decisions that could not tell which rows
  /// count.
  long hand_overs() const { return all_hand_overs() - hand_overs_before_; }
  long unsure_decisions() const { return unsure_decisions_; }
  /// The largest change, relative, at which a projection of a position ended because rounding allowed no smaller one.
  double coarsest_projection() const { return coarsest_projection_; }
  /// Solutions of a kernel whose iteration had not converged.
  long unconverged() const { return decided_.unconverged() + current_.unconverged(); }
  /// Of a kernel that goes part by part: how often a part was to be solved, and was known already.
  LinearKernel::PartSolutions part_solutions() const {
    const auto first = decided_.part_solutions(), second = current_.part_solutions();
    return {first.asked + second.asked, first.kept + second.kept};
  }
  /// For those who evaluate the system themselves.
  void count_evaluation() { ++evaluations_; }
  /// Were there no accelerations, or not one alone, when last asked for, since forces depend on multipliers?
  bool lacks_reactions() const { return reactions_.has_failed(); }
  int rank() const { return here().all->rank(); }
  /// Constraints that others imply, by the decision at hand.
  std::vector<std::string> dependent() const;
  /// The speed that nothing gives inertia to, after an evaluation failed for that reason.
  int without_inertia() const;

  /// What a change of coordinates is compared to: the largest that one of them has been where decisions were made.
  /// Where all are small for a while, the rounding errors of constraints are still those of their terms.
  double coordinate_scale(const Vector& q) const;
  /// Told of an accepted state.
  void see_coordinates(const Vector& q) { largest_coordinate_ = coordinate_scale(q); }

  double tolerance = 1e-14;  ///< relative size at which a projection counts as converged
  /// From now on projections are smallest with these weights of the speeds instead of in M.
  void use_metric(const Vector& weights);
  /// From now on those of velocities are smallest with other weights than those of positions; without any: in M.
  void use_velocity_metric(const std::optional<Vector>& weights);

 private:
  bool factor();
  /// Factors of (W, H): over all rows, and over the position rows where there are velocity rows too.
  struct Factors {
    std::unique_ptr<LinearKernel> all, positions;
    std::unique_ptr<Solver> solver;          ///< serves instead of both …
    bool solved = false;                     ///< … where it has been asked last
    std::vector<int> order, position_order;  ///< room to remember a decision in
    int low = 0, low_positions = 0;          ///< how many decisions in a row found a lower rank
    bool factored = false;                   ///< the last decision was also a factorisation

    LinearKernel& for_positions() { return positions ? *positions : *all; }
    void follow(const Factors& other);
    long hand_overs() const { return all->hand_overs() + (positions ? positions->hand_overs() : 0); }
    LinearKernel::PartSolutions part_solutions() const {
      const auto first = all->part_solutions();
      const auto second = positions ? positions->part_solutions() : LinearKernel::PartSolutions{};
      return {first.asked + second.asked, first.kept + second.kept};
    }
    long unconverged() const { return all->unconverged() + (positions ? positions->unconverged() : 0); }
    void correct(const Vector& r, Vector& dv) { solved ? solver->correct(r, dv) : all->correct(r, dv); }
  };

  Factors make_factors(const Factors* like = nullptr) const;
  void prepare(LinearKernel& kernel, const LinearKernel* like) const;
  bool decide(Factors& factors, const SparseValues& W);
  bool decide_afresh(Factors& factors, const SparseValues& W, double rank_tolerance);
  bool keep_through_dip(LinearKernel& kernel, const SparseValues& W, int& low, std::vector<int>& order, bool& factored);
  bool factor_positions_here();
  bool may_solve() const;
  double nearness(Solver& solver) const;
  double look(LinearKernel& scout, double t, const Vector& q, const Vector& v);
  /// Does the solver serve where rows depend on each other?
  bool rows_depend() const { return decided_.solver && !gave_up_ && solver_rank_ < shape().rows(); }
  Matrix self_stress() const;
  void renew_stress();
  double least_pivot() const;
  bool factor_afresh();
  bool solve_at(double t, const Vector& q);
  bool go_to(Factors& normals, double t, const Vector& y, double reach, double slack, Vector& found, Vector& ydot);
  bool decide_by_solver();
  long all_hand_overs() const { return decided_.hand_overs() + current_.hand_overs(); }
  bool factor_normals(double t, const Vector& q);
  bool is_rounding(double t, const Vector& q);
  Projection project_position(Factors& normals, double t, Vector& q, double reach);
  bool evaluate_here(double t, Vector& q, Vector& v);
  void position_step(Factors& factors, double t, const Vector& q, Vector& dq);
  void velocity_step(Factors& factors, double t, const Vector& q, const Vector& v, Vector& dv);
  void positions_at(double t, const Vector& q);
  bool velocities_at(double t, const Vector& q, const Vector& v);
  void catch_up();
  bool is_violated() const;
  void find_rows();
  /// Calls use(column, value) for every entry of a row of H.
  template <class Use>
  void for_row(int i, Use&& use) const {
    for (int k = row_starts_[i]; k < row_starts_[i + 1]; ++k)
      use(point_.H.pattern.entries[row_entries_[k]].second, point_.H.values[row_entries_[k]]);
  }
  /// The factors at the point last evaluated: those of the decision, if it was made there.
  Factors& here() { return at_decision_ ? decided_ : current_; }
  const Factors& here() const { return at_decision_ ? decided_ : current_; }
  Factors& normals() { return own_metric_ ? weighted_ : decided_; }
  Factors& for_velocities() {
    if (velocity_metric_ == VelocityMetric::own) return velocity_weighted_;
    return own_metric_ && velocity_metric_ == VelocityMetric::same ? weighted_ : here();
  }
  /// Calls use(factors, weights) for the factors in metrics of their own.
  bool each_weighted(const auto& use) {
    return (!own_metric_ || use(weighted_, weights_)) &&
           (velocity_metric_ != VelocityMetric::own || use(velocity_weighted_, velocity_weights_));
  }
  const SparseValues& metric() const { return own_metric_ ? weights_ : point_.M; }

  System& system_;
  ReactionSolver reactions_;  ///< for forces that depend on multipliers
  KernelMaker make_kernel_;
  double rank_tolerance_;
  Point point_;
  bool behind_ = false;             ///< the solver has gone on, and point_ has yet to be told
  Factors decided_;                 ///< at the point of the last decision
  Factors current_;                 ///< at the point last evaluated, unless a decision has been made there
  bool at_decision_ = false;        ///< the point last evaluated is that of the last decision
  bool factored_ = false;           ///< see is_factored()
  Factors weighted_;                ///< for projections in a metric of their own: at the point of the last decision
  bool positions_current_ = false;  ///< current_.positions is factored, too
  std::unique_ptr<LinearKernel> scout_;  ///< looks ahead without disturbing the factors at hand; none: current_ does
  std::unique_ptr<Solver> scout_solver_;
  Point scouted_;
  bool own_metric_ = false;
  SparseValues weights_;
  enum class VelocityMetric { same, mass, own };
  VelocityMetric velocity_metric_ = VelocityMetric::same;
  Factors velocity_weighted_;  ///< as weighted_, for velocities alone
  SparseValues velocity_weights_;
  std::vector<int> row_starts_;   ///< where in row_entries_ each row of H begins, and the end
  std::vector<int> row_entries_;  ///< entries of H, row after row
  Vector Phi_, chi_, dv_, dq_, q0_, v0_, Phi0_, chi0_;
  Vector rounding_;  ///< see is_rounding()
  double coarsest_projection_ = 0;
  int solver_rank_ = 0;
  bool measure_changed_ = false;
  bool solver_passes_ = false;  ///< see let_solver_pass()
  bool gave_up_ = false;        ///< the solver left more to the kernel than it did itself
  bool solving_ = false;        ///< the last decision leaves the next points to the solver
  Vector scales_, sizes_;       ///< largest and present squares of the rows' lengths, as the solver has them
  double solved_pivot_ = 1;     ///< at the last decision: nearness() …
  double factor_pivot_ = 1;     ///< … and the least pivot of the solver's factor
  double farthest_ = 1;         ///< see nearness()
  double worn_at_ = 0;          ///< the solvers' self-stresses are renewed where others have more than this beside them
  bool renewed_ = false;        ///< they have just been
  double largest_coordinate_ = 1e-3;  ///< see coordinate_scale()
  long evaluations_ = 0, factorisations_ = 0, left_to_kernel_ = 0, unsure_decisions_ = 0, hand_overs_before_ = 0;
};

}  // namespace taut
