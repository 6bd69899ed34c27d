#include "model/import/elements.hpp"

namespace taut::robot {

const FormatRows& sdf_rows() {
  using enum Treatment;
  static const FormatRows rows{
      "SDF",
      {
          {"sdf", "world", simulated, "name", "", "", "its models and its gravity"},
          {"sdf world model", "model", simulated, "name canonical_link placement_frame", "", "", "nested to any depth"},
          {"sdf world model", "include", simulated, "placement_frame merge", "", "", "its model stands in its place"},
          {"include", "uri name pose static placement_frame", simulated, "relative_to frame", "*", "", ""},
          {"world", "gravity", simulated, "", "", "", ""},
          {"world",
           "light physics scene gui atmosphere wind magnetic_field spherical_coordinates audio road actor state "
           "population "
           "plugin",
           passed, "", "*", "", "other programs read it"},
          {"sdf", "light actor", passed, "", "*", "", "it is only looked at"},
          {"model", "static", simulated, "", "", "", ""},
          {"model", "self_collide allow_auto_disable enable_wind plugin gripper", passed, "", "*", "",
           "other programs read it"},
          {"model world", "frame", simulated, "name attached_to", "", "", ""},
          {"model link joint frame inertial visual include", "pose", simulated,
           "relative_to frame rotation_format degrees", "", "", "position, then roll, pitch and yaw, or a quaternion"},
          {"model", "link", simulated, "name", "", "", ""},
          {"link", "gravity", simulated, "", "", "", ""},
          {"link", "inertial", simulated, "auto", "", "", "`auto` is refused: write it out"},
          {"link", "visual", simulated, "name", "", "", "drawn"},
          {"link", "collision", passed, "", "*", "", "nothing collides here"},
          {"link",
           "sensor self_collide kinematic enable_wind must_be_base_link projector audio_source "
           "audio_sink "
           "battery light particle_emitter plugin",
           passed, "", "*", "", "it has no effect here"},
          {"link", "velocity_decay", simulated, "", "", "", "refused where it is not 0, or `--ignore damping`"},
          {"velocity_decay", "linear angular", simulated, "", "", "", ""},
          {"inertial", "mass inertia density", simulated, "", "", "", ""},
          {"inertial", "fluid_added_mass", refused, "", "", "fluid", "there is no water"},
          {"inertia", "ixx iyy izz ixy ixz iyz", simulated, "", "", "", ""},
          {"visual", "geometry material", simulated, "", "*", "", ""},
          {"visual", "cast_shadows laser_retro transparency visibility_flags meta plugin", passed, "", "*", "",
           "it is only looked at"},
          {"geometry", "box cylinder sphere capsule ellipsoid mesh", simulated, "", "", "", ""},
          {"geometry", "plane heightmap image polyline empty cone", passed, "", "*", "", "it is not drawn"},
          {"model", "joint", simulated, "name type", "", "",
           "revolute, continuous, prismatic, ball, universal, revolute2, screw, gearbox, fixed; one whose child has a "
           "parent "
           "already closes a loop"},
          {"world", "joint", simulated, "name type", "", "", ""},
          {"joint", "parent child axis axis2 thread_pitch screw_thread_pitch gearbox_ratio gearbox_reference_body",
           simulated, "", "", "", ""},
          {"joint", "physics sensor", passed, "", "*", "", "other programs read it"},
          {"axis axis2", "xyz", simulated, "expressed_in", "", "", ""},
          {"axis axis2", "use_parent_model_frame dynamics", simulated, "", "", "", ""},
          {"axis axis2", "mimic", simulated, "joint axis", "", "", "a gear"},
          {"mimic", "multiplier offset reference", simulated, "", "", "", ""},
          {"axis axis2", "limit", simulated, "", "", "", "left out; `--stops` makes stops of it"},
          {"limit", "lower upper", simulated, "", "", "", ""},
          {"limit", "effort velocity stiffness dissipation", passed, "", "*", "", "other programs read it"},
          {"axis axis2", "initial_position", simulated, "", "", "", "where the joint starts"},
          {"dynamics", "damping friction spring_reference spring_stiffness", simulated, "", "", "", ""},
      },
      true};
  return rows;
}

}  // namespace taut::robot
