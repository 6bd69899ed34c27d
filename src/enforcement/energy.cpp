#include "enforcement/energy.hpp"

#include "taut/error.hpp"
#include "taut/methods.hpp"

namespace taut {
namespace {

std::unique_ptr<EnergyLaw> make_none(const Choice& choice, const Shape&) {
  if (!choice.options.empty()) refuse_option(choice, choice.options.front().first, {});
  return nullptr;
}

}  // namespace

const std::vector<EnergyEntry>& energy_laws() {
  static const std::vector<EnergyEntry> list = {
      {"none", "energy is watched, not corrected", "", {}, make_none},
      {"project", "v is moved within the constraints to the energy balance",
       "Braun & Goldfarb, Part II, Eq. (2), (4)-(6)", fields<ProjectEnergy>(), make_energy_projection},
      {"gradient", "the gradient of the squared energy error is fed back into the accelerations",
       "Yoon, Howe & Greenwood, Eq. (20), (44), (50)-(53)", fields<EnergyGradient>(), make_energy_gradient},
      {"multiplier", "the decay of the energy error is one more row, after the constraints",
       "Yoon, Howe & Greenwood, Eq. (14)-(19)", fields<EnergyMultiplier>(), make_energy_multiplier},
  };
  return list;
}

const EnergyEntry& find_energy_law(const Choice& choice) {
  std::vector<std::string> names;
  for (const auto& entry : energy_laws()) {
    if (entry.name == choice.name) return entry;
    names.push_back(entry.name);
  }
  refuse_choice("energy law", choice.name, names);
}

std::unique_ptr<EnergyLaw> make_energy_law(const Choice& choice, const Shape& shape) {
  auto law = find_energy_law(choice).make(choice, shape);
  if (law && !shape.has_energy)
    throw InputError("an energy law needs an energy, and this model has none",
                     "give the model energy: EXPRESSION, or kinetic_energy and potential_energy");
  return law;
}

}  // namespace taut
