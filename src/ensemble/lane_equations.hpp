#pragma once

#include <string>
#include <vector>

#include "system/equations.hpp"
#include "taut/simulation.hpp"

namespace taut {

/// The equations of a model as members in lanes need them: what does not vary is a number, and of rows that others
/// imply enough are left out.
struct LaneEquations {
  Equations all;                        ///< with every row
  Equations kept;                       ///< with rows that are independent where the first member starts
  std::vector<int> rows;                ///< of `all`, those that are kept
  std::vector<std::string> names;       ///< of parameters that vary, or depend on what does
  std::vector<std::size_t> parameters;  ///< their places among the model's
};

/// Throws InputError where members of this model cannot go in lanes: the equations have kinks, say. `varied` are names
/// that --vary takes; the other values are those of `initial`.
LaneEquations lane_equations(const Model& model, const InitialValues& initial, const std::vector<std::string>& varied);

}  // namespace taut
