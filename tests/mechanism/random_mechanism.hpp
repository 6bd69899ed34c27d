#pragma once

#include <Eigen/Geometry>
#include <random>
#include <string>
#include <vector>

#include "taut/model.hpp"
#include "taut/simulation.hpp"

/// Mechanisms drawn at random, as numbers, so that they can be moved, turned and listed in another order
/// before a model is made of them.
namespace taut::testing {

struct RandomBody {
  std::string name;
  double mass;
  Eigen::Vector3d moments;  ///< about the body's own axes
  Eigen::Vector3d position, velocity, angular_velocity;
  Eigen::Quaterniond orientation;
};

struct RandomJoint {
  std::string name, type, first, second;
  std::vector<std::string> joints;  ///< that a gear or a rack and pinion connects
  Eigen::Vector3d at, axis, other_axis, other_point;
};

struct RandomMechanism {
  Eigen::Vector3d gravity{0, 0, 0};
  std::vector<RandomBody> bodies;
  std::vector<RandomJoint> joints;

  /// The same one at another place, turned; bodies and joints in reverse order where that is possible.
  RandomMechanism moved(const Eigen::Quaterniond& turn, const Eigen::Vector3d& shift) const;
  void reverse_order();
  Model model() const;
};

/// Kinds of joints that stand between two bodies.
const std::vector<std::string>& kinds_between_bodies();

/// A tree of `bodies` bodies, each hung on one before it (the first on the ground, unless it floats), by
/// joints that begin with number `seed` of the list and go through it; then `loops` joints that close it.
RandomMechanism random_mechanism(unsigned seed, int bodies, int loops, bool floating);

/// Linear momentum, angular momentum about the origin, and kinetic energy, from a summary's last state.
struct Momentum {
  Eigen::Vector3d linear{0, 0, 0}, angular{0, 0, 0};
  double kinetic = 0;
  double lifted = 0;  ///< size of the potential energies
  double size = 0;    ///< of the terms that were added up to the angular momentum
};
Momentum momentum_of(const RandomMechanism& mechanism, const Summary& summary);

}  // namespace taut::testing
