#include "questions/steadiness.hpp"

#include <algorithm>

#include "questions/constrained_solve.hpp"

namespace taut {
namespace {

/// Accelerations count beside the forces that are there, and as nothing below this.
constexpr double relative = 1e-8, absolute = 1e-11;
/// How far the state is moved on to look again: rad or, of coordinates of any size, shares of the largest.
constexpr double way = 1e-3;
/// By how much slopes may differ there: the state is moved along a tangent, so that they differ by the square of the
/// way where they are steady, and by the way where they are not.
constexpr double change = 1e-5;
/// Accelerations there are as much as slopes times way where they are not steady, and less by another way where they
/// are.
constexpr double share_of_slopes = 1e-2;

bool accelerates(const Variation& at) {
  const MotionPoint& point = at.point();
  const Matrix& M = at.dynamics().by_a;
  const double inertial = (M * point.a).lpNorm<Eigen::Infinity>();
  const double acting = (at.dynamics().by_lambda * point.lambda).lpNorm<Eigen::Infinity>() +
                        (at.dynamics().value - M * point.a).lpNorm<Eigen::Infinity>();
  return inertial > relative * acting + absolute * M.lpNorm<Eigen::Infinity>();
}

}  // namespace

bool is_steady(Variation& variation, const Linearization& here) {
  if (variation.shape().n_v() == 0) return true;
  if (accelerates(variation)) return false;
  const Vector rates = variation.rates().value;
  const double speed = rates.lpNorm<Eigen::Infinity>();
  const MotionPoint point = variation.point();
  const double size = std::max(1.0, point.q.lpNorm<Eigen::Infinity>());
  if (speed <= absolute * size) return true;
  const double h = way * size / speed;
  MotionPoint later = point;
  later.t += h;
  variation.frame().move(later.q, (h * variation.rates_of_pi()).eval());
  if (!solve_motion(variation, later)) return false;
  const Matrix none(static_cast<Eigen::Index>(variation.subject().parameters().size()), 0);
  const Matrix A = here.A(), B = Linearization(variation, none, &here.choice()).A();
  const double norm = A.size() > 0 ? A.lpNorm<Eigen::Infinity>() : 0;
  const bool stays = later.a.lpNorm<Eigen::Infinity>() <= share_of_slopes * way * size * norm + absolute;
  const bool same = stays && (A.size() == 0 || (A - B).lpNorm<Eigen::Infinity>() <= change * norm);
  variation.evaluate(point);
  return same;
}

}  // namespace taut
