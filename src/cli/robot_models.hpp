#pragma once

#include <string>
#include <vector>

/// Robots on which evaluations are timed, in the language of MuJoCo, which both sides read: no shapes, no contacts, no
/// limits, no motors.
namespace taut::cli {

struct RobotModel {
  std::string name, about;
  std::string mjcf;
  double most = 0;  ///< the share of MuJoCo's time that taut's is to stay below; 0: none is claimed
};

std::vector<RobotModel> robot_models();

}  // namespace taut::cli
