#pragma once

#include <string>

#include "model/import/findings.hpp"
#include "model/import/names.hpp"
#include "model/import/robot.hpp"

namespace taut::robot {

/// A frame on a link.
struct Frame {
  int link = 0;
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();  ///< in the world, in the zero configuration
};

/// The link whose body another one belongs to.
const Link& carrier(const Robot& robot, int link);
/// The link with a driver that this one is fixed to, -1 if there is none.
int driven_with(const Robot& robot, int link);
/// A point of the world that a link carries along, as formulas write it.
std::string point_formula(const Robot& robot, int link, const Eigen::Vector3d& in_world);
/// "a + b", where either may be missing.
std::string sum_of(const std::string& a, const std::string& b);
/// A factor in front of a formula, without one that is 1.
std::string times(double factor, const std::string& formula);
/// A number as a formula may hold it: in parentheses where it is negative.
std::string text_of(double value);

/// Ties frames on two links to each other: by a joint where they are in one place in the zero configuration, and by
/// constraints, with an assembly of the start, where they are not. The robot's names have been taken.
class Ties {
 public:
  Ties(Robot& robot, ModelNames& names, Findings& findings) : robot_(robot), names_(names), findings_(findings) {}

  /// The origins stay together.
  void connect(const std::string& name, const Place& place, const Frame& a, const Frame& b);
  /// The frames stay together.
  void weld(const std::string& name, const Place& place, const Frame& a, const Frame& b);
  /// left = right, in formulas.
  void constrain(const std::string& name, const Place& place, const std::string& equation);
  /// The start does not satisfy a constraint.
  void assemble(const std::string& why);

 private:
  bool is_driven(const Frame& a, const Frame& b) const;
  void expect_two_bodies(const std::string& name, const Place& place, const Frame& a, const Frame& b) const;
  void add_joint(const std::string& name, const Place& place, JointKind kind, const Frame& a, const Frame& b);
  void add_point(const std::string& name, const Place& place, const Frame& a, const Frame& b);
  void add_orientation(const std::string& name, const Place& place, const Frame& a, const Frame& b);

  Robot& robot_;
  ModelNames& names_;
  Findings& findings_;
};

}  // namespace taut::robot
