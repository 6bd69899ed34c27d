#include "model/joints/joint.hpp"

/// The one list of joints: a joint is a file of its own, and here its declaration and its row.
namespace taut {

void build_revolute(JointBuilder& joint);
void build_prismatic(JointBuilder& joint);
void build_cylindrical(JointBuilder& joint);
void build_spherical(JointBuilder& joint);
void build_universal(JointBuilder& joint);
void build_planar(JointBuilder& joint);
void build_fixed(JointBuilder& joint);
void build_distance(JointBuilder& joint);
void build_point_on_line(JointBuilder& joint);
void build_point_on_plane(JointBuilder& joint);
void build_screw(JointBuilder& joint);
void build_gear(JointBuilder& joint);
void build_rack_pinion(JointBuilder& joint);
void build_parallel(JointBuilder& joint);
void build_perpendicular(JointBuilder& joint);
void build_constant_velocity(JointBuilder& joint);
void build_rolling_disk(JointBuilder& joint);
void build_rolling_ball(JointBuilder& joint);
void build_knife_edge(JointBuilder& joint);

const std::vector<JointKind>& joint_kinds() {
  using enum JointFreedom::Kind;
  using Along = JointFreedom::Along;
  static const std::vector<JointKind> kinds{
      {{"revolute", "a hinge: turns about an axis", {"bodies", "at", "axis"}, {}},
       build_revolute,
       JointFreedoms{{turn, "angle"}}},
      {{"prismatic", "a slider: moves along an axis without turning", {"bodies", "at", "axis"}, {}},
       build_prismatic,
       JointFreedoms{{travel, "travel"}}},
      {{"cylindrical", "a shaft in a sleeve: moves along an axis and turns about it", {"bodies", "at", "axis"}, {}},
       build_cylindrical,
       JointFreedoms{{travel, "travel"}, {turn, "angle"}}},
      {{"spherical", "a ball in a socket: turns about a point", {"bodies", "at"}, {}},
       build_spherical,
       JointFreedoms{{ball, "angle"}}},
      {{"universal", "a Cardan joint: a cross between two forks", {"bodies", "at", "axes"}, {}},
       build_universal,
       JointFreedoms{{turn, "angle1"}, {turn, "angle2", Along::second_axis}}},
      {{"planar", "a foot on a table: slides and turns on a plane", {"bodies", "at", "normal"}, {}},
       build_planar,
       JointFreedoms{{travel, "x", Along::across1}, {travel, "y", Along::across2}, {turn, "angle"}}},
      {{"fixed", "a weld: the bodies move as one", {"bodies"}, {"at"}}, build_fixed, JointFreedoms{}},
      {{"distance", "a rod without mass between two points", {"bodies", "points"}, {"length"}}, build_distance},
      {{"point-on-line", "a bead on a wire: a point stays on a line", {"bodies", "at", "axis"}, {}},
       build_point_on_line},
      {{"point-on-plane", "a tip on a table: a point stays on a plane", {"bodies", "at", "normal"}, {}},
       build_point_on_plane},
      {{"screw", "a nut on a thread: travels by the pitch with each turn", {"bodies", "at", "axis", "pitch"}, {}},
       build_screw,
       JointFreedoms{{turn, "angle", Along::axis, true}}},
      {{"gear", "two joints in a fixed ratio", {"joints", "ratio"}, {"offset"}}, build_gear},
      {{"rack-pinion", "a joint that turns drives one that slides", {"joints", "radius"}, {"offset"}},
       build_rack_pinion},
      {{"parallel", "a direction in common", {"bodies", "axis"}, {}}, build_parallel},
      {{"perpendicular", "two directions that stay square to each other", {"bodies", "axes"}, {}}, build_perpendicular},
      {{"constant-velocity", "two shafts that turn alike however they are bent", {"bodies", "at"}, {"axis", "axes"}},
       build_constant_velocity},
      {{"rolling-disk",
        "a wheel: a disk that rolls on a plane without slipping",
        {"bodies", "radius", "axis", "plane"},
        {"at"}},
       build_rolling_disk},
      {{"rolling-ball",
        "a ball that rolls on a plane or inside a cylinder without slipping",
        {"bodies", "radius"},
        {"at", "plane", "cylinder"}},
       build_rolling_ball},
      {{"knife-edge", "a blade: moves along its edge, not sideways", {"bodies", "axis"}, {"at", "plane"}},
       build_knife_edge},
  };
  return kinds;
}

const JointFreedoms* tree_freedoms(const std::string& type) {
  for (const JointKind& kind : joint_kinds())
    if (kind.type.name == type) return kind.freedoms ? &*kind.freedoms : nullptr;
  return nullptr;
}

bool keeps_to_plane(const JointFreedoms& freedoms) {
  return freedoms.empty() || (freedoms.size() == 1 && !freedoms.front().leads);
}

}  // namespace taut
