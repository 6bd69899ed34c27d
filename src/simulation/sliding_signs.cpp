#include "simulation/sliding_signs.hpp"

#include <algorithm>
#include <cmath>

#include "linear/orthogonal_decomposition.hpp"

namespace taut {
namespace {

/// Projected Gauss–Seidel gains a digit in some rounds; there are few unknowns.
constexpr int most_rounds = 300;

/// A sign on its bounds has room as long as others bear what it cannot. How much is not known; it is not nought.
constexpr double least_shared_room = 0.01;

}  // namespace

bool SlidingSigns::set_slopes(const Matrix& slopes) {
  slopes_ = slopes;
  if (!slopes.allFinite()) return false;
  room_ = Vector::Zero(slopes.rows());
  const OrthogonalDecomposition factor(slopes, rounding);
  inverse_ = factor.pseudo_inverse();
  independent_ = factor.rank() == slopes.rows();
  return inverse_.allFinite();
}

/// Its part in the combinations B δσ = 0 is the entry of I − B⁺B; one that acts on nothing is not counted.
bool SlidingSigns::is_shared(Eigen::Index k) const {
  if (independent_ || slopes_.col(k).isZero(0)) return false;
  return 1 - inverse_.row(k).dot(slopes_.col(k)) > no_part;
}

void SlidingSigns::settle(const Vector& rates, Vector& signs) {
  at_zero_ = rates - slopes_ * signs;
  if (!independent_) {
    Vector within = signs.cwiseMax(-1).cwiseMin(1);
    find_least_rates(within);
    if (all_kept()) {
      signs = within;
      return;
    }
  }
  iterate(signs);
  solve_within_bounds(signs);
}

/// The signs within their bounds with which the sum of squared rates is least: bounded least squares by active sets
/// (Lawson & Hanson 1974; Stark & Parker 1995). Signs on a bound stay there as long as it holds them back.
void SlidingSigns::find_least_rates(Vector& signs) {
  std::vector<char> is_free(static_cast<std::size_t>(signs.size()), 1);
  for (int round = 0; round < most_rounds; ++round) {
    solve_free(signs, is_free);
    rates_ = at_zero_ + slopes_ * signs;
    if (all_kept()) return;
    const Vector push = -(slopes_.transpose() * rates_);
    Eigen::Index inwards = -1;
    double strongest = rounding * slopes_.cwiseAbs().maxCoeff() * rates_.lpNorm<Eigen::Infinity>();
    for (Eigen::Index k = 0; k < signs.size(); ++k) {
      const double away = -push[k] * signs[k];
      if (is_free[static_cast<std::size_t>(k)] || away <= strongest) continue;
      strongest = away;
      inwards = k;
    }
    if (inwards < 0) return;
    is_free[static_cast<std::size_t>(inwards)] = 1;
  }
}

/// Those that are free as least squares have them; one after the other stops at its bound on the way there, and is no
/// longer free.
void SlidingSigns::solve_free(Vector& signs, std::vector<char>& is_free) const {
  for (Eigen::Index stopped = 0; stopped <= signs.size(); ++stopped) {
    Matrix columns = slopes_;
    for (Eigen::Index k = 0; k < signs.size(); ++k)
      if (!is_free[static_cast<std::size_t>(k)]) columns.col(k).setZero();
    const Vector change = -OrthogonalDecomposition(columns, rounding).solve(at_zero_ + slopes_ * signs);
    double share = 1;
    Eigen::Index first = -1;
    for (Eigen::Index k = 0; k < signs.size(); ++k) {
      if (!is_free[static_cast<std::size_t>(k)] || std::abs(signs[k] + change[k]) <= 1) continue;
      const double to_bound = ((change[k] > 0 ? 1 : -1) - signs[k]) / change[k];
      if (to_bound >= share) continue;
      share = std::max(to_bound, 0.0);
      first = k;
    }
    signs += share * change;
    if (first < 0) return;
    signs[first] = change[first] > 0 ? 1 : -1;
    is_free[static_cast<std::size_t>(first)] = 0;
  }
}

/// One sign after the other, as if all others were right. A rate that its own sign does not bring back to zero is
/// followed; where it is none, the sign stays.
void SlidingSigns::iterate(Vector& signs) {
  for (int round = 0; round < most_rounds; ++round) {
    double change = 0;
    for (Eigen::Index k = 0; k < signs.size(); ++k) {
      const double rate = at_zero_[k] + slopes_.row(k).dot(signs), own = slopes_(k, k), before = signs[k];
      if (own < -rounding * pull(k)) {
        signs[k] = std::clamp(before - rate / own, -1.0, 1.0);
      } else if (std::abs(rate) > rounding * pull(k)) {
        signs[k] = rate > 0 ? 1 : -1;
      }
      change = std::max(change, std::abs(signs[k] - before));
    }
    if (change < 1e-14) break;
  }
}

/// Those that are not on their bounds exactly, as far as they stay within them.
void SlidingSigns::solve_within_bounds(Vector& signs) {
  rates_ = at_zero_ + slopes_ * signs;
  Matrix free = slopes_;
  Vector wrong = rates_;
  for (Eigen::Index k = 0; k < signs.size(); ++k) {
    if (std::abs(signs[k]) < 1 - 1e-6) continue;
    free.col(k).setZero();
    free.row(k).setZero();
    wrong[k] = 0;
  }
  const Vector better = signs - OrthogonalDecomposition(free, rounding).solve(wrong);
  if (better.allFinite() && better.lpNorm<Eigen::Infinity>() <= 1) signs = better;
  rates_ = at_zero_ + slopes_ * signs;
}

void SlidingSigns::keep(const Vector& rates, Vector& signs) {
  at_zero_ = rates;
  at_zero_.noalias() -= slopes_ * signs;
  if (independent_) {
    signs.noalias() = -inverse_ * at_zero_;
    room_ = (1 - signs.array().abs()).matrix();
    return;
  }
  // Of the many that there are: those nearest to the present ones, so that they change smoothly. One that no rate
  // depends on is that of a function that stays zero whatever happens.
  Vector within = signs.cwiseMax(-1).cwiseMin(1);
  for (Eigen::Index k = 0; k < signs.size(); ++k)
    if (slopes_.col(k).isZero(0)) within[k] = 0;
  find_least_rates(within);
  if (all_kept()) {
    signs = within;
    room_ = (1 - signs.array().abs()).matrix().cwiseMax(least_shared_room);
    return;
  }
  for (Eigen::Index k = 0; k < signs.size(); ++k)
    room_[k] = is_kept(k) ? least_shared_room : -std::abs(rates_[k]) / pull(k);
  signs = within - inverse_ * rates_;
}

bool SlidingSigns::all_kept() const {
  for (Eigen::Index k = 0; k < rates_.size(); ++k)
    if (!is_kept(k)) return false;
  return true;
}

}  // namespace taut
