#include "enforcement/manifold.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "enforcement/term_sizes.hpp"
#include "linear/null_space.hpp"
#include "system/stage.hpp"

namespace taut {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int most_iterations = 25;
/// A correction of a velocity that is at most so many times the tolerance needs no second pass.
constexpr double single_pass = 1e3;
/// How often in a row a lower rank must be found before it is believed.
constexpr int believed_after = 3;
/// A pivot above this is that of a row with a direction of its own, whatever the violation.
constexpr double stands_out = 1e-3;
/// Rows whose pivots are above this are clearly independent: the solver, which does not look for dependent ones, then
/// loses no more than three digits to them.
constexpr double independent = 1e-3;
/// Below this accelerations lose more than three digits where products of rows were factored, 1/pivot².
constexpr double loses_digits = 0.03;
/// Above this a predicted state may be evaluated where it stands.
constexpr double far_from_singular = 0.1;
/// Above this it tells at least how near a singular position is, whichever of the rows were chosen.
constexpr double telling = 1e-5;

/// Signs of neighbours, of pairs and of fours of coordinates are told apart when rounding errors are estimated. What
/// moves them is so many ε, or rounding might take it back.
constexpr int sign_patterns = 3;
constexpr double rounding_step = 4 * std::numeric_limits<double>::epsilon();
/// A term is itself made of some operations, each with its rounding.
constexpr double term_rounding = 16 * std::numeric_limits<double>::epsilon();

/// Plain loops: what expressions over vectors cost counts where there are two or three entries. Not a number is kept.
double largest(const Vector& x) {
  double most = 0;
  for (const double value : x)
    if (!(std::abs(value) <= most)) most = std::abs(value);
  return most;
}
double largest_difference(const Vector& x, const Vector& y) {
  double most = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - y[i]));
  return most;
}
SparseValues diagonal(const Vector& values) {
  const int n = static_cast<int>(values.size());
  SparseValues matrix{{n, n, {}}, values};
  for (int i = 0; i < n; ++i) matrix.pattern.entries.emplace_back(i, i);
  return matrix;
}
void add_to(Vector& x, const Vector& dx) {
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] += dx[i];
}

}  // namespace

Manifold::Manifold(System& system, const KernelMaker& make_kernel, double rank_tolerance)
    : system_(system),
      reactions_(system),
      make_kernel_(make_kernel),
      rank_tolerance_(rank_tolerance),
      point_(system.make_point()) {
  const Shape& shape = system.shape();
  decided_ = make_factors();
  current_ = make_factors(&decided_);
  scouted_ = point_;
  if (!shape.jacobian_of_speeds) scouted_.f = scouted_.b = scouted_.chi = Vector();
  Phi_.setZero(shape.position_rows);
  chi_.setZero(shape.rows());
  dv_.setZero(shape.n_v());
  dq_.setZero(shape.n_q());
  q0_.setZero(shape.n_q());
  rounding_.setZero(shape.position_rows);
  largest_coordinate_ = std::max(largest_coordinate_, shape.least_size);
  find_rows();
}

void Manifold::expect_removal_of_normal_parts() {
  v0_.setZero(shape().n_v());
  Phi0_.setZero(shape().position_rows);
  chi0_.setZero(shape().rows());
}

/// Entries of H may stand in any order: sorts them by row, once.
void Manifold::find_rows() {
  const auto& entries = point_.H.pattern.entries;
  row_starts_.assign(static_cast<std::size_t>(shape().rows()) + 1, 0);
  for (const auto& [row, column] : entries) ++row_starts_[row + 1];
  std::partial_sum(row_starts_.begin(), row_starts_.end(), row_starts_.begin());
  row_entries_.resize(entries.size());
  std::iota(row_entries_.begin(), row_entries_.end(), 0);
  std::ranges::stable_sort(row_entries_, {}, [&](int k) { return entries[k].first; });
}

void Manifold::make_scout() {
  scout_ = make_kernel_();
  scout_->start(shape().n_v(), shape().rows(), rank_tolerance_);
  prepare(*scout_, decided_.all.get());
}

bool Manifold::use_solver(double t, const Vector& q) {
  solver_rank_ = rank();
  const bool dependent = rank() < shape().rows();
  // Rows of velocity constraints might stand for position constraints that they imply only together.
  const bool own = own_metric_ || velocity_metric_ == VelocityMetric::own;
  if (own || (dependent && shape().velocity_rows() > 0)) return false;
  const Matrix stress = self_stress();
  scout_solver_ = system_.make_solver(stress);
  scales_ = sizes_ = Vector::Zero(shape().rows());
  if (!scout_solver_ || !scout_solver_->at_position(t, q, Phi_)) return false;
  if (dependent) {
    scout_solver_->take_stress(stress);
    scout_solver_->at_position(t, q, Phi_);
  }
  scout_solver_->sizes(scales_);
  // One that is about to be distrusted where the motion begins is not worth writing out.
  if (dependent && !(scout_solver_->smallest_pivot(scales_) > 10 * independent)) return false;
  for (Factors* factors : {&decided_, &current_}) {
    factors->solver = system_.make_solver(stress);
    if (dependent) factors->solver->take_stress_of(*scout_solver_);
  }
  if (dependent) scout_solver_->take_stress_of(*scout_solver_);
  renewed_ = dependent;
  return solving_ = may_solve();
}

/// Of the rows at the point last evaluated, made of length 1: multipliers whose forces cancel.
Matrix Manifold::self_stress() const {
  if (rank() == shape().rows()) return Matrix(shape().rows(), 0);
  Matrix H(shape().rows(), shape().n_v());
  point_.H.to_dense(H);
  return left_null_space(H.rowwise().normalized(), rank());
}

bool Manifold::may_solve() const { return decided_.solver && !gave_up_ && decided_.all->rank() == solver_rank_; }

/// Shows a kernel what will come, so that nothing is left to be made in a step.
void Manifold::prepare(LinearKernel& kernel, const LinearKernel* like) const {
  if (like) kernel.share(*like);
  kernel.expect(metric().pattern, point_.H.pattern);
}

Manifold::Factors Manifold::make_factors(const Factors* like) const {
  const Shape& shape = system_.shape();
  Factors factors;
  factors.all = make_kernel_();
  factors.all->start(shape.n_v(), shape.rows(), rank_tolerance_);
  prepare(*factors.all, like ? like->all.get() : nullptr);
  factors.order.resize(shape.rows());
  if (shape.velocity_rows() > 0) {
    factors.positions = make_kernel_();
    factors.positions->start(shape.n_v(), shape.position_rows, rank_tolerance_, shape.velocity_rows());
    prepare(*factors.positions, like ? like->positions.get() : nullptr);
    factors.position_order.resize(shape.position_rows);
  }
  return factors;
}

void Manifold::use_metric(const Vector& weights) {
  weights_ = diagonal(weights);
  own_metric_ = true;
  weighted_ = make_factors();
}

void Manifold::use_velocity_metric(const std::optional<Vector>& weights) {
  velocity_metric_ = weights ? VelocityMetric::own : VelocityMetric::mass;
  if (!weights) return;
  velocity_weights_ = diagonal(*weights);
  velocity_weighted_ = make_factors();
}

void Manifold::Factors::follow(const Factors& other) {
  all->follow(*other.all);
  if (positions) positions->follow(*other.positions);
}

bool Manifold::factor() {
  positions_current_ = at_decision_ = current_.solved = false;
  ++factorisations_;
  if (rows_depend()) return factored_ = factor_afresh();
  return factored_ = current_.all->factor(point_.M, point_.H);
}

/// Factors with the rank last decided but rows in an order of their own: that of the decision may be long out of date
/// where the solver has decided since.
bool Manifold::factor_afresh() {
  LinearKernel& kernel = *current_.all;
  std::ranges::copy(kernel.order(), current_.order.begin());
  const int rank = kernel.rank();
  if (kernel.decide(point_.M, point_.H) && kernel.rank() == rank) return true;
  kernel.keep(current_.order, rank);
  return kernel.factor(point_.M, point_.H);
}

/// The pivot above which the solver serves. Where rows depend on each other, a small one may be that of V alone.
double Manifold::least_pivot() const { return solver_passes_ && !rows_depend() ? rank_tolerance_ : independent; }

/// Lets the solver evaluate and factor at a position, if it can.
bool Manifold::solve_at(double t, const Vector& q) {
  current_.solved = false;
  if (!solving_) return false;
  at_decision_ = false;
  Solver& solver = *current_.solver;
  current_.solved = factored_ = solver.factor_at(t, q.data(), scales_, least_pivot());
  if (!current_.solved && rows_depend() && solver.exchange() > double(taut_good_stress)) {
    solver.take_stress_of(solver);
    worn_at_ = 0;  // the others follow at the next decision
    current_.solved = factored_ = solver.factor_at(t, q.data(), scales_, least_pivot());
  }
  ++(current_.solved ? factorisations_ : left_to_kernel_);
  return current_.solved;
}

/// Evaluates M, H and Φ for the kernel.
void Manifold::positions_at(double t, const Vector& q) {
  behind_ = false;
  system_.at_position(t, q, point_);
}

void Manifold::catch_up() {
  behind_ = false;
  if (here().solved) here().solver->copy_to(point_);
}

Solver* Manifold::solver_at(double t, const Vector& y) {
  if (!solving_) return nullptr;
  ++evaluations_;
  return current_.solver->at_state(t, y.data(), scales_, least_pivot()) ? current_.solver.get() : nullptr;
}

bool Manifold::factor_positions_here() {
  if (at_decision_ || positions_current_ || !current_.positions) return true;
  return positions_current_ = current_.positions->factor(point_.M, point_.H);
}

bool Manifold::rows_at(double t, const Vector& q, const Vector& v) {
  positions_at(t, q);
  if (shape().jacobian_of_speeds) system_.at_velocity(t, q, v, point_);
  return point_.H.values.allFinite();
}

void Manifold::row(int i, Vector& out) const {
  out.setZero();
  for_row(i, [&](int column, double value) { out[column] = value; });
}

bool Manifold::factor_at(double t, const Vector& q, const Vector& v) {
  if (solve_at(t, q)) return true;
  rows_at(t, q, v);
  return factor() && each_weighted([&](Factors& factors, const SparseValues& W) {
           ++factorisations_;
           return factors.all->factor(W, point_.H);
         });
}

bool Manifold::evaluate(double t, const Vector& q, const Vector& v) {
  return evaluate_to_decide(t, q, v) && (current_.solved || factor());
}

bool Manifold::evaluate_to_decide(double t, const Vector& q, const Vector& v) {
  ++evaluations_;
  if (solve_at(t, q)) {
    behind_ = true;
    if (current_.solver->at_velocity(v)) return true;
    current_.solved = false;
  }
  positions_at(t, q);
  return velocities_at(t, q, v);
}

/// f, b and χ at the position last given.
bool Manifold::velocities_at(double t, const Vector& q, const Vector& v) {
  system_.at_velocity(t, q, v, point_);
  if (reactions_.is_needed()) reactions_.stand_at(t, q, v);
  return point_.f.allFinite() && point_.b.allFinite();
}

bool Manifold::evaluate_by_kernel(double t, const Vector& q, const Vector& v) {
  ++evaluations_;
  current_.solved = false;
  current_.all->remember_sizes(scales_);
  positions_at(t, q);
  return velocities_at(t, q, v) && factor();
}

bool Manifold::evaluate_projected(double t, Vector& q, Vector& v, double reach) {
  if (shape().rows() == 0) return evaluate(t, q, v);
  return project_position(t, q, reach).ok && evaluate_here(t, q, v);
}

bool Manifold::evaluate_result(double t, Vector& q, Vector& v) {
  if (shape().rows() == 0) return evaluate(t, q, v);
  Factors& newest = current_.solved && !own_metric_ ? current_ : normals();
  return project_position(newest, t, q, infinity).ok && evaluate_here(t, q, v);
}

/// Evaluates at a position on the constraints, moving v onto them.
bool Manifold::evaluate_here(double t, Vector& q, Vector& v) {
  ++evaluations_;
  if (!factor_at(t, q, v)) return false;
  if (!project_velocity(t, q, v).ok) return false;
  if (current_.solved) {
    behind_ = true;
    return current_.solver->at_velocity(v);
  }
  return velocities_at(t, q, v);
}

bool Manifold::projected_rates(double t, const Vector& y, double reach, double slack, bool predicted, Vector& found,
                               Vector& ydot) {
  // Next to singular positions what is missing from a position is felt the more in the rates.
  const bool stands = predicted && factor_pivot_ > far_from_singular;
  return go_to(decided_, t, y, reach, stands ? infinity : slack * factor_pivot_, found, ydot);
}

bool Manifold::result_rates(double t, const Vector& y, Vector& found, Vector& ydot) {
  Factors& newest = current_.solved ? current_ : decided_;
  return go_to(newest, t, y, infinity, 0, found, ydot);
}

bool Manifold::go_to(Factors& normals, double t, const Vector& y, double reach, double slack, Vector& found,
                     Vector& ydot) {
  if (!solving_ || !normals.solved || own_metric_) return false;
  at_decision_ = current_.solved = false;
  const Solver::Stage stage{scales_,      independent, t,
                            y.data(),     reach,       largest_coordinate_,
                            tolerance,    slack,       factor_pivot_ < loses_digits,
                            found.data(), ydot.data()};
  if (!current_.solver->go_to(*normals.solver, stage)) return false;
  ++evaluations_;
  ++factorisations_;
  current_.solved = factored_ = behind_ = true;
  return true;
}

bool Manifold::rates(Vector& ydot) {
  if (!here().solved) return false;
  here().solver->rates(ydot.data());
  return true;
}

void Manifold::accelerate(const Vector& c, Vector& a, Vector& lambda) {
  Factors& factors = here();
  if (factors.solved) {
    factors.solver->accelerate(c, a, lambda);
  } else if (reactions_.is_needed()) {
    reactions_.accelerate(*factors.all, point_.f, c, a, lambda);
  } else {
    factors.all->accelerate(point_.f, c, a, lambda);
  }
}

double Manifold::power(double t, const Vector& q, const Vector& v, const Vector& a, const Vector& lambda) {
  return here().solved ? here().solver->power() : system_.power(t, q, v, a, lambda);
}

bool Manifold::decide() {
  if (at_decision_ && decided_.solved) return true;
  if (current_.solved) return decide_by_solver();
  if (solving_) decided_.all->remember_sizes(scales_);
  const bool same = decide(decided_, point_.M);
  each_weighted([&](Factors& factors, const SparseValues& W) {
    decide(factors, W);
    return true;
  });
  current_.follow(decided_);
  at_decision_ = factored_ = decided_.factored;
  decided_.solved = false;
  if (!gave_up_ && left_to_kernel_ > 100 && 2 * left_to_kernel_ > evaluations_) gave_up_ = measure_changed_ = true;
  solving_ = may_solve();
  if (!at_decision_) factor();
  return same;
}

double Manifold::coordinate_scale(const Vector& q) const { return std::max(largest(q), largest_coordinate_); }

bool Manifold::decide(double t, const Vector& q, const Vector& v) {
  see_coordinates(q);
  if (current_.solved && rows_depend() && !(current_.solver->largest_remainder() <= rank_tolerance_)) {
    ++left_to_kernel_;
    current_.solved = false;
    positions_at(t, q);
    system_.at_velocity(t, q, v, point_);
  }
  return decide();
}

/// Rows that are clearly independent in the order in which they stand need no other, and the rank is what it was.
bool Manifold::decide_by_solver() {
  std::swap(decided_.solver, current_.solver);
  decided_.solved = at_decision_ = factored_ = true;
  current_.solved = false;
  decided_.solver->sizes(sizes_);
  scales_ = scales_.cwiseMax(sizes_);
  factor_pivot_ = decided_.solver->smallest_pivot(scales_);
  solved_pivot_ = nearness(*decided_.solver);
  if (!rows_depend()) return true;
  farthest_ *= std::max(1.0, solved_pivot_);
  solved_pivot_ = std::min(1.0, solved_pivot_);
  renew_stress();
  return true;
}

bool Manifold::decide(Factors& factors, const SparseValues& W) {
  factors.factored = true;
  bool same = keep_through_dip(*factors.all, W, factors.low, factors.order, factors.factored);
  if (factors.positions)
    same &= keep_through_dip(*factors.positions, W, factors.low_positions, factors.position_order, factors.factored);
  return same;
}

/// A rank that falls is believed only when it stays low. One that rises is believed only where the new
/// row stands out, or on the constraints: off them, rows that others imply look independent.
bool Manifold::keep_through_dip(LinearKernel& kernel, const SparseValues& W, int& low, std::vector<int>& order,
                                bool& factored) {
  const int rank = kernel.rank();
  std::copy(kernel.order().begin(), kernel.order().end(), order.begin());
  factored &= kernel.decide(W, point_.H);
  unsure_decisions_ += !kernel.is_sure();
  const bool dips = kernel.rank() < rank && ++low < believed_after;
  const bool seems_to_rise = kernel.rank() > rank && kernel.smallest_pivot() < stands_out && is_violated();
  if (dips || seems_to_rise) {
    kernel.keep(order, rank);
    factored &= kernel.factor(W, point_.H);
    return true;
  }
  low = 0;
  return kernel.rank() == rank;
}

/// Is the point last evaluated off the constraints by more than rounding?
bool Manifold::is_violated() const {
  for (Eigen::Index i = 0; i < point_.Phi.size(); ++i) {
    double size = 0;
    for_row(static_cast<int>(i), [&](int, double value) { size = std::max(size, std::abs(value)); });
    if (std::abs(point_.Phi[i]) > 1e-12 * size) return true;
  }
  return false;
}

bool Manifold::decide_afresh(double rank_tolerance) {
  const bool decided =
      decide_afresh(decided_, point_.M, rank_tolerance) &&
      each_weighted([&](Factors& factors, const SparseValues& W) { return decide_afresh(factors, W, rank_tolerance); });
  if (!decided) return false;
  current_.follow(decided_);
  if (scout_) scout_->follow(*decided_.all);
  hand_overs_before_ = all_hand_overs();  // before a decision all rows count, and may seem to be next to singular
  decided_.solved = false;
  solving_ = may_solve();
  return factor();
}

bool Manifold::decide_afresh(Factors& factors, const SparseValues& W, double rank_tolerance) {
  for (LinearKernel* kernel : {factors.all.get(), factors.positions.get()}) {
    if (!kernel) continue;
    kernel->set_rank_tolerance(rank_tolerance);
    if (!kernel->decide(W, point_.H)) return false;
  }
  factors.low = factors.low_positions = 0;
  return true;
}

Projection Manifold::project(double t, Vector& q, Vector& v) {
  const Projection position = project_position(t, q, infinity);
  if (!position.ok || !factor_at(t, q, v)) return {false, 0};
  return {project_velocity(t, q, v).ok, position.change};
}

bool Manifold::impulses(const Vector& r, Vector& dv, Vector& mu) {
  if (!factor_positions_here()) return false;
  here().for_positions().correct(r, dv_);
  point_.H.multiply(dv_, chi_);
  // dv_ is the smallest change of its kind: the same equations as for accelerations, with no force but the rows'.
  dv_.setZero();
  here().all->accelerate(dv_, chi_, dv, mu);
  return mu.allFinite();
}

bool Manifold::correct_position(double t, const Vector& q, const Vector& r, Vector& dq) {
  if (here().solved) {
    here().solver->correct_position(r, dq);
    return true;
  }
  if (!factor_positions_here()) return false;
  here().for_positions().correct(r, dv_);
  system_.spread(t, q, dv_, dq);
  return true;
}

/// dq = N P_q(−Φ(q)) with these factors.
void Manifold::position_step(Factors& factors, double t, const Vector& q, Vector& dq) {
  if (factors.solved) return factors.solver->position_step(t, q.data(), dq.data());
  system_.position(t, q, Phi_);
  Phi_ = -Phi_;
  factors.for_positions().correct(Phi_, dv_);
  system_.spread(t, q, dv_, dq);
}

/// dv = P(−χ(v)) with these factors.
void Manifold::velocity_step(Factors& factors, double t, const Vector& q, const Vector& v, Vector& dv) {
  if (factors.solved) return factors.solver->velocity_step(v.data(), dv.data());
  system_.velocity(t, q, v, chi_);
  chi_ = -chi_;
  factors.all->correct(chi_, dv);
}

/// Keerthi et al. Eq. (2.15)-(2.17): q ← q − N P_q Φ(q) with one and the same factor.
Projection Manifold::project_position(double t, Vector& q, double reach) {
  return project_position(normals(), t, q, reach);
}

Projection Manifold::project_position(Factors& normals, double t, Vector& q, double reach) {
  if (shape().position_rows == 0) return {};
  q0_ = q;
  const double scale = coordinate_scale(q);
  Factors* factors = &normals;
  taut_newton newton = {};
  newton.cautious = normals.solved && rows_depend();
  while (newton.count < most_iterations) {
    position_step(*factors, t, q, dq_);
    const double change = largest(dq_);
    if (!std::isfinite(change)) break;
    add_to(q, dq_);
    if (shape().retracts) system_.retract(t, q);
    const int verdict = taut_judge(&newton, change, tolerance * scale, scale);
    const bool at_rounding = verdict == taut_converges_badly && is_rounding(t, q);
    if (at_rounding) coarsest_projection_ = std::max(coarsest_projection_, change / scale);
    if (verdict == taut_converged || at_rounding) {
      const double moved = largest_difference(q, q0_);
      if (moved > reach) break;
      return {true, moved};
    }
    if (verdict == taut_converges_badly) {
      factors = &current_;
      newton.cautious = false;
      if (!factor_normals(t, q)) break;
    }
  }
  q = q0_;
  return {false, 0};
}

/// Is what the position constraints miss at q no more than what rounding of q makes of them? Moving coordinates by one
/// ε of their sizes tells, with signs in several patterns, since terms of a row may move against each other. One that
/// happens to be next to nought has a thousandth of the largest size. Or no more than what rounding of their terms
/// makes, which may be large where coordinates are small. Where rows or coordinates have very different sizes, changes
/// that come of it may be far above any tolerance.
bool Manifold::is_rounding(double t, const Vector& q) {
  const double least = 1e-3 * coordinate_scale(q);
  const int rows = shape().position_rows;
  system_.position(t, q, Phi_);
  chi_.head(rows) = Phi_;
  rounding_.setZero();
  for (int pattern = 0; pattern < sign_patterns; ++pattern) {
    for (Eigen::Index j = 0; j < q.size(); ++j) {
      const double sign = (j >> pattern) % 2 == 0 ? 1 : -1;
      dq_[j] = q[j] + sign * rounding_step * std::max(std::abs(q[j]), least);
    }
    if (shape().retracts) system_.retract(t, dq_);  // a small angle has the rounding errors of what it comes from
    system_.position(t, dq_, Phi_);
    rounding_ += (Phi_ - chi_.head(rows)).cwiseAbs();
  }
  if ((chi_.head(rows).cwiseAbs().array() <= rounding_.array()).all()) return true;
  find_term_sizes(system_, t, q, std::max(coordinate_scale(q), 1.0), dq_, Phi_, rounding_);
  return (chi_.head(rows).cwiseAbs().array() <= term_rounding * rounding_.array()).all();
}

/// Newer normals, in current_.
bool Manifold::factor_normals(double t, const Vector& q) {
  if (solve_at(t, q)) return true;
  positions_at(t, q);
  positions_current_ = at_decision_ = false;
  return current_.for_positions().factor(metric(), point_.H);
}

Projection Manifold::project_velocity(double t, const Vector& q, Vector& v) {
  if (shape().rows() == 0) return {};
  const double scale = std::max(largest(v), 1e-3);
  double total = 0, last = 0;
  for (int k = 0; k < most_iterations; ++k) {
    velocity_step(for_velocities(), t, q, v, dv_);
    const double change = largest(dv_);
    if (!std::isfinite(change)) return {false, 0};
    add_to(v, dv_);
    total = std::max(total, change);
    // A second pass removes the rounding errors of a large first one.
    if (change <= single_pass * tolerance * scale || (k > 0 && !shape().jacobian_of_speeds)) return {true, total};
    if (k > 2 && change > 0.5 * last && change < 1e6 * tolerance * scale) return {true, total};
    if (shape().jacobian_of_speeds) {
      system_.at_velocity(t, q, v, point_);
      if (!factor()) return {false, 0};
    }
    last = change;
  }
  return {false, 0};
}

/// The constraints change along dq and dv as they do over a longer way, half way in digits between rounding and
/// curvature.
void Manifold::remove_normal_part(double t, const Vector& q, const Vector& v, Vector& dq, Vector& dv) {
  const double size = std::max(largest(dq) / std::max(largest(q), 1e-3), largest(dv) / std::max(largest(v), 1e-3));
  if (shape().rows() == 0 || !(size > 0)) return;
  if (v0_.size() == 0) expect_removal_of_normal_parts();
  const double factor = 1e-8 / size;
  if (shape().position_rows > 0) {
    system_.position(t, q, Phi0_);
    q0_ = q + factor * dq;
    system_.position(t, q0_, Phi_);
    Phi_ = (Phi0_ - Phi_) / factor;
    if (correct_position(t, q, Phi_, dq_)) dq += dq_;
  }
  system_.velocity(t, q, v, chi0_);
  q0_ = q + factor * dq;
  v0_ = v + factor * dv;
  system_.velocity(t, q0_, v0_, chi_);
  chi_ = (chi0_ - chi_) / factor;
  correct_velocity(chi_, dv_);
  dv += dv_;
}

/// How far a solver is from a singular position. Where rows depend on each other, a pivot may fall because the
/// self-stresses by which it goes are out of date alone; then what those at hand have beside them rises. What it
/// amounts to depends on these, too, so it is compared to the largest it has been with them.
double Manifold::nearness(Solver& solver) const {
  const double pivot = solver.smallest_pivot(scales_);
  return rows_depend() ? pivot * std::hypot(1, solver.exchange()) / farthest_ : pivot;
}

/// The solvers go by the self-stresses of the last decision, where those before them will not do much longer.
void Manifold::renew_stress() {
  const double exchange = decided_.solver->exchange();
  if (std::exchange(renewed_, false)) {
    worn_at_ = 2 * exchange + 1;
    farthest_ *= solved_pivot_;
    solved_pivot_ = 1;
    measure_changed_ = true;
  }
  if (exchange < worn_at_) return;
  for (Solver* solver : {current_.solver.get(), scout_solver_.get(), decided_.solver.get()})
    solver->take_stress_of(*decided_.solver);
  renewed_ = true;
}

double Manifold::pivot_at(double t, const Vector& q, const Vector& v) {
  if (decided_.solved || rows_depend()) {  // one measure, whoever decided
    const double pivot = scout_solver_->at_position(t, q, Phi_) ? scout_solver_->smallest_pivot(scales_) : 0;
    if (!rows_depend()) return pivot;
    if (pivot > telling) return nearness(*scout_solver_);
  }
  if (scout_) return look(*scout_, t, q, v);
  const double pivot = look(*current_.all, t, q, v);
  current_.all->follow(*decided_.all);
  if (!at_decision_) factor();
  return pivot;
}

double Manifold::look(LinearKernel& scout, double t, const Vector& q, const Vector& v) {
  scout.follow(*decided_.all);
  system_.at_position(t, q, scouted_);
  if (shape().jacobian_of_speeds) system_.at_velocity(t, q, v, scouted_);
  // Where rows are left out, what counts is whether any choice of them suffices.
  const int rank = decided_.all->rank();
  if (rank < shape().rows()) {
    if (!scout.decide(scouted_.M, scouted_.H) || scout.rank() < rank) return 0;
    if (scout.rank() == rank) return scout.smallest_pivot();
    scout.keep(scout.order(), rank);  // off the constraints, implied rows look independent
  }
  return scout.factor(scouted_.M, scouted_.H) ? scout.smallest_pivot() : 0;
}

std::vector<std::string> Manifold::dependent() const {
  std::vector<std::string> names;
  for (int k = kernel().rank(); k < kernel().rows(); ++k) names.push_back(shape().constraints[kernel().order()[k]]);
  std::sort(names.begin(), names.end());
  return names;
}

int Manifold::without_inertia() const {
  Eigen::Index i = 0;
  kernel().missing_direction().cwiseAbs().maxCoeff(&i);
  return static_cast<int>(i);
}

}  // namespace taut
