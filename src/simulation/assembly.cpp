#include "simulation/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linear/list.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

constexpr double coarse = 1e-3;
constexpr int most_iterations = 100;

class Assembler {
 public:
  Assembler(Manifold& manifold, double t, Vector& q, Vector& v, const Held& held)
      : manifold_(manifold), system_(manifold.system()), t_(t), q_(q), v_(v), held_(held) {
    const Shape& shape = manifold.shape();
    Phi_ = Vector::Zero(shape.position_rows);
    chi_ = Vector::Zero(shape.rows());
    dq_ = Vector::Zero(shape.n_q());
    dv_ = Vector::Zero(shape.n_v());
  }

  /// Iterates as long as the violation falls; a step that raises it is halved, so that the state does
  /// not leap to another branch.
  void positions(double rank_tolerance) {
    if (Phi_.size() == 0) return;
    double violation = position_violation(q_);
    for (int k = 0; k < most_iterations && violation > 0; ++k) {
      factor(rank_tolerance);
      Phi_ = -Phi_;
      correct_position(rank_tolerance);
      Vector best = q_ + dq_;
      system_.retract(t_, best);
      double after = position_violation(best);
      for (int halvings = 0; !(after < violation) && halvings < 12; ++halvings) {
        dq_ *= 0.5;
        best = q_ + dq_;
        system_.retract(t_, best);
        after = position_violation(best);
      }
      if (!(after < violation)) break;
      q_ = best;
      const bool done = after > 0.5 * violation && after < 1e-12;
      violation = after;
      if (done) break;
    }
    position_violation(q_);
  }

  void velocities(double rank_tolerance) {
    double violation = velocity_violation(v_);
    for (int k = 0; k < most_iterations && violation > 0; ++k) {
      factor(rank_tolerance);
      chi_ = -chi_;
      correct_velocity(rank_tolerance);
      const Vector best = v_ + dv_;
      const double after = velocity_violation(best);
      if (!(after < violation)) break;
      v_ = best;
      violation = after;
    }
    velocity_violation(v_);
  }

  /// The constraints that remain violated, with how much: "" if all are met.
  std::string unmet(int& first) {
    manifold_.evaluate(t_, q_, v_);
    position_violation(q_);
    velocity_violation(v_);
    const auto& constraints = manifold_.shape().constraints;
    std::string names;
    // A row that nothing moves to first order, as at a singular position, is met but for rounding errors.
    const auto floored = [](const Vector& sizes) -> Vector {
      return sizes.cwiseMax(1e-4 * (sizes.size() > 0 ? sizes.maxCoeff() : 0.0));
    };
    const Vector position_sizes = floored(sizes_of_rows(q_)), velocity_sizes = floored(sizes_of_rows(v_));
    for (Eigen::Index i = 0; i < chi_.size(); ++i) {
      const bool position = i < Phi_.size() && !(std::abs(Phi_[i]) <= 1e-8 * position_sizes[i]);
      const bool velocity = !(std::abs(chi_[i]) <= 1e-8 * velocity_sizes[i]);
      if (!position && !velocity) continue;
      if (names.empty()) first = static_cast<int>(i);
      names += fmt::format("{}'{}' (off by {:.2g})", names.empty() ? "" : ", ", constraints[i],
                           position ? Phi_[i] : chi_[i]);
    }
    return names;
  }

 private:
  /// How much each row changes when the coordinates (or speeds) it depends on change by as much as they are.
  Vector sizes_of_rows(const Vector& x) const {
    const SparseValues& H = manifold_.point().H;
    Vector sums = Vector::Zero(chi_.size());
    for (std::size_t k = 0; k < H.pattern.entries.size(); ++k) {
      const auto [i, j] = H.pattern.entries[k];
      sums[i] += std::abs(H.values[static_cast<Eigen::Index>(k)]) * (1 + (j < x.size() ? std::abs(x[j]) : 0));
    }
    return sums;
  }

  void factor(double rank_tolerance) {
    if (!manifold_.evaluate(t_, q_, v_) || !manifold_.determine_rank_afresh(t_, q_, v_, rank_tolerance))
      throw no_start(manifold_);
  }

  void correct_position(double rank_tolerance) {
    if (held_.positions.empty()) {
      if (!manifold_.here().correct_position(t_, q_, Phi_, dq_)) throw no_start(manifold_);
      return;
    }
    correct_beside(held_.positions, Phi_, rank_tolerance);
    system_.spread(t_, q_, dv_, dq_);
  }

  void correct_velocity(double rank_tolerance) {
    if (held_.speeds.empty()) return manifold_.here().correct_velocity(chi_, dv_);
    correct_beside(held_.speeds, chi_, rank_tolerance);
  }

  /// dv_ becomes the smallest change that changes the first rows by r and leaves what is held alone.
  void correct_beside(const std::vector<bool>& held, const Vector& r, double rank_tolerance) {
    const Point& point = manifold_.point();
    SparseValues M = point.M, H = point.H;
    for (std::size_t k = 0; k < H.pattern.entries.size(); ++k)
      if (held[static_cast<std::size_t>(H.pattern.entries[k].second)]) H.values[static_cast<Eigen::Index>(k)] = 0;
    for (std::size_t k = 0; k < M.pattern.entries.size(); ++k) {
      const auto [i, j] = M.pattern.entries[k];
      const bool apart = held[static_cast<std::size_t>(i)] || held[static_cast<std::size_t>(j)];
      if (apart) M.values[static_cast<Eigen::Index>(k)] = i == j ? 1 : 0;
    }
    std::string chosen;
    const auto kernel = make_kernel(M.pattern.rows < many_speeds ? "cod" : "sparse", chosen);
    const int rows = static_cast<int>(r.size());
    kernel->start(M.pattern.rows, rows, rank_tolerance, H.pattern.rows - rows);
    kernel->reserve_patterns(M.pattern, H.pattern);
    if (!kernel->determine_rank(M, H)) throw no_start(manifold_);
    kernel->correct(r, dv_);
  }

  /// A soft row gives way: there is nothing to meet.
  void leave_out_soft_rows(Vector& violations) const {
    const auto& softness = manifold_.shape().softness;
    for (std::size_t i = 0; i < std::min(softness.size(), static_cast<std::size_t>(violations.size())); ++i)
      if (softness[i] > 0) violations[static_cast<Eigen::Index>(i)] = 0;
  }

  double position_violation(const Vector& q) {
    if (Phi_.size() == 0) return 0;
    system_.position(t_, q, Phi_);
    leave_out_soft_rows(Phi_);
    return Phi_.allFinite() ? Phi_.lpNorm<Eigen::Infinity>() : std::numeric_limits<double>::infinity();
  }

  double velocity_violation(const Vector& v) {
    system_.velocity(t_, q_, v, chi_);
    leave_out_soft_rows(chi_);
    return chi_.allFinite() ? chi_.lpNorm<Eigen::Infinity>() : std::numeric_limits<double>::infinity();
  }

  Manifold& manifold_;
  System& system_;
  double t_;
  Vector &q_, &v_;
  const Held& held_;
  Vector Phi_, chi_, dq_, dv_;
};

}  // namespace

Assembly assemble(Manifold& manifold, double t, Vector& q, Vector& v, double rank_tolerance, const Held& held) {
  if (manifold.shape().rows() == 0) return {};
  const Vector q0 = q, v0 = v;
  Assembler assembler(manifold, t, q, v, held);
  assembler.positions(coarse);
  assembler.positions(rank_tolerance);
  assembler.velocities(coarse);
  assembler.velocities(rank_tolerance);
  int first = 0;
  if (const std::string names = assembler.unmet(first); !names.empty())
    throw InputError(manifold.shape().constraint_place(first),
                     "the initial state cannot be made to satisfy the constraints: " + names,
                     "check the initial values and whether these constraints contradict each other, a fixed length or "
                     "a value that is fixed");
  Assembly result;
  const Shape& shape = manifold.shape();
  for (int i = 0; i < shape.n_q(); ++i)
    if (std::abs(q[i] - q0[i]) > result.change) result = {std::abs(q[i] - q0[i]), shape.coordinates[i]};
  for (int i = 0; i < shape.n_v(); ++i)
    if (std::abs(v[i] - v0[i]) > result.change) result = {std::abs(v[i] - v0[i]), shape.speeds[i]};
  return result;
}

namespace {

/// What would give a speed inertia: one with a dot in its name is a body's, and turns or moves it.
std::string inertia_remedy(const std::string& speed) {
  const std::size_t dot = speed.find('.');
  if (dot == speed.npos) return "give every coordinate a positive mass, or hold it by a constraint";
  const std::string part = speed.substr(dot + 1);
  const bool turns = part.starts_with("angle") || part.starts_with("omega");
  return "give body '" + speed.substr(0, dot) + "' " +
         (turns ? "a moment of inertia about every axis it can turn about" : "a mass") + ", or hold it by a joint";
}

}  // namespace

NoStart no_start(Manifold& manifold) {
  const Shape& shape = manifold.shape();
  const Point& point = manifold.point();
  for (int i = 0; i < shape.n_v(); ++i)
    if (!std::isfinite(point.f[i]))
      return {shape.speed_place(i), "the force on '" + shape.speeds[i] + "' is not finite at the initial state",
              "check the initial values and the formulas of energies and forces there"};
  for (int i = 0; i < shape.rows(); ++i)
    if (!std::isfinite(point.b[i]) || !std::isfinite(point.chi[i]))
      return {shape.constraint_place(i), "constraint '" + shape.constraints[i] + "' is not finite at the initial state",
              "check the initial values and the formula of the constraint there"};
  const auto not_finite = [](const SparseValues& matrix) {
    for (std::size_t k = 0; k < matrix.pattern.entries.size(); ++k)
      if (!std::isfinite(matrix.values[static_cast<Eigen::Index>(k)])) return matrix.pattern.entries[k].first;
    return -1;
  };
  if (const int i = not_finite(point.M); i >= 0)
    return {shape.speed_place(i), "the inertia of '" + shape.speeds[i] + "' is not finite at the initial state",
            "check the initial values and the formula of the kinetic energy there"};
  if (const int i = not_finite(point.H); i >= 0)
    return {shape.constraint_place(i),
            "constraint '" + shape.constraints[i] + "' has no finite derivative at the initial state",
            "check the initial values and the formula of the constraint there"};
  const int i = speed_without_inertia(manifold);
  return {shape.speed_place(i), "the mass matrix is not positive definite: '" + shape.speeds[i] + "' has no inertia",
          inertia_remedy(shape.speeds[static_cast<std::size_t>(i)])};
}

}  // namespace taut
