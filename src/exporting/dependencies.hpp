#pragma once

#include <vector>

#include "exporting/exported_model.hpp"

namespace taut {

/// What a value depends on: states, q before v, and parameters that are inputs.
struct Influences {
  std::vector<int> states, parameters;
};

/// Of every rate and output of an exported model what it may depend on, as its formulas and their connections say.
struct Dependencies {
  std::vector<Influences> rates, outputs;
};
Dependencies dependencies_of(const ExportedModel& model);

}  // namespace taut
