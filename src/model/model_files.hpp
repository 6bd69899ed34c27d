#pragma once

#include <set>
#include <string>

#include "taut/model.hpp"

namespace taut {

/// The files that a model was read from: its own, those it includes, its parts', and meshes.
std::set<std::string> files_of(const Model& model);

}  // namespace taut
