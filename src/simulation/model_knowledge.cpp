#include "simulation/model_knowledge.hpp"

#include "taut/system.hpp"

namespace taut {

ModelKnowledge knowledge_of(const Model& model, const std::vector<double>& parameters, double from, double until) {
  ModelKnowledge known{find_known_times(model, parameters, from, until),
                       state_groups(model),
                       FeatureWatch::make(model, parameters),
                       std::nullopt,
                       &model,
                       parameters};
  if (!model.events.empty()) known.events.emplace(model, parameters);
  return known;
}

ModelKnowledge knowledge_of(const Shape& shape) {
  StateGroups groups;
  groups.group.assign(static_cast<std::size_t>(shape.n_q()), 0);
  groups.group.resize(static_cast<std::size_t>(shape.n_q() + shape.n_v()), 1);
  return {{}, std::move(groups), nullptr, std::nullopt, nullptr, {}};
}

}  // namespace taut
