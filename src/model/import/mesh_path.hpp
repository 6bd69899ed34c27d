#pragma once

#include <string>
#include <vector>

#include "model/import/robot.hpp"

namespace taut::robot {

/// Finds the file of a mesh from what a robot file calls it: a path relative to that file, file://PATH, or
/// package://NAME/PATH, where the package is the nearest folder above the robot file that has the name or holds one
/// that has it. False, and a note why, for one that cannot be drawn: a drawing is no reason to refuse a robot.
bool find_mesh(Shape& shape, const std::string& robot_file, std::vector<std::string>& notes);

}  // namespace taut::robot
