#include <fmt/format.h>

#include <algorithm>

#include "model/reader.hpp"

/// The centre of mass of all bodies under the names com.x, com.y, com.z and com.vx, com.vy, com.vz.
namespace taut {
namespace {

/// Σ m a / Σ m over the bodies whose names begin so.
Expression weighted(const Model& model, const std::string& prefix, Vector3 Body::*of, int k) {
  Expression sum = 0, mass = 0;
  for (const Body& body : model.bodies) {
    if (!body.name.starts_with(prefix)) continue;
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
  if (model_.bodies.empty()) return;
  name_center_of_mass(nullptr);
  for (const Instance& part : instances_) name_center_of_mass(&part);
}

void Reader::name_center_of_mass(const Instance* part) {
  const std::string prefix = part == nullptr ? "" : part->prefix;
  const std::string com = prefix + "com";
  const auto belongs = [&](const Body& body) { return body.name.starts_with(prefix); };
  if (model_.names.contains(com) || std::ranges::none_of(model_.bodies, belongs)) return;
  const char* const axes[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    scope_.add_derivable(fmt::format("{}.{}", com, axes[k]),
                         [this, prefix, k] { return weighted(model_, prefix, &Body::position, k); });
    scope_.add_derivable(fmt::format("{}.v{}", com, axes[k]),
                         [this, prefix, k] { return weighted(model_, prefix, &Body::velocity, k); });
  }
}

}  // namespace taut
