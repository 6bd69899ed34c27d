#include "questions/constrained_solve.hpp"

#include "linear/orthogonal_decomposition.hpp"

namespace taut {
namespace {

constexpr double no_inertia = 1e-13;

}  // namespace

ConstrainedSolve::ConstrainedSolve(const Variation& at) : ConstrainedSolve(at, -at.dynamics().by_lambda.transpose()) {}

ConstrainedSolve::ConstrainedSolve(const Variation& at, const Matrix& reactions)
    : M_(at.dynamics().by_a), speeds_(at.accelerations().by_a), unresisted_(reactions) {
  const Matrix reduced = unresisted_.basis().transpose() * M_ * speeds_.basis();
  reduced_inverse_ = pseudo_inverse(reduced, no_inertia);
  has_inertia_ = reduced.rows() == reduced.cols() &&
                 (reduced.size() == 0 || OrthogonalDecomposition(reduced, no_inertia).rank() == reduced.rows());
}

ConstrainedSolve::Solution ConstrainedSolve::solve(const Matrix& r, const Matrix& s) const {
  Matrix a = speeds_.particular(s);
  a += speeds_.basis() * (reduced_inverse_ * (unresisted_.basis().transpose() * (r - M_ * a)));
  return {a, multipliers(M_ * a - r)};
}

Vector multipliers_to_begin_with(Variation& variation, MotionPoint point) {
  point.a.setZero(variation.shape().n_v());
  point.lambda.setZero(variation.shape().rows());
  variation.evaluate(point);
  if (!variation.shape().forces_need_multipliers) return point.lambda;
  return ConstrainedSolve::ideal(variation).solve(-variation.dynamics().value, -variation.accelerations().value).lambda;
}

bool solve_motion(Variation& variation, MotionPoint& point) {
  constexpr int most_iterations = 30;
  point.lambda = multipliers_to_begin_with(variation, point);
  point.a.setZero(variation.shape().n_v());
  for (int k = 0; k < most_iterations; ++k) {
    variation.evaluate(point);
    const ConstrainedSolve solver(variation);
    if (!solver.has_inertia()) return false;
    const auto step = solver.solve(-variation.dynamics().value, -variation.accelerations().value);
    point.a += step.a;
    point.lambda += step.lambda;
    const double size = point.a.norm() + point.lambda.norm(), change = step.a.norm() + step.lambda.norm();
    if (!variation.shape().forces_need_multipliers || change <= 1e-14 * size) {
      variation.evaluate(point);
      return point.a.allFinite() && point.lambda.allFinite();
    }
  }
  return false;
}

}  // namespace taut
