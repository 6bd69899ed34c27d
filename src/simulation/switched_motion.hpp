#pragma once

#include <string>
#include <vector>

#include "simulation/branch_choice.hpp"
#include "simulation/endless_changes.hpp"
#include "simulation/motion.hpp"
#include "simulation/sliding.hpp"
#include "simulation/switches.hpp"
#include "simulation/switching_functions.hpp"
#include "simulation/switching_search.hpp"

namespace taut {

/// A motion whose equations have kinks in the state. Within a step every kink stays on the branch where the step began,
/// so that the right-hand side is smooth for all stages; steps end where a switching function s becomes zero
/// (SwitchingSearch), and the next begins on the other branch (docs/theory/switching.md).
///
/// Where the motion of both branches leads to s = 0, it slides along that surface (Sliding): the sign that stands in
/// for that of s becomes the one between −1 and 1 that keeps ṡ = 0, until it leaves these bounds.
///
/// It stands between an integrator and the motion. Which branches come next is the matter of BranchChoice.
class SwitchedMotion : public Ode, private StepJudge, private StopListener {
 public:
  SwitchedMotion(Motion& motion, System& system, double resolution);

  /// Chooses branches where a run starts, before anything is evaluated there; …
  void start(double t, const Vector& q, const Vector& v);
  /// … of functions that are zero there, by what follows from either choice.
  void settle(double t, const Vector& y);
  /// See Motion::change_equations.
  void change_equations(double t, Vector& y, const std::function<void()>& change);

  int size() const override { return motion_.size(); }
  void begin_step(double t, const Vector& y, double h) override;
  bool derivative(double t, const Vector& y, double h, Vector& ydot) override;
  Correction correct(double t, Vector& y) override;
  Acceptance accept(double t, Vector& y) override;
  /// Those of the motion, but for what switching has a say in.
  OdeExtensions extensions() override;

  using Change = Switches::Change;
  /// Since this was last asked: where the motion began to slide, or ceased to.
  std::vector<Change> take_changes() { return switches_.take_changes(); }
  /// How often steps have ended for a change of branch.
  long changes() const { return endless_.changes(); }
  /// By switching function: was it held at zero by signs of which others could bear a part?
  const std::vector<char>& shared() const { return sliding_.shared(); }
  /// Why the motion cannot go on; "" if it can.
  std::string trouble() const;

  /// For an action that looks at a state within the last step, or at one of its ends: where the motion slides, signs
  /// are those that keep it sliding there. Afterwards they are what they were.
  template <class Action>
  auto observe_at(double t, const Vector& y, const Action& action) {
    const SignsThere there(*this, t, y);
    return action();
  }
  /// A state between the ends of a step is taken back to the surfaces that the step has slid along.
  void return_to_surfaces(double t, Vector& y);

 private:
  class SignsThere {
   public:
    SignsThere(SwitchedMotion& motion, double t, const Vector& y);
    ~SignsThere();
    SignsThere(const SignsThere&) = delete;
    SignsThere& operator=(const SignsThere&) = delete;

   private:
    SwitchedMotion* motion_;  ///< null where nothing slides, or somebody looks already
  };

  bool approves(double t, const Vector& y) override;
  std::string objection() const override { return smooth_.objection(); }
  double longest_step() const override { return smooth_.longest_step(); }
  void leave_stop(double before, double after, Vector& y) override;

  void change_branches(double t, const Vector& y);
  bool rests(const Vector& y, const Vector& ydot) const;
  void come_to_rest(Vector& y);
  void come_to_surfaces(double t, Vector& y);

  /// Those of the motion, as long as it does not slide.
  struct Stages final : StageShortcuts {
    Stages(StageShortcuts* smooth, const Switches& switches) : smooth(smooth), switches(switches) {}
    bool all_slopes(const Tableau& tableau, double t, const Vector& y, double h, std::vector<Vector>& k) override;
    void correct_all_results() override { smooth->correct_all_results(); }
    StageShortcuts* smooth;
    const Switches& switches;
  };

  /// F of a motion that has one; where it slides, with the signs that keep it sliding.
  struct Residual final : ImplicitForm {
    Residual(ImplicitForm* smooth, const Switches& switches, Sliding& sliding)
        : smooth(smooth), switches(switches), sliding(sliding) {}
    bool residual(double t, const Vector& y, const Vector& ydot, Vector& F) override;
    void mark_differential(Vector& id) const override { smooth->mark_differential(id); }
    ImplicitForm* smooth;
    const Switches& switches;
    Sliding& sliding;
  };

  Motion& motion_;
  OdeExtensions smooth_;  ///< those of the motion itself
  const Shape& shape_;
  Switches switches_;
  SwitchingFunctions functions_;
  Sliding sliding_;
  SwitchingSearch search_;
  Stages stages_;
  Residual residual_;
  EndlessChanges endless_;
  BranchChoice choice_;
  bool is_observed_ = false;
  std::vector<Switch> in_force_;  ///< while signs are those of a state that is looked at
  Vector kept_;
  double largest_speed_ = 0, begun_at_ = -1;
};

}  // namespace taut
