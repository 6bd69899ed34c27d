#pragma once

#include <functional>
#include <optional>

#include "enforcement/energy.hpp"
#include "enforcement/manifold.hpp"
#include "enforcement/method.hpp"
#include "integration/ode.hpp"
#include "simulation/passage_watch.hpp"

namespace taut {

/// A constrained system under a method, as an integrator sees it: y = (q, v, work).
class Motion : public Ode {
 public:
  struct Settings {
    bool held = true;  ///< corrections act on the violation at the step's beginning (--control euler)
    bool fixed_steps = false;
  };

  Motion(Manifold& manifold, Method& method, EnergyLaw* law, const Settings& settings);

  /// Begins at a state, deciding rank there. False if the equations cannot be evaluated.
  bool start(double t, const Vector& q, const Vector& v, double rank_tolerance);

  int size() const override { return n_q_ + n_v_ + (does_work_ ? 1 : 0); }
  void begin_step(double t, const Vector& y, double h) override;
  bool derivative(double t, const Vector& y, double h, Vector& ydot) override;
  Correction correct(double t, Vector& y) override;
  bool accept(double t, const Vector& y) override;
  bool depends_on_step() const override { return method_.adds_terms(); }
  Passage passage(double t) const override;

  /// Puts a state between steps onto the constraints, where the method keeps them.
  void project_output(double t, Vector& y);
  /// Accelerations and multipliers at a state, without any correction in them.
  bool accelerations(double t, const Vector& y, Vector& a, Vector& lambda);
  /// E − E₀ − work.
  double energy_error(double t, const Vector& y);

  void split(const Vector& y, Vector& q, Vector& v) const;
  Vector state(const Vector& q, const Vector& v) const;

  // What happened at the last accepted step.
  std::optional<double> passed() const { return passed_; }
  bool rank_changed() const { return rank_changed_; }
  double last_correction() const { return last_correction_; }
  long unprojected() const { return unprojected_; }

 private:
  bool evaluate(double t, const Vector& y);
  void watch_passages(double t);
  bool is_evaluated(double t, const Vector& y) const;
  double energy_target(const Vector& y) const { return E0_ + (does_work_ ? y[n_q_ + n_v_] : 0); }

  Manifold& manifold_;
  Method& method_;
  EnergyLaw* law_;
  Settings settings_;
  int n_q_, n_v_;
  bool does_work_;
  double E0_ = 0;

  Vector q_, v_, a_, lambda_, c_, qdot_;
  ViolationNow violation_;  ///< what corrections act on
  Vector start_q_;          ///< where the step began
  Vector asked_, found_;    ///< the state last asked for, and the one it was evaluated at
  double asked_t_ = 0;
  bool evaluated_ = false;  ///< the manifold still stands at found_
  PassageWatch watch_;
  PassageWatch::Probe between_, beyond_;  ///< pivots in the step just taken, and after it
  double before_t_ = 0, now_t_ = 0;
  Vector before_q_, before_qdot_, now_q_, now_qdot_, now_qddot_, jerk_, probe_q_;
  std::optional<double> passed_;
  bool rank_changed_ = false;
  double last_correction_ = 0;
  long unprojected_ = 0;
};

}  // namespace taut
