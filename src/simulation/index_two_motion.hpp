#pragma once

#include "simulation/motion.hpp"

namespace taut {

/// The stabilised index-2 system of Gear, Gupta & Leimkuhler (Keerthi et al., ECS), as 0 = F(t, y, y'):
///   0 = q̇ − N v − N Hᵀ_Φ μ,   0 = M v̇ − f − Hᵀλ,   0 = work' − power,   0 = Φ,   0 = χ
/// with y = (q, v, work, μ, λ); only rows that count have multipliers. μ vanishes with the integration error.
class IndexTwoMotion : public Motion {
 public:
  IndexTwoMotion(Manifold& manifold, Method& method, const Settings& settings);

  int size() const override { return differential() + static_cast<int>(position_rows_.size() + rows_.size()); }
  bool derivative(double t, const Vector& y, double h, Vector& ydot) override;
  Acceptance accept(double t, Vector& y) override;
  bool implicit() const override { return true; }
  bool residual(double t, const Vector& y, const Vector& ydot, Vector& F) override;
  void mark_differential(Vector& id) const override;
  Vector state(const Vector& q, const Vector& v) const override;

  /// Takes the decision on rank made at the start.
  void take_rows();

 private:
  Vector multipliers_of_rows();
  int differential() const { return n_q_ + n_v_ + (does_work_ ? 1 : 0); }

  std::vector<int> rows_, position_rows_;  ///< rows that count
  Point point_;
  ReactionForces reactions_;
  Vector chi_, mu_, force_, shift_, dq_;
};

}  // namespace taut
