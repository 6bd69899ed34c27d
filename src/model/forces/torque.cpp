#include "model/forces/force.hpp"

namespace taut {

/// A torque works on the angular velocity, wherever it acts.
void build_torque(ForceBuilder& force) {
  const Vector3 acting = force.acting();
  force.load(force.second.omega - force.first.omega, acting);
  force.acts_at({force.second.position});
  force.name("t", acting);
  if (force.given.axis) force.name("value", force.given.value[0]);
}

}  // namespace taut
