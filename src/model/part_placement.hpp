#pragma once

#include <optional>

#include "model/value.hpp"
#include "taut/mechanism.hpp"

/// Where parts stand. `at:` and `orientation:` of a part move what its file gives by places and directions: bodies,
/// joints, force elements, and what is drawn on the ground. Formulas see the world.
namespace taut {

/// Where a part stands by what it says itself and by the part around it; none where nothing moves it.
std::optional<Placement> read_placement(const std::optional<Value>& at, const std::optional<Value>& turned,
                                        const Part& around);
/// A point of a part, in the world.
Vector3 placed(const Vector3& point, const Part& part);
/// A point of the world, as the file of a part would give it.
Vector3 unplaced(const Vector3& point, const Part& part);
void place_body(BodyDescription& body, const Part& part);
void place_joint(JointDescription& joint, const Part& part);
void place_force(ForceDescription& force, const Part& part);
void place_on_ground(Solid& solid, const Part& part);

}  // namespace taut
