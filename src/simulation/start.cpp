#include "simulation/start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulation/violation_scale.hpp"

namespace taut {
namespace {

/// As of typed digits.
constexpr double small_offset = 1e-3;
/// Beside the largest, a value counts at least as much as this share of it.
constexpr double least_share = 1e-2;

/// The constraint that is farthest off, relative to the sizes of what it constrains.
struct Miss {
  double share = 0;
  double by = 0;
  int row = 0;
  bool of_speeds = false;
};

void find_worst_miss(const Vector& violations, const Vector& sizes, const std::vector<double>& softness, bool of_speeds,
                     Miss& worst) {
  for (Eigen::Index i = 0; i < violations.size(); ++i) {
    const bool soft = i < static_cast<Eigen::Index>(softness.size()) && softness[static_cast<std::size_t>(i)] > 0;
    const double share = std::abs(violations[i]) / sizes[i];
    if (!soft && violations[i] != 0 && !(share <= worst.share))
      worst = {share, std::abs(violations[i]), static_cast<int>(i), of_speeds};
  }
}

/// What is farthest off: the position as it was given, and either of position and speeds.
struct Misses {
  Miss of_position, of_any;
};

Misses largest_misses(System& system, const Vector& q, const Vector& v, const StartRule& rule) {
  const Shape& shape = system.shape();
  ViolationScale scale(system, rule.duration);
  scale.measure(rule.t, q, v);
  Vector Phi = scale.position(), chi = scale.velocity();
  system.position(rule.t, q, Phi);
  system.velocity(rule.t, q, v, chi);
  Misses worst;
  find_worst_miss(Phi, scale.position(), shape.softness, false, worst.of_position);
  worst.of_any = worst.of_position;
  find_worst_miss(chi, scale.velocity(), shape.softness, true, worst.of_any);
  return worst;
}

/// … and so much beside what a motion at the largest speed given goes through.
constexpr double share_of_way = 1e-9;

/// The value given that would change the most.
struct Change {
  double share = 0, from = 0, to = 0;
  std::string name;
};

void find_worst_change(const Vector& before, const Vector& after, const std::vector<InitialClaim>& claims,
                       const std::vector<std::string>& names, double way, Change& worst) {
  if (before.size() == 0) return;
  const double largest = std::max(before.lpNorm<Eigen::Infinity>(), after.lpNorm<Eigen::Infinity>());
  const double least = std::max(least_share * largest, share_of_way * way);
  for (Eigen::Index i = 0; i < before.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (claims[k] == InitialClaim::none || before[i] == after[i]) continue;
    const double share = std::abs(after[i] - before[i]) / std::max({std::abs(before[i]), std::abs(after[i]), least});
    if (share > worst.share) worst = {share, before[i], after[i], names[k]};
  }
}

[[noreturn]] void refuse(const Shape& shape, const Miss& miss, const Change& change) {
  const bool turns = change.name.find(".omega_") != std::string::npos || change.name.ends_with(".angle'");
  const std::string hint =
      turns ? "a body that turns about a joint needs the velocity ω × r of its centre as well; " : "";
  throw InputError(
      shape.constraint_place(miss.row),
      fmt::format("the model does not start on its constraints: {} '{}' is off by {:.3g}, and '{}' would have to "
                  "change from {:.6g} to {:.6g}",
                  miss.of_speeds ? "the rate of" : "constraint", shape.constraints[miss.row], miss.by, change.name,
                  change.from, change.to),
      hint +
          "give values that satisfy the constraints, or let --assemble find the nearest, with 'fixed: true' on the "
          "values to be kept");
}

}  // namespace

Held held_by(System& system, double t, const Vector& q, const Claims& claims) {
  const Shape& shape = system.shape();
  const auto is_fixed = [](InitialClaim claim) { return claim == InitialClaim::fixed; };
  Held held;
  if (std::ranges::any_of(claims.speeds, is_fixed))
    for (const InitialClaim claim : claims.speeds) held.speeds.push_back(is_fixed(claim));
  if (!std::ranges::any_of(claims.coordinates, is_fixed)) return held;
  Vector dv = Vector::Zero(shape.n_v()), dq = Vector::Zero(shape.n_q());
  for (int k = 0; k < shape.n_v(); ++k) {
    dv[k] = 1;
    system.spread(t, q, dv, dq);
    dv[k] = 0;
    bool moves = false;
    for (int j = 0; j < shape.n_q(); ++j) moves |= is_fixed(claims.coordinates[j]) && dq[j] != 0;
    held.positions.push_back(moves);
  }
  return held;
}

Assembly start_on_constraints(Manifold& manifold, Vector& q, Vector& v, const StartRule& rule) {
  const Shape& shape = manifold.shape();
  if (shape.rows() == 0) return {};
  const Vector q0 = q, v0 = v;
  const auto [of_position, miss] = largest_misses(manifold.system(), q, v, rule);
  Assembly assembly =
      assemble(manifold, rule.t, q, v, rule.rank_tolerance, held_by(manifold.system(), rule.t, q, rule.claims));
  if (rule.assemble || miss.share <= small_offset) return assembly;
  Change change;
  const double way = v0.lpNorm<Eigen::Infinity>() * rule.duration;
  // A position that fits is mended by rounding at most, which has no size to be compared with where every coordinate is
  // zero, as those of joints are where they are drawn: that speeds are off says nothing against it.
  if (of_position.share > small_offset)
    find_worst_change(q0, q, rule.claims.coordinates, shape.coordinates, way, change);
  find_worst_change(v0, v, rule.claims.speeds, shape.speeds, 0, change);
  if (change.share > small_offset) refuse(shape, miss, change);
  return assembly;
}

}  // namespace taut
