#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "simulation/event_bounds.hpp"
#include "simulation/feature_watch.hpp"
#include "simulation/known_times.hpp"
#include "simulation/state_groups.hpp"

namespace taut {

struct Shape;

/// What is known of a model's formulas beside its equations, before a run begins.
struct ModelKnowledge {
  KnownTimes times;
  StateGroups groups;
  std::unique_ptr<FeatureWatch> features;
  std::optional<EventBounds> events;
  const Model* model = nullptr;    ///< null where there is none; outlives the run
  std::vector<double> parameters;  ///< their values, indexed like model->parameters
};

/// Of a model with these parameter values (indexed like model.parameters), for a run between these times.
ModelKnowledge knowledge_of(const Model& model, const std::vector<double>& parameters, double from, double until);
/// Of a system that is not made of formulas: all coordinates are of one kind, and all speeds.
ModelKnowledge knowledge_of(const Shape& shape);

}  // namespace taut
