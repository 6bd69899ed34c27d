#include "enforcement/list.hpp"

namespace taut {
namespace {

template <class Options>
MethodEntry entry(const char* about, const char* source) {
  return {std::string(Options::name),
          about,
          source,
          fields<Options>(),
          [](const Choice& choice, Manifold& manifold) { return make_method(read_options<Options>(choice), manifold); },
          [](const Choice& choice) { return read_options<Options>(choice).rank_tolerance; }};
}

}  // namespace

const std::vector<MethodEntry>& methods() {
  static const std::vector<MethodEntry> list = {
      entry<Auto>("evaluates the equations only on the constraints, decides rank only there", "docs/theory/auto.md"),
      entry<UdwadiaKalaba>("constrained accelerations without any correction: drifts",
                           "Braun & Goldfarb 2009, Eq. (17)"),
      entry<BraunGoldfarb>("drift elimination embedded in the equation of motion",
                           "Braun & Goldfarb 2009, Eq. (16), (20), (21); Part II, Eq. (1)-(4)"),
      entry<Perturbation>("each step replaced by the nearest point of the constraints",
                          "Keerthi, Sudarsan & Sancheti, P1, Eq. (3.1)-(3.7)"),
  };
  return list;
}

const MethodEntry& find_method(const Choice& choice) {
  std::vector<std::string> names;
  for (const auto& entry : methods()) {
    if (entry.name == choice.name) return entry;
    if (entry.name != "auto") names.push_back(entry.name);
  }
  refuse_choice("method", choice.name, names);
}

}  // namespace taut
