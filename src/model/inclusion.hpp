#pragma once

#include <list>
#include <string>
#include <vector>

#include "model/model_tree.hpp"
#include "model/yaml_tree.hpp"

namespace taut {

/// Puts the files that a tree names under `include:` into it, as if their sections stood before its own:
/// entries of mappings and lists come together, an entry that both have and a single value are the
/// including file's. Paths are relative to the file that names them. `files` keeps the names that places
/// in included files point to. A robot file is included like any other; `robots` says how, and gets what it
/// says and the model does not.
yaml::Node with_inclusions(yaml::Node root, const std::string& file, std::list<std::string>& files,
                           RobotReading& robots);

/// The tree of a file with all that it includes; every place in it points at the file where it stands.
yaml::Node tree_of_file(const std::string& path, std::list<std::string>& files, RobotReading& robots);

}  // namespace taut
