#pragma once

#include "model/import/findings.hpp"
#include "model/import/xml.hpp"

namespace taut::robot {

/// Puts the models of other files in the place of <include>, with the name, pose and frame that the include gives.
void include_sdf_models(Element& element, Findings& findings);

}  // namespace taut::robot
