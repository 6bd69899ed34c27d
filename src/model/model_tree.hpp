#pragma once

#include <string>
#include <vector>

#include "model/import/options.hpp"
#include "model/yaml_tree.hpp"

namespace taut {

/// How robot files are read on the way, and what was found in them that the model does not hold.
struct RobotReading {
  robot::ImportOptions options = {};
  std::vector<std::string> notes = {};
};

/// The tree of a model file: YAML, or a robot file that is turned into the same sections. What the section `import:`
/// of a YAML file says is added to the options.
yaml::Node read_tree(const std::string& text, const std::string& file, RobotReading& robots);

/// A model, by the name of its file or its name in the gallery, as one YAML text that reads back to the same model:
/// with everything that it includes, robot files too. It is meant to stand in `folder`, which the paths of meshes start
/// from; "" is the working folder.
std::string model_as_yaml(const std::string& name, const std::string& folder = "",
                          const robot::ImportOptions& options = {});

}  // namespace taut
