#pragma once

#include <string>
#include <vector>

#include "questions/targets.hpp"
#include "taut/model.hpp"

namespace taut {

/// A model and what is asked of it, where outputs with kinks of which integrals or extremes are asked are rates of
/// states, so that steps end at their kinks: a step over them would go astray. Throws InputError for integrals of what
/// has accelerations or multipliers in its kinks.
struct WithIntegrals {
  Model model;
  std::vector<Target> targets;
};
WithIntegrals with_integrals_of_kinks(const Model& model, std::vector<Target> targets);

}  // namespace taut
