#include "simulation/control.hpp"

namespace taut {

const std::vector<ControlEntry>& controls() {
  static const std::vector<ControlEntry> list = {
      {"stages", "correction terms are evaluated in every stage of the integrator",
       "Yoon, Howe & Greenwood, Eq. (54)-(56)", Control::stages},
      {"euler",
       "violations are taken at the beginning of the step and held through it; formulas with a memory hold the whole "
       "term",
       "Yoon, Howe & Greenwood, Eq. (57), (58), held: Braun & Goldfarb 2009, Eq. (20), (21)", Control::euler},
      {"forward-euler",
       "correction terms are evaluated at the beginning of the step and added to its result, whatever the formula",
       "Yoon, Howe & Greenwood, Eq. (57), (58) to the letter", Control::forward_euler},
      {"backward-euler", "correction terms are evaluated at the step's own result and added to it",
       "Yoon, Howe & Greenwood, Eq. (59)", Control::backward_euler},
  };
  return list;
}

const ControlEntry& find_control(const std::string& name) {
  std::vector<std::string> names{"auto"};
  for (const auto& entry : controls()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  refuse_choice("control", name, names);
}

void check_control(const Choice& choice) {
  if (!choice.options.empty()) refuse_option(choice, choice.options.front().first, {});
  if (choice.name != "auto") find_control(choice.name);
}

}  // namespace taut
