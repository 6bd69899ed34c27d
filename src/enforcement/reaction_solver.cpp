#include "enforcement/reaction_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

/// Newton's method meets this in a handful; kinks of |λ| may ask for some more.
constexpr int most_iterations = 40;
/// Relative to the multipliers: what rounding leaves of a solution that is found.
constexpr double found = 1e-14, good_enough = 1e-11;

}  // namespace

ReactionSolver::ReactionSolver(System& system) : system_(system), forces_(system.make_reaction_forces()) {
  if (!is_needed()) return;
  const Shape& shape = system.shape();
  for (int i = 0; i < shape.rows(); ++i)
    if (std::ranges::any_of(forces_.slopes.pattern.entries, [i](const auto& e) { return e.second == i; }))
      used_.push_back(i);
  const auto p = static_cast<Eigen::Index>(used_.size());
  q_ = Vector::Zero(shape.n_q());
  v_ = total_ = column_ = x_ = Vector::Zero(shape.n_v());
  mu_ = trial_ = zero_ = response_to_column_ = Vector::Zero(shape.rows());
  difference_ = change_ = Vector::Zero(p);
  response_ = Matrix::Zero(p, p);
  lu_ = Eigen::PartialPivLU<Matrix>(p);
}

void ReactionSolver::stand_at(double t, const Vector& q, const Vector& v) {
  t_ = t;
  q_ = q;
  v_ = v;
}

bool ReactionSolver::accelerate(LinearKernel& kernel, const Vector& f, const Vector& c, Vector& a, Vector& lambda) {
  system_.react_at(t_, q_, v_);
  mu_.setZero();  // not those of the last time: what is found depends on the state alone
  failed_ = !iterate(kernel, f, c, a, lambda);
  if (!failed_) return true;
  a.setConstant(std::numeric_limits<double>::quiet_NaN());
  lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
  return false;
}

/// From no reactions at all: those that follow are the first guess.
bool ReactionSolver::iterate(LinearKernel& kernel, const Vector& f, const Vector& c, Vector& a, Vector& lambda) {
  solve_with(kernel, f, c, a, lambda);
  mu_ = lambda;
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_iterations; ++k) {
    solve_with(kernel, f, c, a, lambda);
    const double off = largest_difference(lambda),
                 size = std::max(lambda.lpNorm<Eigen::Infinity>(), mu_.lpNorm<Eigen::Infinity>());
    if (!std::isfinite(off)) return false;
    find_response(kernel);
    lu_.compute(Matrix::Identity(response_.rows(), response_.cols()) - response_);
    // Where this is not above zero, the reactions grow with what they cause: Painlevé's paradox.
    const bool is_only_one = lu_.determinant() > 0;
    const bool is_rounding = off <= found * size || (off <= good_enough * size && off >= 0.5 * best);
    if (is_rounding) return is_only_one;
    for (std::size_t j = 0; j < used_.size(); ++j)
      difference_[static_cast<Eigen::Index>(j)] = lambda[used_[j]] - mu_[used_[j]];
    change_ = difference_;
    if (is_only_one) change_.noalias() = lu_.solve(difference_);
    for (std::size_t j = 0; j < used_.size(); ++j) mu_[used_[j]] += change_[static_cast<Eigen::Index>(j)];
    best = std::min(best, off);
  }
  return false;
}

void ReactionSolver::solve_with(LinearKernel& kernel, const Vector& f, const Vector& c, Vector& a, Vector& lambda) {
  system_.reaction_forces(mu_, forces_);
  for (double& slope : forces_.slopes.values)
    if (!std::isfinite(slope)) slope = 0;  // that of √(λ₁² + λ₂²) where nothing presses
  total_ = f + forces_.R;
  kernel.accelerate(total_, c, a, lambda);
}

/// A force along each column of ∂R/∂λ, and the multipliers that it meets with.
void ReactionSolver::find_response(LinearKernel& kernel) {
  for (std::size_t j = 0; j < used_.size(); ++j) {
    column_.setZero();
    for (std::size_t k = 0; k < forces_.slopes.pattern.entries.size(); ++k) {
      const auto [row, multiplier] = forces_.slopes.pattern.entries[k];
      if (multiplier == used_[j]) column_[row] = forces_.slopes.values[static_cast<Eigen::Index>(k)];
    }
    kernel.accelerate(column_, zero_, x_, response_to_column_);
    for (std::size_t i = 0; i < used_.size(); ++i)
      response_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = response_to_column_[used_[i]];
  }
}

double ReactionSolver::largest_difference(const Vector& lambda) const {
  double largest = 0;
  for (const int i : used_) largest = std::max(largest, std::abs(lambda[i] - mu_[i]));
  return largest + 0 * lambda.sum();  // not a number where one is not
}

}  // namespace taut
