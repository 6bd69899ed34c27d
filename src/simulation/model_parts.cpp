#include "simulation/model_parts.hpp"

#include "expression/derivative.hpp"

namespace taut {

std::vector<ModelPart> parts_of(const Model& model) {
  std::vector<ModelPart> parts;
  const auto add = [&](const std::string& where, const Expression& formula) {
    if (!formula.is_constant()) parts.push_back({where, formula, true});
  };
  for (const auto& c : model.coordinates) add("the force on '" + c.name + "'", c.force);
  for (const auto& u : model.speeds) add((u.is_state ? "the rate of '" : "the force on '") + u.name + "'", u.force);
  for (const auto& load : model.loads)
    for (const auto* formulas : {&load.force, &load.at, &load.velocity})
      for (const auto& formula : *formulas) add("load '" + load.name + "'", formula);
  for (const StateFunction& function : model.functions)
    for (const Expression& argument : function.arguments) add("the argument of a function", argument);
  for (const auto& c : model.constraints) add("constraint '" + c.name + "'", c.residual);
  for (const auto& c : model.coordinates)
    if (c.kinematics) add("the rate of '" + c.name + "'", *c.kinematics);
  for (const auto* energy : {&model.kinetic_energy, &model.potential_energy, &model.inertial_energy})
    if (*energy) add("an energy", **energy);
  for (const Rotor& rotor : model.rotors) add("an energy", rotor.energy);
  for (const auto& row : model.mass_matrix)
    for (const auto& entry : row) add("the mass matrix", entry);
  for (const auto& event : model.events)
    if (!event.value.is_constant()) parts.push_back({"event '" + event.name + "'", event.value, false});
  return parts;
}

std::vector<char> acting_parameters(const Model& model) {
  std::vector<char> acts(model.parameters.size(), model.joint_form != nullptr);
  std::vector<char> by_symbol(model.graph->symbols(), 0);
  for (const ModelPart& part : parts_of(model))
    if (part.acts)
      for (const SymbolId symbol : symbols_of(part.formula)) by_symbol[symbol] = 1;
  for (std::size_t k = 0; k < acts.size(); ++k) acts[k] = acts[k] || by_symbol[model.parameters[k].symbol];
  return acts;
}

}  // namespace taut
