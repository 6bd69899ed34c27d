#pragma once

#include <vector>

#include "taut/model.hpp"

namespace taut {

/// The turn of each part in a recursion over the hierarchy: the innermost ones first, the model itself, which stands
/// behind the last part, last. Empty: the model has no parts.
std::vector<int> turns_of_parts(const Model& model);

}  // namespace taut
