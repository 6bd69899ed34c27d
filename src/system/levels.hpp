#pragma once

#include <vector>

#include "expression/program.hpp"
#include "system/equations.hpp"

namespace taut {

/// What the programs of a system depend on, in the order in which it becomes known.
enum Level : int {
  parameters = 0,
  position = 1,
  velocity = 2,
  acceleration = 3,         ///< v̇ and λ, or what is demanded of them
  correction = 4,           ///< a violation of all rows
  position_correction = 5,  ///< a violation of the position rows
  trial_velocity = 6,       ///< a velocity to be corrected here
  trial_position = 7,       ///< a position to be corrected from here
  trial_acceleration = 8,   ///< v̇ and λ to be looked at
  self_stress = 9           ///< self-stresses are asked for
};

inline void add_inputs(std::vector<Program::Input>& inputs, const std::vector<SymbolId>& symbols, Level level) {
  for (const SymbolId s : symbols) inputs.push_back({s, level});
}

/// Parameters, branches, t, q, v: the inputs that every program begins with. Those that functions compute stand among
/// the parameters, and are known with the velocities.
inline std::vector<Program::Input> state_inputs(const Equations& eq) {
  std::vector<Program::Input> inputs;
  for (const SymbolId s : eq.parameters)
    inputs.push_back({s, !eq.functions.empty() && is_driven(eq, s) ? Level::velocity : Level::parameters});
  add_inputs(inputs, eq.branches, Level::position);
  add_inputs(inputs, {eq.time}, Level::position);
  add_inputs(inputs, eq.q, Level::position);
  add_inputs(inputs, eq.v, Level::velocity);
  return inputs;
}

}  // namespace taut
