#pragma once

#include <vector>

#include "taut/model.hpp"

namespace taut {

/// Which formulas stand in a model in joint coordinates was decided by numbers here and there: along which axis a
/// direction is turned, which constraints hold wherever the tree's joints lead. Would other values of the parameters
/// have led to the same formulas? If not known for sure, false.
bool has_same_formulas(const Model& joints, const std::vector<double>& parameters);

/// JointForm::length with other values of the parameters.
double longest_arm(const Model& joints, const std::vector<double>& parameters);

}  // namespace taut
