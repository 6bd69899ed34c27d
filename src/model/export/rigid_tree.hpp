#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "taut/model.hpp"

/// A mechanism as robot files have it: a tree of links in numbers, and the joints that close its loops.
namespace taut {

struct RigidJoint {
  enum class Kind { hinge, slide, ball };
  Kind kind = Kind::hinge;
  std::string name;
  Eigen::Vector3d at = Eigen::Vector3d::Zero();     ///< in the world, as the mechanism is drawn
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< likewise; its coordinate is that of the model's joint
  double armature = 0;
};

struct RigidLink {
  std::string name;
  int parent = 0;                                          ///< index of another; 0 is the ground
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();  ///< of its centre of mass with its axes, in the world
  double mass = 0;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  std::vector<RigidJoint> joints;  ///< that carry it, one after the other; none: it is fixed
  bool is_free = false;
};

struct RigidTie {
  std::string name;
  std::string type;  ///< of the model's joint: spherical, fixed, revolute, gear
  int first = 0, second = 0;
  Eigen::Vector3d at = Eigen::Vector3d::Zero(), axis = Eigen::Vector3d::UnitZ();
  std::string first_joint, second_joint;  ///< of a gear: second = ratio · first + offset
  double ratio = 1, offset = 0;
};

struct RigidTree {
  std::vector<RigidLink> links;  ///< the ground first; each after the one that carries it
  std::vector<RigidTie> ties;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  /// What the file does not say, as a comment at its head; "" if it says all.
  std::string comment = {};
};

/// Throws InputError for what a robot file cannot say: forces, motors, friction, constraints that are no joints, joints
/// of other kinds.
RigidTree rigid_tree(const Model& model);

/// The model as MJCF or URDF. Throws InputError, also for loops in a URDF.
std::string model_as_mjcf(const Model& model);
std::string model_as_urdf(const Model& model);

}  // namespace taut
