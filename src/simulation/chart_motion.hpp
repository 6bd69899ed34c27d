#pragma once

#include "simulation/motion.hpp"

namespace taut {

/// A motion in coordinates of the method's own: q and v of the state are a point of a plane, which is lifted onto the
/// constraints. Where the plane is outgrown, the present point becomes its new base.
class ChartMotion final : public Motion {
 public:
  ChartMotion(Manifold& manifold, Method& method, EnergyLaw* law, const Settings& settings);

  void begin_anew(double t, const Vector& y) override;

  using Motion::physical;
  bool evaluate(double t, const Vector& y) override;
  bool physical(double t, const Vector& y, Vector& q, Vector& v) override;
  /// What was found is a point of the constraints, and not of the plane.
  bool knows(double t, const Vector& y) const override { return memory_.was_asked(t, y); }
  bool stands_at(double /*t*/, const Vector& /*y*/) const override { return false; }
  void jump_to(double t, const Vector& y) override;

  void begin_step(double t, const Vector& y, double h) override;
  bool derivative(double t, const Vector& y, double h, Vector& ydot) override;

 private:
  void take_first_decision(double t) override;
  Correction correct_result(double t, Vector& y) override;
  Acceptance determine_rank(double t, Vector& y, bool derivative_known) override;

  bool stays_on_branch(double t, const Vector& y);
  bool has_left_branch(double t);
  void move_base(double t, const Vector& y);
  void mark_lifted(double t);

  Chart& chart_;
  bool outgrown_ = false;  ///< the chart takes a new base when the next step begins
  double lifted_t_ = 0;    ///< at the end of the last accepted step
  Vector lifted_q_, lifted_v_, lifted_qdot_;
};

}  // namespace taut
