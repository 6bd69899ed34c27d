#pragma once

#include <functional>
#include <memory>

#include "enforcement/energy.hpp"
#include "enforcement/method.hpp"
#include "integration/ode.hpp"
#include "simulation/correction_terms.hpp"
#include "simulation/energy_balance.hpp"
#include "simulation/evaluation.hpp"
#include "simulation/motion_observation.hpp"
#include "simulation/motion_settings.hpp"
#include "simulation/singular_passages.hpp"
#include "simulation/speed_jumps.hpp"
#include "simulation/step_approval.hpp"

namespace taut {

/// A method's own norm of errors, as an integrator asks for it.
class MethodNorm final : public ErrorNorm {
 public:
  MethodNorm(Manifold& manifold, Method& method);
  bool exists() const { return method_.local_tolerance() > 0; }
  double norm(const Vector& error) override;

 private:
  Manifold& manifold_;
  Method& method_;
  Vector dq_, dv_;
};

/// A constrained system under a method, as an integrator sees it: y = (q, v, work), where q and v may be a point of the
/// method's chart.
///
/// What all kinds of motion share: the order in which a step is begun, evaluated, corrected and accepted, and the parts
/// that have a say in it. How a state is evaluated, what the method does to a result and where rank is decided is a
/// matter of the kind: ProjectedMotion, UnprojectedMotion, ChartMotion, IndexTwoMotion. make_motion() chooses.
class Motion : public Ode, public Evaluation {
 public:
  using Settings = MotionSettings;

  /// Begins at a state, deciding rank there. False if the equations cannot be evaluated.
  bool start(double t, const Vector& q, const Vector& v, double rank_tolerance);
  /// Formulas serve from now on: the state where the motion begins is evaluated and rank decided there by them.
  virtual void start_formulas(double t, const Vector& q, const Vector& v);
  /// What the energy is from now on compared with.
  void begin_energy_balance(double t, const Vector& q, const Vector& v);
  /// The state that stands for (q, v), with no work done yet.
  Vector state(const Vector& q, const Vector& v) const { return layout_.state(q, v, size()); }
  /// The equations have changed for good, and rank is decided anew here. Leaves the state in at().
  virtual void begin_anew(double t, const Vector& y);
  /// Has something else change the equations at a state, where a step has ended: speeds that constraints prescribe are
  /// taken along by an impulse. What becomes of the energy is work. The integrator has to begin anew, too.
  void change_equations(double t, Vector& y, const std::function<void()>& change);
  /// Are the integrator's unknowns others than (q, v, …)?
  bool has_chart() const { return method_.kind() == Method::Kind::chart; }

  int size() const override { return layout_.size(); }
  void begin_step(double t, const Vector& y, double h) override;
  bool derivative(double t, const Vector& y, double h, Vector& ydot) override;
  Correction correct(double t, Vector& y) override;
  Acceptance accept(double t, Vector& y) override;
  OdeExtensions extensions() override;

  const MotionReport& report() const { return report_; }
  MotionObservation& observe() { return observation_; }
  StepApproval& approval() { return approval_; }
  const SingularPassages& passages() const { return passages_; }
  const SpeedJumps& speed_jumps() const { return jumps_; }

 protected:
  Motion(Manifold& manifold, Method& method, EnergyLaw* law, const Settings& settings);

  /// Told where a run begins, once rank has been decided there.
  virtual void take_first_decision(double /*t*/) {}
  /// As evaluate, where rank is decided next: what is factored for the decision need not be factored before it.
  virtual bool evaluate_to_decide(double t, const Vector& y) { return evaluate(t, y); }
  /// Decides rank at the accepted state y, which has just been evaluated; its derivative may be known.
  virtual Acceptance determine_rank(double t, Vector& y, bool derivative_known);
  /// What is done to a result: terms, the method, the energy law.
  virtual Correction correct_result(double t, Vector& y);
  /// … by the method. False where the constraints cannot be reached.
  virtual bool correct_by_method(double t, Vector& y, Correction& result);
  /// Has the method correct y by Method::correct, wherever it stands.
  bool apply_correction(double t, Vector& y, Correction& result);

  Method& method_;
  Settings settings_;
  MotionReport report_;
  SingularPassages passages_;
  EnergyBalance balance_;
  CorrectionTerms terms_;
  bool rank_change_pending_ = false;  ///< to be told at the end of the next step

 private:
  EnergyCorrection energy_;
  SpeedJumps jumps_;
  StepApproval approval_;
  MotionObservation observation_;
  MethodNorm norm_;
};

/// The motion that a method of this kind makes. It refers to all of its arguments; the law may be none.
std::unique_ptr<Motion> make_motion(Manifold& manifold, Method& method, EnergyLaw* law, const MotionSettings& settings);

}  // namespace taut
