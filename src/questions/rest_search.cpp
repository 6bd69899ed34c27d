#include "questions/rest_search.hpp"

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

/// Forces balance to rounding, and where rounding is larger than this, to no less than `enough`.
constexpr double balanced = 1e-15, enough = 1e-9;
constexpr int most_newton_steps = 100, most_halvings = 30, most_settling_steps = 400;
/// The largest share of its reach that an unknown moves in a step.
constexpr double longest_step = 0.3;
constexpr double rank_threshold = 1e-11;

void shorten(const RestModel& model, Vector& u) {
  const double share = u.size() > 0 ? (u.cwiseAbs().array() / model.reach().array()).maxCoeff() : 0;
  if (share > longest_step) u *= longest_step / share;
}

Vector newton_step(const RestEquations& eq) {
  const Matrix reduced = eq.stiffness * eq.Z;
  const Vector asked = -(eq.imbalance + eq.stiffness * eq.restoring);
  return eq.restoring + eq.Z * (pseudo_inverse(reduced, rank_threshold) * asked);
}

/// Tries ever shorter steps until less is left of the imbalance. False if none helps.
bool search_line(RestModel& model, RestPoint& point, RestEquations& eq, const Vector& u) {
  const double before = eq.imbalance.norm();
  double share = 1;
  for (int k = 0; k < most_halvings; ++k, share /= 2) {
    RestPoint next = model.moved(point, share * u);
    if (!model.restore(next)) continue;
    RestEquations there = model.at(next);
    if (!(there.imbalance.norm() < before * (1 - 1e-4 * share))) {
      model.at(point);  // the directions of moved() are those of the point last evaluated
      continue;
    }
    point = next;
    eq = std::move(there);
    return true;
  }
  return false;
}

}  // namespace

std::optional<RestPoint> rest_by_newton(RestModel& model, RestPoint from) {
  if (!model.restore(from)) return std::nullopt;
  RestEquations eq = model.at(from);
  for (int k = 0; k < most_newton_steps && eq.relative_imbalance() > balanced; ++k) {
    Vector u = newton_step(eq);
    if (!u.allFinite()) return std::nullopt;
    shorten(model, u);
    if (!search_line(model, from, eq, u)) break;
  }
  if (!(eq.relative_imbalance() <= enough)) return std::nullopt;
  return from;
}

std::optional<RestPoint> rest_by_settling(RestModel& model, RestPoint from) {
  if (!model.restore(from)) return std::nullopt;
  RestEquations eq = model.at(from);
  double h = 1e-2;  // s², of force over inertia
  for (int k = 0; k < most_settling_steps; ++k) {
    if (eq.relative_imbalance() <= enough) break;
    const Matrix reduced = (eq.inertia / h + eq.stiffness) * eq.Z;
    if (reduced.rows() != reduced.cols()) return std::nullopt;
    Vector u = eq.Z * (pseudo_inverse(reduced, rank_threshold) * -eq.imbalance);
    if (!u.allFinite()) return std::nullopt;
    // Uphill where stiffness is negative and h too large for inertia to outweigh it.
    const bool downhill = u.dot(eq.force) > 0;
    shorten(model, u);
    RestPoint next = model.moved(from, u);
    if (downhill && model.restore(next)) {
      RestEquations there = model.at(next);
      // Forces have to have done work on the way, by the mean of both ends.
      if (u.dot(eq.force + there.force) >= 0 && there.imbalance.allFinite()) {
        from = next;
        eq = std::move(there);
        h *= 3;
        continue;
      }
    }
    model.at(from);
    h /= 4;
    if (h < 1e-14) return std::nullopt;
  }
  return rest_by_newton(model, from);
}

}  // namespace taut
