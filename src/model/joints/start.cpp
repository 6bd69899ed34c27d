#include <fmt/format.h>

#include <memory>

#include "taut/model.hpp"

namespace taut {

void start_joint(Model& model, int index, const JointStart& start, const Place& place) {
  Joint& joint = model.joints[index];
  const auto refuse = [&](const char* what, const char* remedy) {
    throw InputError(place, fmt::format("joint '{}', of type {}, has no {} to start at", joint.name, joint.type, what),
                     remedy);
  };
  if (start.angle.is_given() && !joint.angle_rate)
    refuse("angle", joint.travel_rate ? "give 'travel'" : "revolute, cylindrical and screw joints have one");
  if (start.travel.is_given() && !joint.travel_rate)
    refuse("travel of its own", joint.angle_rate ? "give 'angle'" : "prismatic and cylindrical joints have one");
  joint.start = std::make_shared<const JointStart>(start);
}

}  // namespace taut
