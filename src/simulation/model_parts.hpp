#pragma once

#include <string>
#include <vector>

#include "taut/model.hpp"

namespace taut {

/// A formula that the equations are made of, and how to call it.
struct ModelPart {
  std::string where;
  Expression formula;
  bool acts = true;  ///< an event only watches
};

/// All of a model's that are not constant.
std::vector<ModelPart> parts_of(const Model& model);

/// Of each parameter: does the motion depend on it? All that is not known to watch alone does.
std::vector<char> acting_parameters(const Model& model);

}  // namespace taut
