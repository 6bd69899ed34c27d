#pragma once

#include <memory>
#include <string>
#include <vector>

#include "integration/integrator.hpp"

namespace taut {

/// The one list of integrators: names, help, tests and docs come from here.
struct IntegratorEntry {
  std::string name, about, source;
  int order = 0;
  bool adaptive = false;  ///< can choose its own steps
  std::unique_ptr<Integrator> (*make)();
};
const std::vector<IntegratorEntry>& integrators();
/// Throws InputError if there is none of that name (`auto` is one).
void check_integrator(const Choice& choice);

/// The integrator a choice names for these steps; `auto` is resolved, and `chosen` says to what.
/// Throws InputError for an unknown one, or one without error control where no step is given.
std::unique_ptr<Integrator> make_integrator(const Choice& choice, const StepControl& control, std::string& chosen);

}  // namespace taut
