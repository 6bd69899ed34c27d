#pragma once

#include "model/import/robot.hpp"
#include "model/import/xml.hpp"

namespace taut::robot {

/// MJCF, the subset that docs/import.md lists; anything else is refused by name.
Imported import_mjcf(const tinyxml2::XMLDocument& document, const std::string& text, const std::string& file);

}  // namespace taut::robot
