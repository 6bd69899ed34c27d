#pragma once

#include <vector>

#include "model/tree/link.hpp"

namespace taut {

/// How links stand and move, in world axes: each from the one before.
struct WorldMotion {
  struct State {
    Rotation axes;
    Vector3 origin;
    Quaternion turned;  ///< from where the link was drawn
    Vector3 velocity, omega;
    Vector3 bias, bias_alpha;     ///< accelerations where those of the joints are zero
    Vector3 acceleration, alpha;  ///< accelerations
  };
  std::vector<State> links;
};

WorldMotion world_motion(const std::vector<Link>& links);

}  // namespace taut
