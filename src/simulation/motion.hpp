#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "enforcement/energy.hpp"
#include "enforcement/manifold.hpp"
#include "enforcement/method.hpp"
#include "integration/ode.hpp"
#include "simulation/control.hpp"
#include "simulation/energy_audit.hpp"
#include "simulation/feature_watch.hpp"
#include "simulation/singular_passages.hpp"
#include "simulation/violation_scale.hpp"

namespace taut {

/// A constrained system under a method, as an integrator sees it: y = (q, v, work), where q and v may
/// be a point of the method's chart.
class Motion : public Ode {
 public:
  struct Settings {
    Control control = Control::euler;
    bool fixed_steps = false;
    double rtol = 0;             ///< of steps that are chosen, …
    std::optional<double> atol;  ///< … as for StepControl

    /// What steps may err in entries of size 1 that happen to be nought, and in one of this size.
    double absolute() const { return atol.value_or(0.01 * rtol); }
    double allowed(double size) const { return absolute() + rtol * size; }
  };

  Motion(Manifold& manifold, Method& method, EnergyLaw* law, const Settings& settings);

  /// Begins at a state, deciding rank there. False if the equations cannot be evaluated.
  bool start(double t, const Vector& q, const Vector& v, double rank_tolerance);

  /// Makes room for what the system's own solver finds along with the result of a step.
  void expect_solver() { result_rates_ = asked_; }

  int size() const override { return n_q_ + n_v_ + (does_work_ ? 1 : 0); }
  void begin_step(double t, const Vector& y, double h) override;
  bool derivative(double t, const Vector& y, double h, Vector& ydot) override;
  Correction correct(double t, Vector& y) override;
  bool has_norm() const override { return method_.local_tolerance() > 0; }
  double norm(const Vector& error) override;
  bool correct_error(double t, const Vector& y, Vector& error) override;
  Acceptance accept(double t, Vector& y) override;
  bool depends_on_step() const override;
  bool all_slopes(const Tableau& tableau, double t, const Vector& y, double h, std::vector<Vector>& k) override;
  void leave_stop(double before, double after, Vector& y) override;
  Passage passage(double) const override { return passages_.passage(); }
  bool approves(double t, const Vector& y) override;
  std::string objection() const override { return objection_; }
  double longest_step() const override {
    const double before_feature = features_ ? features_->longest_step() : std::numeric_limits<double>::infinity();
    return std::min({passages_.longest_step(), longest_held(), before_feature});
  }
  void correct_all_results() override { stages_are_results_ = false; }
  void leave_out_held_terms() override { left_out_ = settings_.control == Control::euler; }
  bool held(double t, const Vector& y, double h, Vector& rate) override;

  /// The equations have changed since they were last evaluated.
  void forget_point() { evaluated_ = false; }
  /// They have changed for good, and rank is decided anew here.
  void begin_anew(double t, const Vector& y);

  /// The coordinates and speeds that a state stands for. False, and neither is a number, where there are none.
  bool physical(double t, const Vector& y, Vector& q, Vector& v);
  /// Are the integrator's unknowns others than (q, v, …)?
  bool has_chart() const { return chart_ != nullptr; }
  /// Φ and χ there. False, and neither is a number, where there are none.
  bool violations(double t, const Vector& y, Vector& Phi, Vector& chi);
  /// Tells the sizes of coordinates and speeds at the state whose violations were just asked for.
  void tell_sizes(const Vector& y, ViolationScale& scale) const;
  /// Puts a state between steps onto the constraints, where the method keeps them. False, and y as it was, if they
  /// cannot be reached.
  bool project_output(double t, Vector& y);
  /// Accelerations and multipliers at a state, without any correction in them. False, and neither is a number, where
  /// there are none.
  bool accelerations(double t, const Vector& y, Vector& a, Vector& lambda);
  /// Hᵀλ there, without any correction in it: unique even where multipliers are not. False, and not a number, where
  /// there is none.
  bool constraint_forces(double t, const Vector& y, Vector& Q);
  /// μ of each position constraint: what a step of h to this state was corrected with, or the terms at it correct one
  /// with, as q̇ = N(v + M⁻¹Hᵀμ) + n. False where positions are not corrected, or there is no such number.
  bool impulses(double t, const Vector& y, double h, Vector& mu);
  /// E − E₀ − work.
  double energy_error(double t, const Vector& y);

  /// The state that stands for (q, v), with no work done yet.
  virtual Vector state(const Vector& q, const Vector& v) const;

  /// From the start on, steps do not leap over features of formulas.
  void watch_features(std::unique_ptr<FeatureWatch> features);
  const FeatureWatch* features() const { return features_.get(); }
  const SingularApproach& approach() const { return passages_.approach(); }
  const EnergyAudit& audit() const { return audit_; }

  /// Speeds that constraints prescribe have jumped, and others with them, as in an impact.
  struct SpeedJump {
    double t, largest, work;
  };
  /// The first such jump, and how many there were.
  const std::optional<SpeedJump>& speed_jump() const { return speed_jump_; }
  long speed_jumps() const { return speed_jumps_; }

  // What happened at the last accepted step.
  std::optional<double> passed() const { return passed_; }
  bool rank_changed() const { return rank_changed_; }
  double last_correction() const { return last_correction_; }
  /// Largest change of a coordinate that terms in its rate made of the last step tried.
  double last_term() const { return last_term_; }
  /// Are coordinates moved by corrections or terms at all?
  bool moves_positions() const { return manifold_.shape().position_rows > 0 && (method_.corrects() || adds_terms()); }
  /// Has the correction an impulse? A chart has none, and multipliers that are unknowns have their own.
  bool has_impulses() const { return moves_positions() && !chart_ && !method_.is_dae(); }
  /// Factorisations made to correct results, and for nothing else.
  long correcting_factorisations() const { return correcting_factorisations_; }
  long unprojected() const { return unprojected_; }
  long charts() const { return charts_; }
  /// The last step tried was refused because the chart led to another branch of the constraints.
  bool left_branch() const { return left_branch_; }

 protected:
  Manifold& manifold_;
  Method& method_;
  int n_q_, n_v_;
  bool does_work_;
  Vector q_, v_, a_, lambda_, qdot_;

  SingularPassages passages_;

  void accept_features(double t, const Vector& y);

 private:
  bool adds_terms() const { return method_.adds_terms() || (law_ && law_->adds_terms()); }
  bool adds_to_result() const {
    return adds_terms() &&
           (settings_.control == Control::forward_euler || settings_.control == Control::backward_euler);
  }
  bool adds_in_stages() const { return adds_terms() && !adds_to_result() && !left_out_; }
  double longest_held() const;
  bool evaluate(double t, const Vector& y);
  bool is_evaluated(double t, const Vector& y) const;
  double reach(double t, double& size);
  void mark_start(double t, const Vector& y);
  bool evaluate_to_decide(double t, const Vector& y);
  void take(double t, const Vector& y);
  void split(const Vector& y);
  void violations(double t, const Vector& q, const Vector& v, Vector& Phi, Vector& chi);
  bool solve(double t, const Vector& y, Vector& ydot);
  bool remember(double t, const Vector& y);
  bool mark_evaluated(double t, const Vector& y);
  bool stands_at(double t, const Vector& q, const Vector& v) const;
  void slopes(double t, double h, bool with_terms);
  bool terms(double t, const Vector& y, double h, Vector& rate);
  Correction correct_result(double t, Vector& y);
  void mark_moved(const Vector& y);
  void find_position_rates(double t, const Vector& rate, Vector& found);
  void measure_term(double h, const double* rates, const double* plain);
  bool retract(double t, Vector& y);
  bool project_result(double t, Vector& y, Correction& result);
  bool move_to_constraints(double t, Vector& y, Correction& result);
  bool apply_energy_law(double t, Vector& y);
  bool changes_speeds_too_much(const Vector& y) const;
  bool stays_on_branch(double t, const Vector& y);
  void mark_lifted(double t);
  double energy_target(const Vector& y) const { return E0_ + (does_work_ ? y[n_q_ + n_v_] : 0); }
  void put(Vector& y) const;
  Acceptance move_chart(double t, Vector& y);
  void take_new_base(double t, const Vector& y);
  bool moves_too_far(const Vector& y);
  bool leaps(double t, const Vector& y);
  bool gains_energy(double t, const Vector& y);
  bool overlooks(double t, const Vector& y);
  bool go_to_end(double t, const Vector& y);

  EnergyLaw* law_;
  Chart* chart_;
  Settings settings_;
  bool outgrown_ = false;           ///< the chart takes a new base when the next step begins
  bool holds_rates_ = false;        ///< all_slopes() may serve
  bool stages_are_results_ = true;  ///< the last of a step may be
  bool left_out_ = false;           ///< the integrator adds held terms by itself
  bool holds_terms_ = false;        ///< through steps that are chosen
  double E0_ = 0, power_ = 0, step_ = 0;

  Vector c_, base_a_, rate_, stage_;
  ViolationNow violation_;                 ///< what corrections act on
  Vector start_q_, start_v_, start_qdot_;  ///< where the step began
  double start_t_ = 0;
  Vector asked_, found_;  ///< the state last asked for, and the one it was evaluated at
  double asked_t_ = 0;
  double found_slack_ = 0;  ///< found_ may be this far off the constraints, by the method's own choice
  bool evaluated_ = false;  ///< the manifold still stands at found_
  Vector result_rates_;     ///< rates there, found along with the result of a step …
  bool has_rates_ = false;  ///< … if they were
  EnergyAudit audit_;
  std::unique_ptr<FeatureWatch> features_;
  std::string objection_;  ///< to the last step that was not approved
  /// The balance last found, and the time and the sum over the state by which it is known again.
  double balance_t_ = 0, balance_sum_ = 0, balance_ = 0;
  Vector probe_q_, behind_;
  std::optional<double> passed_;
  bool rank_changed_ = false;
  bool rank_changed_at_base_ = false;         ///< when the chart took its base
  Vector lifted_q_, lifted_v_, lifted_qdot_;  ///< of a chart: at the end of the last accepted step
  double lifted_t_ = 0;
  bool left_branch_ = false;
  double last_correction_ = 0, last_term_ = 0;
  Vector moved_;        ///< what correcting the last result changed of its coordinates
  Vector plain_rates_;  ///< q̇ without terms
  long correcting_factorisations_ = 0;
  long unprojected_ = 0, charts_ = 0;
  std::optional<SpeedJump> speed_jump_;
  long speed_jumps_ = 0;
};

}  // namespace taut
