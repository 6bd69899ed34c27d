#pragma once

#include <string>
#include <vector>

#include "model/import/ties.hpp"

namespace taut::robot {

/// Two frames that are to be in one place.
struct OpenLoop {
  std::string name;
  Place place = {};
  Frame a, b;             ///< as drawn
  bool is_point = false;  ///< only their origins are
};

/// q of joint `second` = ratio * q of joint `first` + offset.
struct OpenCoupling {
  int first = 0, second = 0;
  double ratio = 1, offset = 0;
};

/// The travels and angles of the tree's joints with which all loops are closed, indexed like the robot's joints: those
/// of the zero configuration where these do, else the first that Newton's method finds, damped, from there and from
/// places ever farther around it. Throws InputError, with what stays open, where none is found.
std::vector<double> closing_positions(const Robot& robot, const std::vector<OpenLoop>& loops,
                                      const std::vector<OpenCoupling>& couplings);

/// The same, where frames need not all coincide: of loops for which no closure is found so, as few as possible, in
/// their order, keep only their origins together, and `is_point` says which. (Files of parallel robots are often
/// written by a program that calls every loop 6d, balls among them.)
std::vector<double> relaxed_positions(const Robot& robot, std::vector<OpenLoop>& loops,
                                      const std::vector<OpenCoupling>& couplings);

/// How links move out of the places in which they are drawn where the tree's joints go to these travels and angles.
std::vector<Eigen::Isometry3d> moves_of_links(const Robot& robot, const std::vector<double>& to);

/// Leads the robot's joints to these travels and angles: links, joints and shapes are then drawn there, and coordinates
/// count from there. Frames of the loops go along.
void lead_joints(Robot& robot, const std::vector<double>& to, std::vector<OpenLoop>& loops);

}  // namespace taut::robot
