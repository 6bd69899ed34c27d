#include "enforcement/matrix_solver.hpp"

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

/// How often in a row a lower rank must be found before it is believed.
constexpr int believed_after = 3;
/// A pivot above this is that of a row with a direction of its own, whatever the violation.
constexpr double stands_out = 1e-3;
/// Constraints that miss by more than this share of their rows are violated.
constexpr double rounding_of_rows = 1e-12;

}  // namespace

MatrixSolver::MatrixSolver(const Setting& setting, const SparseValues& metric, const MatrixSolver* like)
    : setting_(setting), metric_(metric) {
  const Shape& shape = setting.system.shape();
  all_ = make_kernel(shape.rows(), 0, like ? like->all_.get() : nullptr);
  memory_.order.resize(shape.rows());
  if (shape.velocity_rows() > 0) {
    positions_ = make_kernel(shape.position_rows, shape.velocity_rows(), like ? like->positions_.get() : nullptr);
    position_memory_.order.resize(shape.position_rows);
  }
}

/// Shown what will come, so that nothing is left to be made in a step.
std::unique_ptr<LinearKernel> MatrixSolver::make_kernel(int rows, int further, const LinearKernel* like) const {
  auto kernel = setting_.make_kernel();
  kernel->start(setting_.system.shape().n_v(), rows, setting_.rank_tolerance, further);
  if (like) kernel->share(*like);
  kernel->reserve_patterns(metric_.pattern, setting_.point.H.pattern);
  return kernel;
}

bool MatrixSolver::factor() {
  positions_factored_ = false;
  return all_->factor(metric_, setting_.point.H);
}

bool MatrixSolver::factor_in_new_order() {
  positions_factored_ = false;
  std::ranges::copy(all_->order(), memory_.order.begin());
  const int rank = all_->rank();
  if (all_->determine_rank(metric_, setting_.point.H) && all_->rank() == rank) return true;
  all_->keep(memory_.order, rank);
  return all_->factor(metric_, setting_.point.H);
}

bool MatrixSolver::determine_rank() {
  factored_ = true;
  bool same = determine_rank(*all_, memory_);
  if (positions_) same &= determine_rank(*positions_, position_memory_);
  positions_factored_ = true;
  return same;
}

/// A rank that falls is believed only when it stays low. One that rises is believed only where the new row stands out,
/// or on the constraints: off them, rows that others imply look independent.
bool MatrixSolver::determine_rank(LinearKernel& kernel, Memory& memory) {
  const int rank = kernel.rank();
  std::ranges::copy(kernel.order(), memory.order.begin());
  factored_ &= kernel.determine_rank(metric_, setting_.point.H);
  unsure_decisions_ += !kernel.is_sure();
  const bool dips = kernel.rank() < rank && ++memory.low < believed_after;
  const bool seems_to_rise = kernel.rank() > rank && kernel.smallest_pivot() < stands_out && is_violated();
  if (dips || seems_to_rise) {
    kernel.keep(memory.order, rank);
    factored_ &= kernel.factor(metric_, setting_.point.H);
    return true;
  }
  memory.low = 0;
  return kernel.rank() == rank;
}

/// Is the point off the constraints by more than rounding?
bool MatrixSolver::is_violated() const {
  const Point& point = setting_.point;
  for (Eigen::Index i = 0; i < point.Phi.size(); ++i) {
    double size = 0;
    setting_.rows.for_row(point.H, static_cast<int>(i),
                          [&](int, double value) { size = std::max(size, std::abs(value)); });
    if (std::abs(point.Phi[i]) > rounding_of_rows * size) return true;
  }
  return false;
}

bool MatrixSolver::determine_rank_afresh(double rank_tolerance) {
  for (LinearKernel* kernel : {all_.get(), positions_.get()}) {
    if (!kernel) continue;
    kernel->set_rank_tolerance(rank_tolerance);
    if (!kernel->determine_rank(metric_, setting_.point.H)) return false;
  }
  memory_.low = position_memory_.low = 0;
  return positions_factored_ = true;
}

void MatrixSolver::follow(const MatrixSolver& other) {
  all_->follow(*other.all_);
  if (positions_) positions_->follow(*other.positions_);
}

void MatrixSolver::add_to(Effort& effort) const {
  effort.unsure_decisions += unsure_decisions_;
  for (const LinearKernel* kernel : {all_.get(), positions_.get()}) {
    if (!kernel) continue;
    const LinearKernel::PartSolutions parts = kernel->part_solutions();
    effort.hand_overs += kernel->hand_overs();
    effort.unconverged += kernel->unconverged();
    effort.part_solutions.asked += parts.asked;
    effort.part_solutions.kept += parts.kept;
  }
}

void MatrixSolver::accelerate(const Vector& c, Vector& a, Vector& lambda) {
  if (setting_.reactions.is_needed()) {
    setting_.reactions.accelerate(*all_, setting_.point.f, c, a, lambda);
  } else {
    all_->accelerate(setting_.point.f, c, a, lambda);
  }
}

double MatrixSolver::power(double t, const Vector& q, const Vector& v, const Vector& a, const Vector& lambda) {
  return setting_.system.power(t, q, v, a, lambda);
}

bool MatrixSolver::factor_positions(const SparseValues& metric) {
  positions_factored_ = false;
  return position_kernel().factor(metric, setting_.point.H);
}

bool MatrixSolver::has_factored_positions() {
  if (!positions_factored_ && positions_) positions_factored_ = factor_positions(metric_);
  return positions_factored_ || !positions_;
}

bool MatrixSolver::correct_position(double t, const Vector& q, const Vector& r, Vector& dq) {
  if (!has_factored_positions()) return false;
  position_kernel().correct(r, setting_.scratch.dv);
  setting_.system.spread(t, q, setting_.scratch.dv, dq);
  return true;
}

void MatrixSolver::position_step(double t, const Vector& q, Vector& dq) {
  setting_.system.position(t, q, setting_.scratch.Phi);
  setting_.scratch.Phi = -setting_.scratch.Phi;
  position_kernel().correct(setting_.scratch.Phi, setting_.scratch.dv);
  setting_.system.spread(t, q, setting_.scratch.dv, dq);
}

void MatrixSolver::velocity_step(double t, const Vector& q, const Vector& v, Vector& dv) {
  setting_.system.velocity(t, q, v, setting_.scratch.chi);
  setting_.scratch.chi = -setting_.scratch.chi;
  all_->correct(setting_.scratch.chi, dv);
}

bool MatrixSolver::impulses(const Vector& r, Vector& dv, Vector& mu) {
  if (!has_factored_positions()) return false;
  position_kernel().correct(r, setting_.scratch.dv);
  setting_.point.H.multiply(setting_.scratch.dv, setting_.scratch.chi);
  // setting_.scratch.dv is the smallest change of its kind: the same equations as for accelerations, with no force but
  // the rows'.
  setting_.scratch.dv.setZero();
  all_->accelerate(setting_.scratch.dv, setting_.scratch.chi, dv, mu);
  return mu.allFinite();
}

}  // namespace taut
