#pragma once

#include <string>
#include <vector>

#include "model/yaml_tree.hpp"

namespace taut {

/// The tree of a model file: YAML, or a robot file that is turned into the same sections. `notes`, where given,
/// gets what a robot file says and the model does not.
yaml::Node read_tree(const std::string& text, const std::string& file, std::vector<std::string>* notes = nullptr);

/// A model, by the name of its file or its name in the gallery, as one YAML text that reads back to the same model:
/// with everything that it includes, robot files too. It is meant to stand in `folder`, which the paths of meshes start
/// from; "" is the working folder.
std::string model_as_yaml(const std::string& name, const std::string& folder = "");

}  // namespace taut
