#include "exporting/work_bound.hpp"

#include <cmath>

namespace taut {
namespace {

/// Of all that a step may run: parameters are computed before.
double length(const Program& program) {
  double sum = 0;
  for (int level = 1; level < program.levels(); ++level) sum += static_cast<double>(program.code(level).size());
  return sum;
}

/// Bounds of the loops in `exporting/c` and in `system/stage.h`.
constexpr double newton_by_formulas = 10, passes_by_formulas = 2, newton_by_matrices = 25, looks_for_rounding = 12;

/// The parts of an evaluation on the constraints, as `exporting/c/projection.h` and `equations.h` have them.
class Work {
 public:
  explicit Work(const ExportedModel& model)
      : n_(model.shape.n_v()),
        m_(model.shape.rows()),
        vectors_(model.shape.n_q() + 2 * n_ + 2 * m_),
        solver_(model.solver ? length(model.solver->program) : 0),
        dynamics_(length(model.program("dynamics"))),
        position_(length(model.program("position")) + length(model.program("retraction"))),
        velocity_(length(model.program("velocity"))),
        rates_(length(model.program("rates")) + length(model.program("spread"))),
        rows_of_speeds_(model.shape.jacobian_of_speeds) {
    if (!model.solver) return;
    const double stresses = model.solver->plan.stresses, rows = static_cast<double>(model.solver->stress_rows.size());
    renewal_ = solver_ + 6 * stresses * stresses * rows + 4 * stresses * rows;
  }

  double stage_by_formulas() const {
    return (newton_by_formulas + passes_by_formulas + 4) * (solver_ + 4 * vectors_) + rates_;
  }
  double usual_stage() const { return solver_ > 0 ? solver_ + rates_ + 8 * vectors_ : evaluation_by_matrices(); }
  /// The formulas' attempt, then theirs or the matrices' way, then once more where that led nowhere.
  double evaluation() const {
    return stage_by_formulas() + projection_of_position() + 2 * factoring() + projection_of_velocity() + completion() +
           acceleration() + rates_;
  }
  double decision() const { return 2 * dynamics_ + 6 * factor() + 2 * renewal_ + 8 * vectors_; }

 private:
  /// See linear/rank_revealing.h: products, each with a sum.
  double factor() const {
    return 2 * (n_ * n_ * n_ / 3 + 3 * n_ * m_ * m_ + 2 * n_ * n_ * m_ + 2 * m_ * m_ * m_) + m_ * n_ * n_;
  }
  double solve() const { return 2 * (n_ * n_ + 4 * n_ * m_ + 4 * m_ * m_) + 2 * n_ * m_; }
  double factoring() const { return 2 * solver_ + renewal_ + dynamics_ + 2 * factor() + n_ * n_ + n_ * m_; }
  double projection_of_position() const {
    const double step = solver_ + position_ + solve() + rates_;
    return newton_by_matrices * (step + looks_for_rounding * (position_ + 2 * vectors_) + factoring());
  }
  double projection_of_velocity() const {
    const double step = solver_ + velocity_ + solve() + 4 * vectors_;
    return newton_by_matrices * (step + (rows_of_speeds_ ? dynamics_ + 2 * factor() : 0));
  }
  double completion() const { return solver_ + dynamics_ + vectors_; }
  double acceleration() const { return 4 * solver_ + 2 * solve() + dynamics_ + 4 * vectors_; }
  double evaluation_by_matrices() const {
    return dynamics_ + factor() + solve() + 2 * (position_ + velocity_ + solve()) + rates_ + 8 * vectors_;
  }

  double n_, m_, vectors_, solver_, dynamics_, position_, velocity_, rates_, renewal_ = 0;
  bool rows_of_speeds_;
};

}  // namespace

/// Stages, the result, and the decision at the end. A step that is tried as a regular one begins anew where it is none.
StepWork work_of_step(const ExportedModel& model) {
  const Work work(model);
  const double stages = model.options.integrator.name == "euler" ? 1 : 4;
  const double entries = model.shape.n_q() + model.shape.n_v() + 1;
  const double sums = 2 * stages * (stages + 1) * entries;
  const double terms = model.projects ? 0 : 2 * work.evaluation();
  return {
      (stages + 1) * work.usual_stage() + sums,
      (stages + 2) * work.stage_by_formulas() + (stages + 2) * work.evaluation() + terms + work.decision() + 2 * sums};
}

}  // namespace taut
