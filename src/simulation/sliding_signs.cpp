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
  const OrthogonalDecomposition factor(slopes, rounding);
  inverse_ = factor.pseudo_inverse();
  independent_ = factor.rank() == slopes.rows();
  return inverse_.allFinite();
}

void SlidingSigns::settle(const Vector& rates, Vector& signs) {
  at_zero_ = rates - slopes_ * signs;
  iterate(signs);
  solve_within_bounds(signs);
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
  at_zero_ = rates - slopes_ * signs;
  signs = -(inverse_ * at_zero_);
  room_ = (1 - signs.array().abs()).matrix();
  if (independent_) return;
  Vector within = signs.cwiseMax(-1).cwiseMin(1);
  if (room_.minCoeff() < 0) iterate(within);
  solve_within_bounds(within);
  if (!all_kept()) return take_room_of_lost(signs);
  signs = within;
  room_ = (1 - signs.array().abs()).matrix().cwiseMax(least_shared_room);
}

bool SlidingSigns::all_kept() const {
  for (Eigen::Index k = 0; k < rates_.size(); ++k)
    if (!is_kept(k)) return false;
  return true;
}

/// Surfaces that no signs keep, within their bounds or beyond, have no room at all.
void SlidingSigns::take_room_of_lost(const Vector& signs) {
  rates_ = at_zero_ + slopes_ * signs;
  for (Eigen::Index k = 0; k < rates_.size(); ++k)
    if (!is_kept(k)) room_[k] = std::min(room_[k], -std::abs(rates_[k]) / pull(k));
}

}  // namespace taut
