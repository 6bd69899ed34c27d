#include <fmt/format.h>

#include "model/reader.hpp"

/// The centre of mass of all bodies under the names com.x, com.y, com.z and com.vx, com.vy, com.vz.
namespace taut {
namespace {

/// Σ m a / Σ m.
Expression weighted(const Model& model, Vector3 Body::*of, int k) {
  Expression sum = 0, mass = 0;
  for (const Body& body : model.bodies) {
    sum += body.mass * (body.*of)[k];
    mass += body.mass;
  }
  if (mass.is_zero())
    throw InputError(model.bodies.back().place, "the centre of mass is asked for, but no body has a mass",
                     "give the bodies masses");
  return sum / mass;
}

}  // namespace

void Reader::name_center_of_mass() {
  if (model_.bodies.empty() || model_.names.contains("com")) return;
  const char* const axes[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    scope_.add_derivable(fmt::format("com.{}", axes[k]), [this, k] { return weighted(model_, &Body::position, k); });
    scope_.add_derivable(fmt::format("com.v{}", axes[k]), [this, k] { return weighted(model_, &Body::velocity, k); });
  }
}

}  // namespace taut
