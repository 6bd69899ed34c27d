#include "enforcement/energy.hpp"
#include "enforcement/list.hpp"
#include "integration/list.hpp"
#include "linear/list.hpp"
#include "simulation/control.hpp"
#include "taut/simulation.hpp"

namespace taut {

std::vector<ListEntry> list_methods() {
  std::vector<ListEntry> list;
  for (const auto& e : methods()) list.push_back({e.name, e.about, e.source, e.options});
  return list;
}

std::vector<ListEntry> list_integrators() {
  std::vector<ListEntry> list;
  for (const auto& e : integrators()) list.push_back({e.name, e.about, e.source, {}});
  return list;
}

std::vector<ListEntry> list_kernels() {
  std::vector<ListEntry> list;
  for (const auto& e : kernels()) list.push_back({e.name, e.about, e.source, {}});
  return list;
}

std::vector<ListEntry> list_energy_laws() {
  std::vector<ListEntry> list;
  for (const auto& e : energy_laws()) list.push_back({e.name, e.about, e.source, e.options});
  return list;
}

std::vector<ListEntry> list_controls() {
  std::vector<ListEntry> list;
  for (const auto& e : controls()) list.push_back({e.name, e.about, e.source, {}});
  return list;
}

std::vector<ListEntry> list_options() {
  std::vector<ListEntry> list;
  for (const auto& e : option_list())
    list.push_back({e.name,
                    e.about(),
                    "",
                    {},
                    e.argument,
                    Field{e.name, e.default_value().value_or(""), e.unit, e.meaning, e.range}});
  return list;
}

}  // namespace taut
