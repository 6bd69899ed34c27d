#pragma once

#include <vector>

#include "expression/program.hpp"
#include "taut/model.hpp"

namespace taut::testing_values {

/// A value for every symbol of a model: parameters and initial values, and for the rest (or, if asked,
/// for everything but parameters) numbers without pattern.
inline std::vector<double> values(const Model& model, bool scatter = false) {
  std::vector<double> all(model.graph->symbols());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = 0.3 + 0.17 * static_cast<double>((k * 7) % 11);
  const InitialValues initial = initial_values(model);
  for (std::size_t k = 0; k < model.parameters.size(); ++k) all[model.parameters[k].symbol] = initial.parameters[k];
  if (scatter) return all;
  for (std::size_t k = 0; k < model.coordinates.size(); ++k) {
    all[model.coordinates[k].symbol] = initial.coordinates[k];
    if (model.speeds.empty()) all[model.coordinates[k].rate] = initial.speeds[k];
  }
  for (std::size_t k = 0; k < model.speeds.size(); ++k) all[model.speeds[k].symbol] = initial.speeds[k];
  all[model.time] = 0;
  return all;
}

}  // namespace taut::testing_values
