#pragma once

#include <string>
#include <vector>

#include "enforcement/method.hpp"
#include "taut/choice.hpp"

namespace taut {

/// The ways of integrating correction terms (Yoon, Howe & Greenwood, Eq. (54)-(59)).
struct ControlEntry {
  std::string name, about, source;
  bool held;
};
const std::vector<ControlEntry>& controls();
/// Throws InputError if there is none of that name (`auto` is one).
void check_control(const Choice& choice);

/// The way a choice names for a method; `auto` is resolved, and `chosen` says to what. Throws
/// InputError for one given to a method that adds no terms.
bool held_by_control(const Choice& choice, const Method& method, const std::string& method_name, std::string& chosen);

}  // namespace taut
