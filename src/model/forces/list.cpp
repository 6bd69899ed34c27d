#include "model/forces/force.hpp"

/// The one list of force elements.
namespace taut {

const std::vector<ForceKind>& force_kinds() {
  static const std::vector<ForceKind> kinds{
      {{"force", "a force at a point of a body", {"value"}, {"body", "bodies", "at", "axis", "axes"}}, build_force},
      {{"torque", "a torque on a body", {"value"}, {"body", "bodies", "axis", "axes"}}, build_torque},
      {{"spring",
        "a spring and damper between points of two bodies",
        {"bodies", "points"},
        {"stiffness", "damping", "length", "value"}},
       build_spring},
      {{"torsion-spring",
        "a spring and damper on the angle or the travel of a joint",
        {"joint"},
        {"stiffness", "damping", "angle", "travel", "value"}},
       build_torsion_spring},
      {{"bushing",
        "an elastic bearing: springs and dampers along and about three axes",
        {"bodies", "at"},
        {"stiffness", "damping", "torsional_stiffness", "torsional_damping"}},
       build_bushing},
  };
  return kinds;
}

}  // namespace taut
