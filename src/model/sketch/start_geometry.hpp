#pragma once

#include <Eigen/Geometry>
#include <utility>
#include <vector>

#include "taut/model.hpp"

namespace taut {

/// Where a body is held: by a joint, or by the end of a force element.
struct Hold {
  Eigen::Vector3d at;            ///< in the axes of the body, from its centre of mass
  const Joint* joint = nullptr;  ///< none of a force element
  bool is_second = false;        ///< is the body the joint's second?
};

/// A mechanism where its motion starts, in numbers: places and directions, where bodies are held, and how large what is
/// drawn of it should be.
class StartGeometry {
 public:
  explicit StartGeometry(const Model& model);

  const Model& model() const { return model_; }
  const std::vector<Hold>& holds_of(int body) const { return holds_[static_cast<std::size_t>(body)]; }
  /// The radius of a bar.
  double thin() const { return thin_; }
  /// The longest side of the box around all joints and centres of mass; 0 where these are one point.
  double extent() const { return extent_; }
  bool is_planar() const { return planar_; }
  /// Are there so few parts that small ones are worth drawing?
  bool in_detail() const { return model_.bodies.size() + model_.joints.size() <= 150; }
  /// Against gravity; else y in the plane and z in space.
  const Eigen::Vector3d& up() const { return up_; }

  double value(const Expression& formula) const;
  Eigen::Vector3d value(const Vector3& a) const;
  /// A direction and a place of the world, at the start, in the axes of a body from its centre of mass.
  Eigen::Vector3d direction_in(const Body& body, const Eigen::Vector3d& a) const;
  Eigen::Vector3d point_in(const Body& body, const Eigen::Vector3d& at) const;
  const Body& body(int index) const { return model_.bodies[static_cast<std::size_t>(index)]; }

  /// Where a joint holds its two bodies, as formulas of the motion: one place, or the two ends of a rod, or where a
  /// body touches and the centre of what rolls.
  std::pair<Vector3, Vector3> joint_ends(const Joint& joint) const;

 private:
  void hold(int body, const Vector3& at, const Joint* joint = nullptr, bool is_second = false);
  void find_holds();
  void find_size();
  double longest_gyration() const;

  const Model& model_;
  std::vector<double> values_;  ///< by symbol, at the start
  std::vector<std::vector<Hold>> holds_;
  double thin_ = 0, extent_ = 0;
  bool planar_ = true;
  Eigen::Vector3d up_;
};

}  // namespace taut
