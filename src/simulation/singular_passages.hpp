#pragma once

#include <optional>

#include "enforcement/manifold.hpp"
#include "simulation/passage_watch.hpp"
#include "simulation/singular_approach.hpp"

namespace taut {

/// Singular positions along a motion: tells those that an accepted step has passed, foresees the next, and refuses
/// steps that leap over a bend next to one. Remembers the last two accepted states, between and beyond which it
/// estimates the motion. A motion tells it of every state that it accepts.
class SingularPassages final : public SingularMoments {
 public:
  struct Settings {
    bool crosses = false;      ///< the method keeps positions: it can cross a singular one, not only turn before it
    bool given_steps = false;  ///< steps cannot be repeated
    bool strays = false;       ///< states are off the constraints by what steps may err
  };

  SingularPassages(Manifold& manifold, const Settings& settings);

  void start(double t, const Vector& q, const Vector& v);
  /// The manifold stands at the accepted state, with accelerations a. The time of a passage since the last, if any.
  std::optional<double> accept(double t, const Vector& q, const Vector& v, const Vector& a);
  /// The constraints that count have changed, or what pivots are measured by: forgets the past.
  void reset() { watch_.reset(); }
  /// Constraints were switched, or the state has jumped to this one: nothing seen before holds any more.
  void restart(double t, const Vector& q, const Vector& v);

  /// Does a step from the last accepted state to (t, q) leap over a bend, or over what is not known?
  bool leaps(double t, const Vector& q);
  /// Is that certain not to be, by what is cheap to know?
  bool cannot_leap(double t) const;
  Passage passage(double /*t*/) const override { return approach_.passage(); }
  double longest_step() const { return approach_.longest_step(); }
  const SingularApproach& approach() const { return approach_; }

  /// The last accepted state.
  double t() const { return now_t_; }
  const Vector& q() const { return now_q_; }
  const Vector& qdot() const { return now_qdot_; }

 private:
  void mark_now(double t, const Vector& q, const Vector& v);
  void look_ahead(const Vector& a);
  double pivot_between(double t);
  double pivot_beyond(double t);
  SingularApproach::State now();
  bool has_turned_away(double pivot);
  const Vector& now_v() const { return manifold_.shape().plain_rates ? now_qdot_ : now_v_; }

  Manifold& manifold_;
  Settings settings_;
  PassageWatch watch_;
  SingularApproach approach_;
  PassageWatch::Probe between_, beyond_;  ///< pivots in the step just taken, and after it
  double before_t_ = 0, now_t_ = 0;
  Vector before_q_, before_qdot_, now_q_, now_qdot_, now_qddot_, jerk_;
  Vector now_v_;    ///< where speeds are others than rates
  Vector probe_q_;  ///< where a pivot was last asked for
  double largest_pivot_ = 0, last_pivot_ = 0, pivot_before_ = 0;
};

}  // namespace taut
