#pragma once

#include "model/import/robot.hpp"
#include "model/import/xml.hpp"

namespace taut::robot {

/// URDF, read by urdfdom. `document` is the same text; it knows the lines, which urdfdom does not.
Imported import_urdf(const tinyxml2::XMLDocument& document, const std::string& text, const std::string& file);

/// Refuses, with their lines, files that urdfdom would refuse without, and elements that the importer does not know.
void check_urdf(const XMLElement& robot, const std::string& file);

}  // namespace taut::robot
