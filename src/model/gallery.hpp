#pragma once

#include <string>

namespace taut {

/// The file of a model that is given by a path, or by its name in the gallery. Throws InputError.
std::string model_path(const std::string& name);

}  // namespace taut
