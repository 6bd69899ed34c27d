#include "model/import/elements.hpp"

namespace taut::robot {

const FormatRows& urdf_rows() {
  using enum Treatment;
  static const FormatRows rows{
      "URDF",
      {
          {"robot", "link", simulated, "name", "type", "",
           "a body; without mass, part of what it is fixed to, or a body that only carries others"},
          {"robot", "joint", simulated, "name type", "", "",
           "revolute, continuous, prismatic, planar, floating, fixed"},
          {"robot visual", "material", simulated, "name", "", "", "its colour is drawn"},
          {"material", "color", simulated, "rgba", "", "", ""},
          {"material", "texture", passed, "", "*", "", "it is only looked at"},
          {"robot", "transmission", simulated, "name", "*", "",
           "of one joint: a torque, its reduction times the parameter `JOINT_ctrl`"},
          {"robot link joint", "gazebo", passed, "", "*", "", "other programs read it"},
          {"robot", "sensor", passed, "", "*", "", "it measures and does not act"},
          {"link", "inertial", simulated, "", "", "", ""},
          {"link", "visual", simulated, "name", "", "", "drawn"},
          {"link", "collision collision_checking", passed, "", "*", "", "nothing collides here"},
          {"inertial visual joint", "origin", simulated, "xyz rpy", "", "", ""},
          {"inertial", "mass", simulated, "value", "", "", ""},
          {"inertial", "inertia", simulated, "ixx iyy izz ixy ixz iyz", "", "", ""},
          {"visual", "geometry", simulated, "", "", "", "one of size 0 is not drawn"},
          {"geometry", "box", simulated, "size", "", "", ""},
          {"geometry", "cylinder capsule", simulated, "radius length", "", "", ""},
          {"geometry", "sphere", simulated, "radius", "", "", ""},
          {"geometry", "mesh", simulated, "filename scale", "", "", "OBJ and STL; a box where it is not there"},
          {"joint", "parent child", simulated, "link", "", "", ""},
          {"joint", "axis", simulated, "xyz", "", "", ""},
          {"joint", "dynamics", simulated, "damping friction", "rotor_inertia spring_stiffness spring_reference", "",
           "damping, and dry friction of constant size; passed over at joints that do not move"},
          {"joint", "mimic", simulated, "joint multiplier offset", "", "",
           "a gear; with an offset the start is assembled; passed over at joints that do not move"},
          {"joint", "limit", simulated, "lower upper", "*", "", "left out; `--stops` makes stops of it"},
          {"joint", "safety_controller calibration", passed, "", "*", "", "it belongs to a controller"},
      },
      true};
  return rows;
}

}  // namespace taut::robot
