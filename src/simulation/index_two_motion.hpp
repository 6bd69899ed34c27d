#pragma once

#include "simulation/motion.hpp"

namespace taut {

/// The stabilised index-2 system of Gear, Gupta & Leimkuhler (Keerthi et al., ECS), as 0 = F(t, y, y'):
///   0 = q̇ − N v − N Hᵀ_Φ μ,   0 = M v̇ − f − Hᵀλ,   0 = work' − power,   0 = Φ,   0 = χ
/// with y = (q, v, work, μ, λ); only rows that count have multipliers. μ vanishes with the integration error. An
/// implicit integrator asks for F; rank stays what it is at the start.
class IndexTwoMotion final : public Motion, public ImplicitForm {
 public:
  IndexTwoMotion(Manifold& manifold, Method& method, const Settings& settings);

  int size() const override { return layout_.size() + static_cast<int>(position_rows_.size() + rows_.size()); }
  bool derivative(double t, const Vector& y, double h, Vector& ydot) override;
  Acceptance accept(double t, Vector& y) override;
  OdeExtensions extensions() override;

  bool residual(double t, const Vector& y, const Vector& ydot, Vector& F) override;
  void mark_differential(Vector& id) const override;

  /// F is evaluated beside the manifold, which may stand anywhere.
  bool stands_at(double /*t*/, const Vector& /*y*/) const override { return false; }
  void find_violations(double t, Vector& Phi, Vector& chi) override;

 private:
  void take_first_decision(double t) override;
  void unpack_multipliers(const Vector& y);
  void write_violations(Vector& F) const;
  int first_mu() const { return layout_.size(); }
  int first_lambda() const { return first_mu() + static_cast<int>(position_rows_.size()); }

  std::vector<int> rows_, position_rows_;  ///< rows that count
  Point point_;
  ReactionForces reactions_;
  Vector mu_, force_, shift_, dq_;
};

}  // namespace taut
