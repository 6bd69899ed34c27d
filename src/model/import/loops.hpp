#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/yaml_tree.hpp"
#include "taut/error.hpp"

namespace taut::robot {

/// What closes the loops of a tree, in the words of the collection example-parallel-robots:
///   closed_loop: [[frame, frame], …]   links of the URDF that coincide
///   type: ['6d', '3d', …]              whether they are one, or only their origins are
///   name_mot: [joint, …]               joints that have motors
///   joint_name: [joint, …]             joints of kinds that a URDF does not have
///   joint_type: [SPHERICAL, …]         and these kinds: FIXED, UJOINT_XY, UJOINT_YZ, UJOINT_ZX
struct Loop {
  std::string first, second;
  bool is_point = false;
  Place place;
};
/// A joint that is a row of hinges about axes of its frame, or, without any, fixed.
struct JointType {
  std::string joint, word;
  std::string axes;  ///< letters of "XYZ"
  Place place;
};
struct Loops {
  std::vector<Loop> list;
  std::vector<std::pair<std::string, Place>> motors;
  std::vector<JointType> types;

  /// null if nothing is said of this joint.
  const JointType* type_of(const std::string& joint) const;
};

bool says_loops(const yaml::Node& root);
/// Throws InputError for what is not of that form.
Loops loops_of(const yaml::Node& root, const std::string& file);
/// Of the file beside a URDF that has its name and ends in .yaml, if it says loops.
std::optional<Loops> loops_beside(const std::string& urdf);
/// The URDF beside such a file: of its name, or the only one in its folder.
std::string urdf_beside(const std::string& yaml);

}  // namespace taut::robot
