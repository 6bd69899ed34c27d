#include "model/import/elements.hpp"

/// MJCF up to MuJoCo 3.3.
namespace taut::robot {
namespace {

constexpr const char* looks = "it is only looked at";
constexpr const char* contacts = "nothing collides here";
constexpr const char* measures = "it measures and does not act";
constexpr const char* actuators = "general motor position velocity intvelocity damper cylinder";
constexpr const char* actuator_attributes =
    "name class joint jointinparent tendon site refsite body slidersite cranksite cranklength gear ctrllimited "
    "ctrlrange "
    "forcelimited forcerange kp kv dampratio timeconst inheritrange area diameter bias dyntype gaintype biastype "
    "dynprm "
    "gainprm biasprm actdim actlimited actrange group";
constexpr const char* actuator_passed = "user lengthrange actearly nsample interp delay";
constexpr const char* geom_attributes =
    "name class type pos quat axisangle euler xyaxes zaxis size fromto mass density mesh rgba material shellinertia "
    "group fitscale hfield fluidshape";
constexpr const char* geom_passed =
    "user contype condim friction conaffinity priority solmix solref solimp margin gap fluidcoef gradient";
constexpr const char* tendon_attributes =
    "name class stiffness damping springlength frictionloss armature actuatorfrclimited actuatorfrcrange";
constexpr const char* tendon_passed =
    "group user limited range margin solreflimit solimplimit solreffriction solimpfriction width material rgba";
constexpr const char* joint_attributes =
    "name class type pos axis damping stiffness springref ref armature frictionloss range actuatorgravcomp "
    "springdamper limited actuatorfrcrange actuatorfrclimited";
constexpr const char* joint_passed = "margin group user align solreflimit solimplimit solreffriction solimpfriction";

}  // namespace

const FormatRows& mjcf_rows() {
  using enum Treatment;
  static const FormatRows rows{
      "MJCF",
      {
          {"mujoco", "compiler", simulated,
           "angle eulerseq inertiafromgeom meshdir assetdir balanceinertia settotalmass boundmass boundinertia "
           "exactmeshinertia coordinate inertiagrouprange strippath autolimits fitaabb",
           "texturedir discardvisual usethread fusestatic convexhull alignfree saveinertial", "", ""},
          {"compiler", "lengthrange", passed, "", "*", "", "it sets muscles up"},
          {"mujoco", "option", simulated, "gravity density viscosity wind actuatorgroupdisable",
           "timestep apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance mpr_tolerance "
           "sleep_tolerance "
           "o_margin o_solref o_solimp o_friction integrator collision cone jacobian solver iterations ls_iterations "
           "noslip_iterations ccd_iterations mpr_iterations sdf_iterations sdf_initpoints "
           "magnetic",
           "", "air or water acts on boxes with the inertia of the bodies; how to solve is said under `simulate:`"},
          {"option", "flag", simulated,
           "gravity actuation passive spring damper equality constraint frictionloss clampctrl", "*", "",
           "what a flag switches off is left out"},
          {"mujoco", "size visual statistic custom extension", passed, "", "*", "", "it says how to show or to store"},
          {"mujoco", "contact", passed, "", "*", "", contacts},
          {"mujoco", "sensor", passed, "", "*", "", measures},
          {"mujoco", "keyframe", simulated, "", "", "", ""},
          {"keyframe", "key", simulated, "name qpos qvel ctrl act mpos mquat", "time", "",
           "a start, for `--start NAME`"},
          {"mujoco", "deformable", refused, "", "", "flexible", "nothing is soft here"},
          {"mujoco", "asset worldbody equality tendon actuator", simulated, "", "name", "", ""},
          {"mujoco default", "default", simulated, "class", "", "", "classes in one another"},
          {"mujoco body worldbody", "include", simulated, "file", "", "", "its content stands in its place"},
          {"asset", "mesh", simulated, "name class file vertex face refpos refquat scale inertia",
           "content_type smoothnormal maxhullvert normal texcoord builtin params material", "", "OBJ and STL"},
          {"asset", "material", simulated, "name class rgba",
           "texture texrepeat texuniform emission specular shininess reflectance metallic roughness", "",
           "its colour is drawn"},
          {"asset", "texture hfield skin", passed, "", "*", "", looks},
          {"asset", "model", simulated, "name file content_type", "", "", ""},
          {"worldbody body frame replicate", "body", simulated,
           "name pos quat axisangle euler xyaxes zaxis childclass gravcomp mocap", "user sleep", "",
           "one without mass belongs to what it is fixed to; mocap bodies stand where parameters put them"},
          {"worldbody body frame replicate", "frame", simulated,
           "name pos quat axisangle euler xyaxes zaxis childclass", "", "", ""},
          {"worldbody body frame replicate", "replicate", simulated, "count sep offset euler childclass", "", "", ""},
          {"worldbody body frame replicate", "attach", simulated, "model body prefix", "", "",
           "a body of another file, with what belongs to it"},
          {"worldbody body frame replicate default", "geom", simulated, geom_attributes, geom_passed, "",
           "mass where there is no `inertial`; drawn; nothing collides"},
          {"worldbody body frame replicate default", "site", simulated,
           "name class pos quat axisangle euler xyaxes zaxis "
           "fromto",
           "type group material size rgba user", "", "for tendons, actuators and `connect`"},
          {"worldbody body frame replicate default", "camera light", passed, "", "*", "", looks},
          {"worldbody body frame replicate", "composite flexcomp", refused, "", "", "flexible", "nothing is soft here"},
          {"worldbody body frame replicate geom", "plugin", refused, "", "", "plugins",
           "it is a program of another simulator"},
          {"body frame default", "joint", simulated, joint_attributes, joint_passed, "",
           "hinge, slide, ball, free; several in one body act one after the other; `--stops` makes stops of ranges"},
          {"body frame", "freejoint", simulated, "name", "group align", "", ""},
          {"body", "inertial", simulated, "pos mass diaginertia fullinertia quat axisangle euler xyaxes zaxis", "", "",
           ""},
          {"default", "mesh", simulated, "scale inertia", "maxhullvert", "", ""},
          {"default", "material", simulated, "rgba", "*", "", ""},
          {"default", "pair", passed, "", "*", "", contacts},
          {"default", "equality", simulated, "active", "solref solimp", "", "constraints hold exactly"},
          {"default", "tendon", simulated, tendon_attributes, tendon_passed, "", ""},
          {"equality", "connect", simulated, "name class active body1 body2 anchor site1 site2", "solref solimp", "",
           "holds exactly"},
          {"equality", "weld", simulated, "name class active body1 body2 relpose anchor site1 site2",
           "solref solimp torquescale", "", "holds exactly"},
          {"equality", "joint", simulated, "name class active joint1 joint2 polycoef", "solref solimp", "",
           "holds exactly; a straight line is a gear, any other polynomial a constraint"},
          {"equality", "tendon", simulated, "name class active tendon1 tendon2 polycoef", "solref solimp", "",
           "holds exactly"},
          {"equality", "flex flexvert flexstrain distance", refused, "", "", "equality", "there is no such constraint"},
          {"tendon", "fixed spatial", simulated, tendon_attributes, tendon_passed, "",
           "a spatial one through sites and pulleys; what wraps around geoms is refused where it acts"},
          {"fixed", "joint", simulated, "joint coef", "", "", ""},
          {"spatial", "site", simulated, "site", "", "", ""},
          {"spatial", "geom", simulated, "geom", "sidesite", "", "refused where the tendon acts"},
          {"spatial", "pulley", simulated, "divisor", "", "", ""},
          {"actuator default", actuators, simulated, actuator_attributes, actuator_passed, "",
           "driven by the parameter `NAME_ctrl`; through a joint, a tendon or a site"},
          {"actuator default", "muscle", refused, "", "*", "actuators", "there are no muscles"},
          {"actuator default", "adhesion", passed, "", "*", "", contacts},
          {"actuator", "plugin", refused, "", "*", "plugins", "it is a program of another simulator"},
      },
      false};
  return rows;
}

}  // namespace taut::robot
