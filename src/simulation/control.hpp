#pragma once

#include <string>
#include <vector>

#include "taut/choice.hpp"

namespace taut {

/// When correction terms are evaluated (Yoon, Howe & Greenwood, Eq. (54)-(59)).
enum class Control {
  stages,          ///< in every stage of the integrator
  euler,           ///< at the beginning of the step, and held through it
  forward_euler,   ///< at the beginning of the step, and added to its result
  backward_euler,  ///< at the step's own result, and added to it
};

struct ControlEntry {
  std::string name, about, source;
  Control control;
};
const std::vector<ControlEntry>& controls();
/// The entry of that name. Throws InputError if there is none; `auto` is not one.
const ControlEntry& find_control(const std::string& name);
/// Throws InputError if there is none of that name (`auto` is one).
void check_control(const Choice& choice);

}  // namespace taut
