#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "enforcement/effort.hpp"
#include "enforcement/reaction_solver.hpp"
#include "enforcement/row_table.hpp"
#include "linear/kernel.hpp"
#include "system/point_solver.hpp"

namespace taut {

using KernelMaker = std::function<std::unique_ptr<LinearKernel>()>;

/// The equations at a point solved with the matrices M and H, by kernels of linear algebra: one over all rows, and one
/// over the position rows where there are velocity rows too. It is here that rank is decided.
///
/// The matrices stand in the point of the one who owns this solver; metrics other than M may stand in for M where it
/// only corrects. Nothing allocates after construction.
class MatrixSolver final : public PointSolver {
 public:
  /// Room for what is needed for a moment: where there are many rows, one is enough.
  struct Scratch {
    explicit Scratch(const Shape& shape)
        : Phi(Vector::Zero(shape.position_rows)), chi(Vector::Zero(shape.rows())), dv(Vector::Zero(shape.n_v())) {}
    Vector Phi, chi, dv;
  };
  /// What solvers of the same equations share.
  struct Setting {
    System& system;
    const Point& point;  ///< evaluated where this solver is to stand
    const RowTable& rows;
    ReactionSolver& reactions;  ///< for forces that depend on multipliers
    Scratch& scratch;
    KernelMaker make_kernel;
    double rank_tolerance;
  };

  /// `metric`: M of the point, or what stands in for it. `like`: one whose arrangement for the patterns is taken over.
  MatrixSolver(const Setting& setting, const SparseValues& metric, const MatrixSolver* like = nullptr);

  // ---- factoring: false where M and H leave a direction without inertia ------------------------------
  /// With the rank and order last decided.
  bool factor();
  /// With the rank last decided, but rows in an order of their own, if that serves.
  bool factor_in_new_order();
  /// The position rows alone, in a metric.
  bool factor_positions(const SparseValues& metric);

  // ---- deciding which rows count ---------------------------------------------------------------------
  /// Anew. A rank that falls is believed only when it has stayed low for several decisions in a row: at a singular
  /// passage it falls for one. True if the decision is what it was.
  bool determine_rank();
  /// Was the last decision also a factorisation?
  bool is_factored() const { return factored_; }
  /// Whatever was decided before. False if M and H cannot be factored.
  bool determine_rank_afresh(double rank_tolerance);
  /// Takes the decision of another.
  void follow(const MatrixSolver& other);

  // ---- at the point factored -------------------------------------------------------------------------
  bool assumes_rank() const override { return false; }
  void accelerate(const Vector& c, Vector& a, Vector& lambda) override;
  double power(double t, const Vector& q, const Vector& v, const Vector& a, const Vector& lambda) override;
  void correct_velocity(const Vector& r, Vector& dv) override { all_->correct(r, dv); }
  bool correct_position(double t, const Vector& q, const Vector& r, Vector& dq) override;
  void position_step(double t, const Vector& q, Vector& dq) override;
  void velocity_step(double t, const Vector& q, const Vector& v, Vector& dv) override;
  /// The smallest change of position whose rows change by r, spelt in speeds, and its multipliers, M dv = Hᵀμ: those of
  /// the position rows come first, the others are 0 or nearly so. False if the position rows cannot be factored here.
  bool impulses(const Vector& r, Vector& dv, Vector& mu);

  LinearKernel& kernel() { return *all_; }
  const LinearKernel& kernel() const { return *all_; }
  LinearKernel& position_kernel() { return positions_ ? *positions_ : *all_; }

  /// Adds what its kernels have left to others, not converged on, not been sure of, or known already.
  void add_to(Effort& effort) const;

 private:
  /// What a decision is compared with.
  struct Memory {
    std::vector<int> order;
    int low = 0;  ///< how many decisions in a row found a lower rank
  };

  std::unique_ptr<LinearKernel> make_kernel(int rows, int further, const LinearKernel* like) const;
  bool determine_rank(LinearKernel& kernel, Memory& memory);
  bool is_violated() const;
  bool has_factored_positions();

  Setting setting_;
  const SparseValues& metric_;
  std::unique_ptr<LinearKernel> all_, positions_;
  Memory memory_, position_memory_;
  bool factored_ = false;
  bool positions_factored_ = false;  ///< along with all rows
  long unsure_decisions_ = 0;
};

}  // namespace taut
