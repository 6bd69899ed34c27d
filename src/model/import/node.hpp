#pragma once

#include <Eigen/Geometry>
#include <string>

#include "model/yaml_tree.hpp"

/// Parts of a model file's tree that were not read from YAML; each knows where it came from.
namespace taut::robot {

yaml::Node scalar(const std::string& text, const Place& place);
/// The shortest text that reads back to the same number.
yaml::Node number(double value, const Place& place);
yaml::Node list(const Place& place);
yaml::Node mapping(const Place& place);
/// A component that is but the rounding error of the others, or of numbers of size `scale`, is written as 0.
yaml::Node vector(const Eigen::Vector3d& value, const Place& place, double scale = 0);
/// [w, x, y, z], the one of the two with w >= 0.
yaml::Node quaternion(const Eigen::Matrix3d& rotation, const Place& place);

void put(yaml::Node& mapping, const std::string& key, yaml::Node value);

}  // namespace taut::robot
