#pragma once

#include <string>
#include <vector>

#include "model/import/findings.hpp"
#include "model/import/robot.hpp"

namespace taut::robot {

/// The path of a file from what a robot file calls it: a path relative to that file, file://PATH, or
/// package://NAME/PATH and model://NAME/PATH, where the package is the nearest folder above the robot file that has the
/// name or holds one that has it, or one in the folders of ROS_PACKAGE_PATH, AMENT_PREFIX_PATH, GAZEBO_MODEL_PATH or
/// GZ_SIM_RESOURCE_PATH. "" if there is no such package.
std::string located(const std::string& given, const std::string& robot_file);

/// Meshes of drawings that cannot be read are drawn as boxes, one for each link, of the link's inertia; one note says
/// how many: a drawing is no reason to refuse a robot. Paths of the others are made relative to the robot file.
void settle_meshes(Robot& robot, Findings& findings);

}  // namespace taut::robot
