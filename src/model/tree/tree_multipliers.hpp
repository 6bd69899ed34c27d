#pragma once

#include <string>
#include <vector>

#include "model/tree/link.hpp"
#include "taut/model.hpp"

namespace taut {

/// The multipliers that constraints of a joint would have, by the names that the joint gives them (x, across1, tilt1
/// …), if they held what its bearing bears: each pulls at the second body along its own gradient, and these are square
/// to one another where the joint is together. `model` has the bodies, `drawn` where the joint stands in the world.
std::vector<Expression> multipliers_of(const Model& model, const Joint& joint, const DrawnJoint& drawn,
                                       const std::vector<std::string>& rows, const Reaction& bearing,
                                       const ValueNow& now);

}  // namespace taut
