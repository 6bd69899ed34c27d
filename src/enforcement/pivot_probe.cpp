#include "enforcement/pivot_probe.hpp"

namespace taut {

PivotProbe::PivotProbe(FactoredEquations& equations) : equations_(equations), point_(equations.point_) {
  if (!equations.shape().jacobian_of_speeds) point_.f = point_.b = point_.chi = Vector();
}

void PivotProbe::make_own_kernel() {
  const Shape& shape = equations_.shape();
  kernel_ = equations_.setting_.make_kernel();
  kernel_->start(shape.n_v(), shape.rows(), equations_.setting_.rank_tolerance);
  kernel_->share(equations_.decided_.kernel());
  kernel_->reserve_patterns(point_.M.pattern, point_.H.pattern);
}

double PivotProbe::at_decision(double t, const Vector& q, const Vector& v) {
  if (equations_.decided_by_ == FactoredEquations::By::formulas) return equations_.formulas_.pivot();
  return equations_.formulas_.rows_depend() ? at(t, q, v) : equations_.decided_.kernel().smallest_pivot();
}

/// One measure, whoever decided: that of formulas where they are in use.
double PivotProbe::at(double t, const Vector& q, const Vector& v) {
  FormulaService& formulas = equations_.formulas_;
  if (equations_.decided_by_ == FactoredEquations::By::formulas || formulas.rows_depend())
    if (const auto pivot = formulas.pivot_at(t, q, equations_.scratch_.Phi)) return *pivot;
  if (kernel_) return by_kernel(*kernel_, t, q, v);
  LinearKernel& borrowed = equations_.current_.kernel();
  const double pivot = by_kernel(borrowed, t, q, v);
  borrowed.follow(equations_.decided_.kernel());
  if (!equations_.at_decision_) equations_.factor();
  return pivot;
}

double PivotProbe::by_kernel(LinearKernel& kernel, double t, const Vector& q, const Vector& v) {
  const LinearKernel& decided = equations_.decided_.kernel();
  System& system = equations_.system();
  kernel.follow(decided);
  system.at_position(t, q, point_);
  if (equations_.shape().jacobian_of_speeds) system.at_velocity(t, q, v, point_);
  // Where rows are left out, what counts is whether any choice of them suffices.
  const int rank = decided.rank();
  if (rank < equations_.shape().rows()) {
    if (!kernel.determine_rank(point_.M, point_.H) || kernel.rank() < rank) return 0;
    if (kernel.rank() == rank) return kernel.smallest_pivot();
    kernel.keep(kernel.order(), rank);  // off the constraints, implied rows look independent
  }
  return kernel.factor(point_.M, point_.H) ? kernel.smallest_pivot() : 0;
}

}  // namespace taut
