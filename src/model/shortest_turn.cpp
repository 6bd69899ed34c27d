#include "model/shortest_turn.hpp"

#include <Eigen/SVD>

namespace taut {

Eigen::Quaterniond shortest_turn_of_z(const Eigen::Vector3d& to) {
  return Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), to);
}

}  // namespace taut
