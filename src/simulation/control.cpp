#include "simulation/control.hpp"

#include <algorithm>

#include "taut/error.hpp"

namespace taut {

const std::vector<ControlEntry>& controls() {
  static const std::vector<ControlEntry> list = {
      {"stages", "correction terms are evaluated in every stage of the integrator", "Yoon et al. 1995, Eq. (54)-(56)",
       false},
      {"euler", "correction terms are evaluated at the beginning of the step and held through it",
       "Yoon et al. 1995, Eq. (57), (58)", true},
  };
  return list;
}

void check_control(const Choice& choice) {
  std::vector<std::string> names;
  for (const auto& entry : controls()) {
    if (entry.name == choice.name) return;
    names.push_back(entry.name);
  }
  if (choice.name != "auto") refuse_choice("control", choice.name, names);
}

bool held_by_control(const Choice& choice, const Method& method, const std::string& method_name, std::string& chosen) {
  check_control(choice);
  if (!method.adds_terms()) {
    chosen = "none";
    if (choice.name == "auto") return true;
    throw InputError(
        "method '" + method_name + "' adds no correction terms, so control '" + choice.name + "' means nothing",
        "leave control out, or choose braun-goldfarb");
  }
  chosen = choice.name == "auto" ? "euler" : choice.name;
  return std::find_if(controls().begin(), controls().end(), [&](const auto& e) { return e.name == chosen; })->held;
}

}  // namespace taut
