#pragma once

#include <optional>
#include <string>
#include <vector>

#include "enforcement/factored_equations.hpp"
#include "enforcement/pivot_probe.hpp"

namespace taut {

/// How a projection went.
struct Projection {
  bool ok = true;
  double change = 0;  ///< largest change of an entry
};

/// The workbench of every method: the equations, factored, and the ways onto the constraints. Projects positions and
/// velocities, in M or in metrics of their own. Owns all memory; nothing here allocates after construction.
class Manifold : public FactoredEquations {
 public:
  Manifold(System& system, const KernelMaker& make_kernel, double rank_tolerance);

  // ---- evaluating on the constraints ------------------------------------------------------------
  /// As evaluate, but moves q and v onto the constraints first: q along the normals of the point of the last decision,
  /// then v with the factor at the new q. One factorisation, as without. The normals are the same for all stages of a
  /// step, so that all are evaluated on one and the same extension f∘π of the vector field: with normals that change
  /// from stage to stage the order falls by one. False if the constraints cannot be reached without moving q farther
  /// than `reach`.
  bool evaluate_projected(double t, Vector& q, Vector& v, double reach);
  /// As evaluate_projected for the result of a step, which may be moved along the normals of the point last evaluated,
  /// and as far as need be.
  bool evaluate_result(double t, Vector& q, Vector& v);
  /// How exactly a stage is to be put onto the constraints.
  struct StageTolerance {
    double reach;    ///< the farthest that a coordinate may be moved
    double slack;    ///< what a position may miss
    bool predicted;  ///< only a prediction: see projected_rates
  };
  /// As evaluate_projected at y, and the rates there, where formulas do all of it: `found` becomes the state on the
  /// constraints, give or take the slack. One that is only predicted may be evaluated where it stands: it differs from
  /// the corrected one by as much as from the constraints, and neither the history nor the result keep it. False, and
  /// nothing done, where formulas do not serve.
  bool projected_rates(double t, const Vector& y, const StageTolerance& tolerance, Vector& found, Vector& ydot);
  /// As evaluate_result at y, and the rates there, where formulas do all of it. False where they do not.
  bool result_rates(double t, const Vector& y, Vector& found, Vector& ydot);

  // ---- correcting -------------------------------------------------------------------------------
  /// Moves q onto Φ = 0, then v onto χ = 0 with H at the new q. Leaves M and H factored there.
  Projection project(double t, Vector& q, Vector& v);
  /// Moves q onto Φ = 0 by modified Newton along the normals of the point of the last decision; where that converges
  /// badly, along newer ones. False, and q as it was, if that leads nowhere.
  Projection project_position(double t, Vector& q, double reach);
  /// Moves v onto χ = 0 at a position that has been evaluated (and factored) already.
  Projection project_velocity(double t, const Vector& q, Vector& v);
  /// Takes out of small changes dq and dv of a point on the constraints, where they have just been factored, what
  /// projecting the changed point would take back.
  void remove_normal_part(double t, const Vector& q, const Vector& v, Vector& dq, Vector& dv);
  /// That will be asked for: room is made now.
  void reserve_normal_part_removal();

  /// From now on projections are smallest with these weights of the speeds instead of in M.
  void use_metric(const Vector& weights);
  /// From now on those of velocities are smallest with other weights than those of positions; without any: in M.
  void use_velocity_metric(const std::optional<Vector>& weights);
  /// The solver where rank was last decided, by whose factor states near there can be corrected; none where projections
  /// have metrics of their own.
  PointSolver* decided_solver() { return metric_ || velocity_metric_ ? nullptr : &solver_of(Normals::decided); }

  // ---- rank -------------------------------------------------------------------------------------
  /// As FactoredEquations::determine_rank, at an accepted state, whose coordinates count for coordinate_scale().
  RankOutcome determine_rank(double t, const Vector& q, const Vector& v);
  int rank() const { return kernel().rank(); }
  PivotProbe& pivots() { return pivots_; }
  /// One row of H as a dense vector.
  void row(int i, Vector& out) const;

  /// What a change of coordinates is compared to: the largest that one of them has been where decisions were made.
  /// Where all are small for a while, the rounding errors of constraints are still those of their terms.
  double coordinate_scale(const Vector& q) const;
  /// Told of an accepted state.
  void see_coordinates(const Vector& q) { largest_coordinate_ = coordinate_scale(q); }
  Effort effort() const;

  double tolerance = 1e-14;  ///< relative size at which a projection counts as converged

 private:
  /// Projections in a metric of their own.
  struct Metric {
    Metric(const MatrixSolver::Setting& setting, const Vector& diagonal);
    SparseValues weights;
    MatrixSolver solver;
  };

  Projection project_along(PointSolver& normals, double t, Vector& q, double reach);
  bool is_rounding(double t, const Vector& q);
  bool evaluate_here(double t, Vector& q, Vector& v);
  PointSolver& velocity_solver();

  PivotProbe pivots_;
  std::unique_ptr<Metric> metric_, velocity_metric_;  ///< none: M
  bool velocities_in_mass_ = false;                   ///< even where positions have a metric of their own
  Vector dq_, q0_, v0_, Phi0_, chi0_;
  Vector rounding_;  ///< see is_rounding()
  double coarsest_projection_ = 0;
  double largest_coordinate_ = 1e-3;  ///< see coordinate_scale()
};

/// Constraints that others imply, by the decision at hand.
std::vector<std::string> dependent_constraints(const Manifold& manifold);
/// The speed that nothing gives inertia to, after an evaluation failed for that reason.
int speed_without_inertia(const Manifold& manifold);

}  // namespace taut
