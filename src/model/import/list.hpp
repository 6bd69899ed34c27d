#pragma once

#include <string>

#include "model/import/options.hpp"
#include "model/import/robot.hpp"

/// Robot files that can be read as models. To add a format: one file, one line in the list of list.cpp.
namespace taut::robot {

/// By its ending: .urdf, .mjcf, .sdf, .xml, and those that are known and cannot be read.
bool is_robot_file(const std::string& file);

/// Which format it is, the root element says. Throws InputError.
Imported import_robot(const std::string& text, const std::string& file, const ImportOptions& options = {});

}  // namespace taut::robot
