#pragma once

#include <string>
#include <vector>

#include "model/yaml_tree.hpp"

namespace taut::yaml {

/// The tree as text that reads back to the same tree: sections and their entries one below the other, what is inside
/// an entry in brackets while it fits in a line. `comments` stand above it, one in each line.
std::string write(const Node& root, const std::vector<std::string>& comments = {});

}  // namespace taut::yaml
