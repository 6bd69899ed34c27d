#pragma once

#include <memory>
#include <string>
#include <vector>

#include "integration/integrator.hpp"

namespace taut {

/// The one list of integrators: names, help, tests and docs come from here.
struct IntegratorEntry {
  std::string name, about, source;
  int order = 0;  ///< 0 where it varies
  /// The size of a step is given, is chosen by error control, or may be either.
  enum class Steps { given, chosen, either } steps = Steps::given;
  /// When Ode::begin_step and Ode::derivative are told the actual step, as terms that depend on it need: before it is
  /// made, only at its end, where alone an implicit formula evaluates, or never.
  enum class TellsStep { beforehand, at_end, never } tells_step = TellsStep::beforehand;
  bool projects = true;    ///< calls Ode::correct on the result of a step, before its error test
  bool takes_norm = true;  ///< tests errors in the norm of the Ode, where that brings one
  double stability = 0;    ///< h |λ| at the boundary of its stability for real λ; 0 where that says little
  std::unique_ptr<Integrator> (*make)();

  bool adaptive() const { return steps != Steps::given; }
  bool fixed() const { return steps != Steps::chosen; }
  bool knows_step() const { return tells_step == TellsStep::beforehand; }
  bool steps_implicitly() const { return tells_step == TellsStep::at_end; }
};
const std::vector<IntegratorEntry>& integrators();
/// Throws InputError if there is none of that name; `auto` is not one.
const IntegratorEntry& find_integrator(const std::string& name);
/// Throws InputError if there is none of that name (`auto` is one).
void check_integrator(const Choice& choice);

/// The integrator a choice names for these steps; `auto` is resolved, and `chosen` says to what.
/// Throws InputError for an unknown one, one without error control where no step is given, or one that chooses its own
/// steps where one is given.
std::unique_ptr<Integrator> make_integrator(const Choice& choice, const StepControl& control, std::string& chosen);

}  // namespace taut
