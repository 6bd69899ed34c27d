#include "model/forces/force.hpp"

namespace taut {

/// A force at a material point of the second body; what it pushes off from feels it at the same place.
void build_force(ForceBuilder& force) {
  const Vector3 acting = force.acting();
  const Vector3 point = force.given.at ? force.second.carried(*force.given.at) : force.second.position;
  force.load(force.second.velocity_at(point) - force.first.velocity_at(point), acting);
  force.acts_at({point});
  force.name("f", acting);
  if (force.given.axis) force.name("value", force.given.value[0]);
}

}  // namespace taut
