#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "enforcement/energy.hpp"
#include "enforcement/list.hpp"
#include "enforcement/manifold.hpp"
#include "integration/integrator.hpp"
#include "simulation/model_knowledge.hpp"
#include "simulation/motion.hpp"
#include "simulation/switched_motion.hpp"
#include "taut/simulation.hpp"

namespace taut {

/// What became of options that were left to `auto`.
struct ChosenParts {
  std::string linear, integrator, control;
};

/// The parts that make a run, put together as its options say: kernel, manifold, method, energy law, motion,
/// integrator. They refer to each other, and stay where they are.
struct RunParts {
  /// Takes what it needs out of `known`. Throws InputError, or OptionError where single options are to blame, if the
  /// parts do not go together.
  RunParts(System& system, ModelKnowledge& known, const Options& options);
  RunParts(const RunParts&) = delete;
  RunParts& operator=(const RunParts&) = delete;

  /// What the integrator walks through time.
  Ode& ode() { return switched ? static_cast<Ode&>(*switched) : *motion; }
  /// For an action that looks at a state within the last step, or at one of its ends, as it is there.
  template <class Action>
  auto observe_at(double t, const Vector& y, const Action& action) {
    return switched ? switched->observe_at(t, y, action) : action();
  }
  bool has_fixed_steps() const { return options.step.has_value(); }
  /// A kernel as the options say; `name` becomes what it is called.
  std::unique_ptr<LinearKernel> make_kernel(std::string& name) const;

  System& system;
  const Shape& shape;
  Options options;  ///< as given, with the tolerances of a method that has its own
  ChosenParts chosen;
  std::vector<std::string> notes;  ///< on what was chosen
  const MethodEntry& entry;
  double rank_tolerance;
  Manifold manifold;
  std::unique_ptr<Method> method;
  std::unique_ptr<EnergyLaw> law;  ///< none: energy is left alone
  StepControl control;
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<Motion> motion;
  std::optional<SwitchedMotion> switched;  ///< from the start on, where the equations have kinks in the state

 private:
  StepControl make_control(ModelKnowledge& known);
  void adopt_tolerance_of_method();
  std::unique_ptr<Integrator> make_first_integrator();
  std::unique_ptr<Motion> make_motion();
  void note_unresolved(const std::vector<KnownTimes::Finest>& finest, double step);
};

}  // namespace taut
