#pragma once

#include <cmath>
#include <vector>

#include "taut/vector.hpp"

namespace taut {

/// The signs σ between −1 and 1 of functions that are zero, from their rates ṡ = r + B σ, which are linear in the signs
/// or nearly so. Each of them either keeps its surface, ṡ = 0, or stands on the bound that ṡ leads to: ṡ > 0 with
/// σ = 1, ṡ < 0 with σ = −1. For friction this is Coulomb's law at all contacts at once.
///
/// Surfaces may depend on each other, as those of both coordinates of a pendulum's bob do: what one of them cannot bear
/// the others may.
class SlidingSigns {
 public:
  /// B. False where it has no value.
  bool set_slopes(const Matrix& slopes);
  /// Signs as above, from the rates at others.
  void settle(const Vector& rates, Vector& signs);
  /// Signs that keep all surfaces, from the rates at others, beyond their bounds where none within do.
  void keep(const Vector& rates, Vector& signs);
  /// After keep(): how far each is from its bounds; a little where others bear what it cannot, and below zero where the
  /// surface cannot be kept.
  const Vector& room() const { return room_; }
  /// After settle(): is a rate zero, compared to what the signs make of it?
  bool is_kept(Eigen::Index k) const { return std::abs(rate(k)) <= rounding * pull(k); }
  bool are_independent() const { return independent_; }
  /// Does a rate depend on the signs at all?
  bool is_steered(Eigen::Index k) const {
    return slopes_.row(k).lpNorm<Eigen::Infinity>() > rounding * std::abs(at_zero_[k]);
  }
  /// Could a sign be another, and others make up for it, so that no rate tells? Frictions that are statically
  /// indeterminate are such.
  bool is_shared(Eigen::Index k) const;
  double rate(Eigen::Index k) const { return rates_[k]; }
  /// Of B, or its pseudoinverse.
  const Matrix& inverse() const { return inverse_; }

 private:
  static constexpr double rounding = 1e-9;
  /// Of a combination of signs that changes no rate, a part that is none.
  static constexpr double no_part = 1e-6;

  void iterate(Vector& signs);
  void find_least_rates(Vector& signs);
  void solve_free(Vector& signs, std::vector<char>& is_free) const;
  void solve_within_bounds(Vector& signs);
  bool all_kept() const;
  double pull(Eigen::Index k) const { return slopes_.row(k).cwiseAbs().sum() + std::abs(at_zero_[k]); }

  Matrix slopes_, inverse_;
  bool independent_ = true;  ///< the surfaces
  Vector at_zero_;           ///< rates with no signs
  Vector rates_;             ///< with those found
  Vector room_;
};

}  // namespace taut
