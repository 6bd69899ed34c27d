#include <fmt/format.h>

#include <cmath>

#include "model/bodies/present.hpp"
#include "taut/model.hpp"

/// A rotor behind gears turns many times as fast as the joint and hardly with the body that carries it. Of its motion
/// the part along the joint counts, as robot programs have it: with s the joint's rate and J the rotor's inertia times
/// the square of the gear's ratio,
///   T = ½ J s²,   and −J ṡ on the second body along the joint, J ṡ on the first.
namespace taut {
namespace {

/// The joint's rate; of a ball three, about the axes of the first body. That of planar bodies turns about z.
std::vector<Expression> rates_of(const Model& model, int index) {
  const Joint& joint = model.joints[index];
  if (joint.has_coordinate()) return {joint_rate(model, index)};
  const Body &first = model.bodies[joint.first], &second = model.bodies[joint.second];
  if (joint.type != "spherical") return {};
  if (first.planar && second.planar) return {second.omega.z - first.omega.z};
  const Vector3 omega = second.omega - first.omega;
  std::vector<Expression> rates;
  for (const Vector3& axis : first.axes.columns) rates.push_back(dot(axis, omega));
  return rates;
}

}  // namespace

void add_armature(Model& model, int index, const Expression& inertia, const Place& place) {
  Joint& joint = model.joints[index];
  const std::vector<Expression> rates = rates_of(model, index);
  if (rates.empty())
    throw InputError(
        place, fmt::format("the {} joint '{}' has no single rate that a rotor could follow", joint.type, joint.name),
        "joints that only turn or only slide, and spherical ones, may have an armature");
  const double value = value_now(model, inertia);
  if (!(value >= 0) || !std::isfinite(value))
    throw InputError(place, fmt::format("the armature of joint '{}' is {:g}", joint.name, value),
                     "give the rotor's inertia times the square of the gear's ratio, zero or more");
  if (joint.armature)
    throw InputError(place, fmt::format("joint '{}' has an armature already", joint.name), "give it once");
  joint.armature = inertia;
  if (inertia.is_zero()) return;
  for (const Expression& rate : rates) model.rotors.push_back({index, inertia, rate, inertia / 2 * rate * rate});
}

}  // namespace taut
