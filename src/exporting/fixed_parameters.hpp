#pragma once

#include <string>
#include <vector>

#include "system/equations.hpp"
#include "taut/model.hpp"

namespace taut {

/// Places of the parameters with these names, and of those that follow from one of them.
std::vector<std::size_t> varying_parameters(const Model& model, const std::vector<std::string>& varied);

/// The parameters that do not vary become numbers, wherever equations have them: what is known costs nothing then.
void fix_parameters(Equations& equations, const std::vector<std::size_t>& varying, const std::vector<double>& values);

}  // namespace taut
