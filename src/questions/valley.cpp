#include "questions/valley.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "linear/eigenvalues.hpp"
#include "questions/matrix_parts.hpp"

namespace taut {
namespace {

/// Beside the largest, stiffnesses below this are zero up to rounding.
constexpr double no_stiffness = 1e-10;
/// How far flat directions are tried, as a share of the reach, and what counts as no force there: forces of fourth
/// order are about 1e-5 of those of second order, of sixth order 1e-9, and rounding is 1e-14 or a little more.
constexpr double probe = 1e-2, no_force = 1e-11;
constexpr int most_settling_steps = 20, most_slides = 100;
constexpr double longest_slide = 0.2, settled = 1e-13, arrived = 1e-9, at_rest = 1e-9;
/// How far apart positions may be that are compared, and forces that are as good as none.
constexpr double nearby = 1e-2, balanced = 1e-15;
constexpr int random_directions = 32;

Vector weights(const RestModel& model) { return model.reach().cwiseInverse().cwiseAbs2(); }

double share_of_reach(const RestModel& model, const Vector& u) {
  return u.size() > 0 ? (u.cwiseAbs().array() / model.reach().array()).maxCoeff() : 0;
}

/// Moves a point across the flat directions to where no force is left but along them. False where that fails.
bool settle_across(RestModel& model, const Matrix& flat, RestPoint& point) {
  if (!model.restore(point)) return false;
  double last = -1;
  for (int k = 0; k < most_settling_steps; ++k) {
    const RestEquations eq = model.at(point);
    const Matrix across = FreeDirections(flat.transpose() * weights(model).asDiagonal() * eq.Z).basis();
    if (across.cols() == 0) return true;
    const Matrix K = across.transpose() * (eq.stiffness * eq.Z) * across;
    const Vector u = eq.Z * (across * (pseudo_inverse(K, no_stiffness) * (-across.transpose() * eq.imbalance)));
    const double step = share_of_reach(model, u);
    if (!u.allFinite() || step > 1) return false;
    if (step <= settled || (last >= 0 && step > last / 2)) return last < 0 || step <= std::sqrt(settled);
    last = step;
    point = model.moved(point, u);
    if (!model.restore(point)) return false;
  }
  return true;
}

/// Directions among k to try: all around for two, axes, diagonals and random ones for more.
std::vector<Vector> directions_to_try(Eigen::Index k) {
  std::vector<Vector> list;
  const auto add = [&](Vector d) {
    list.push_back(d.normalized());
    list.push_back(-list.back());
  };
  for (Eigen::Index i = 0; i < k; ++i) add(Vector::Unit(k, i));
  for (Eigen::Index i = 0; i < k && k <= 6; ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      for (const double share : {-2.0, -1.0, -0.5, 0.5, 1.0, 2.0}) add(Vector::Unit(k, i) + share * Vector::Unit(k, j));
  std::mt19937_64 generator(1);
  for (int n = 0; n < random_directions && k > 2; ++n) {
    Vector d(k);
    for (double& part : d) part = static_cast<double>(generator() >> 11) * 0x1p-52 - 1;
    add(d);
  }
  return list;
}

}  // namespace

bool has_potential(const RestEquations& eq) {
  const Matrix K = eq.stiffness * eq.Z;
  return K.size() > 0 && K.rows() == K.cols() && K.allFinite() && is_symmetric(K);
}

Matrix StiffnessModes::flat() const {
  std::vector<Eigen::Index> which;
  for (Eigen::Index k = 0; k < values.size(); ++k)
    if (std::abs(values[k]) <= no_stiffness * largest) which.push_back(k);
  Matrix chosen(directions.rows(), static_cast<Eigen::Index>(which.size()));
  for (std::size_t k = 0; k < which.size(); ++k) chosen.col(static_cast<Eigen::Index>(k)) = directions.col(which[k]);
  return chosen;
}

int StiffnessModes::falling() const { return static_cast<int>((values.array() < -no_stiffness * largest).count()); }

StiffnessModes stiffness_modes(const RestModel& model, const RestEquations& eq) {
  const auto free = eq.Z.cols();
  SymmetricEigenvalues metric(free), modes(free);
  metric.compute(eq.Z.transpose() * weights(model).asDiagonal() * eq.Z);
  const Matrix root = metric.vectors() * metric.values().cwiseSqrt().cwiseInverse().asDiagonal();
  Matrix K = root.transpose() * (eq.stiffness * eq.Z) * root;
  K = (K + K.transpose()).eval() / 2;
  modes.compute(K);
  return {modes.values(), eq.Z * (root * modes.vectors()), free > 0 ? modes.values().lpNorm<Eigen::Infinity>() : 0};
}

FlatAnswer try_flat_directions(RestModel& model, const RestPoint& point, const Matrix& flat, double stiffest) {
  FlatAnswer answer;
  const double scale = std::max(stiffest, model.at(point).work_scale);
  const std::vector<Vector> directions = directions_to_try(flat.cols());
  Matrix forces = Matrix::Zero(flat.cols(), static_cast<Eigen::Index>(directions.size()));
  double worst = 0, largest = scale;
  for (std::size_t n = 0; n < directions.size(); ++n) {
    const Vector u = flat * directions[n];
    model.at(point);
    RestPoint next = model.moved(point, probe / share_of_reach(model, u) * u);
    if (!settle_across(model, flat, next)) continue;
    const RestEquations there = model.at(next);
    largest = std::max(largest, there.work_scale);
    const Vector force = flat.transpose() * there.force;
    forces.col(static_cast<Eigen::Index>(n)) = force;
    if (const double work = directions[n].dot(force); work > worst && work > no_force * largest) {
      worst = work;
      answer.escape = u;
    }
  }
  SymmetricEigenvalues squares(flat.cols());
  squares.compute(forces * forces.transpose());
  const double none = no_force * largest;
  answer.neutral = static_cast<int>((squares.values().array() <= none * none).count());
  return answer;
}

bool is_same_rest(RestModel& model, const RestPoint& a, const RestPoint& b) {
  const Vector way = model.difference(b.q, a.q);
  if (way.lpNorm<Eigen::Infinity>() > nearby * model.size()) return false;
  const double there = model.at(b).relative_imbalance();
  const RestEquations eq = model.at(a);
  if (!has_potential(eq)) return false;
  Vector u = Vector::Zero(eq.Z.rows());
  u.head(model.variation().frame().size()) = model.variation().frame().inverse() * way;
  u = eq.Z * (eq.Z.transpose() * u);
  RestPoint between = model.moved(a, 0.5 * u);
  const Matrix along = u / std::sqrt(u.dot(weights(model).asDiagonal() * u));
  if (!along.allFinite() || !settle_across(model, along, between)) return false;
  return model.at(between).relative_imbalance() <= std::max({there, eq.relative_imbalance(), balanced});
}

RestPoint slid_towards(RestModel& model, RestPoint from, const RestPoint& target) {
  double share = 1;
  const auto distance = [&](const RestPoint& point) { return model.difference(target.q, point.q).norm(); };
  for (int k = 0; k < most_slides && share > 1e-3; ++k) {
    const RestEquations eq = model.at(from);
    if (!has_potential(eq)) return from;
    const Matrix flat = stiffness_modes(model, eq).flat();
    if (flat.cols() == 0) return from;
    Vector u = Vector::Zero(eq.Z.rows());
    u.head(model.variation().frame().size()) = model.variation().frame().inverse() * model.difference(target.q, from.q);
    u = flat * (flat.transpose() * (weights(model).asDiagonal() * u));
    const double length = share_of_reach(model, u);
    if (!(length > arrived)) return from;
    RestPoint next = model.moved(from, std::min(share, longest_slide / length) * u);
    const bool settles = settle_across(model, flat, next) && model.at(next).relative_imbalance() <= at_rest;
    const bool nearer = settles && distance(next) < distance(from);
    if (nearer) from = next;
    share = nearer ? std::min(1.0, 2 * share) : share / 4;
  }
  return from;
}

}  // namespace taut
