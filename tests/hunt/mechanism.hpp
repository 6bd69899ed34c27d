#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "hunt/case.hpp"
#include "hunt/tree.hpp"

/// Mechanisms of any joints, with loops, in coordinates of every body: constraints as rows on the bodies' twists, their
/// derivatives by dual numbers, accelerations from Gauss's principle, integrated in long double without any correction.
/// Nothing is cut and nothing is projected: at 1e-14 a second of motion drifts by less than what is compared.
namespace taut::hunt {

/// A body, as it is drawn.
struct Solid {
  double mass = 1;
  std::array<double, 6> inertia{1, 1, 1, 0, 0, 0};  ///< body axes; the last three as they stand in the matrix
  std::array<double, 3> place{};
  std::array<double, 4> turn{1, 0, 0, 0};
  bool planar = false;
};

struct Tie {
  std::string type;
  int first = -1, second = 0;  ///< -1: the ground
  std::array<double, 3> at{}, axis{0, 0, 1};
  std::array<double, 3> other{};  ///< the second body's axis; of a distance the second point
  int one = -1, two = -1;         ///< ties that a gear, or a rack and its pinion, connects
  double ratio = 1;               ///< of a gear; the radius of a pinion, of what rolls; the pitch of a screw
  double armature = 0, stiffness = 0, damping = 0, rest = 0;
  std::optional<double> lower, upper;
  double stop_stiffness = 0, stop_width = 1, stop_damping = 0;
  /// position: size (1 − cos(w t)); velocity and torque: size·sin(w t)
  enum class Motor { none, position, velocity, torque } motor = Motor::none;
  double size = 0, w = 0;
  /// Where it starts, away from the drawing, and how fast: angle and travel.
  std::optional<std::array<double, 2>> led, rates;
  std::string words;     ///< more that the model says of it
  bool formula = false;  ///< do formulas of one's own say what it does, as far as they can?

  bool turns() const { return type == "revolute" || type == "cylindrical" || type == "screw"; }
  bool slides() const { return type == "prismatic" || type == "cylindrical" || type == "point-on-line"; }
  /// On a plane of the first body, whose normal is `axis`.
  bool rolls() const { return type == "rolling-ball" || type == "rolling-disk" || type == "knife-edge"; }
  /// By a row of its own.
  bool is_driven() const { return motor == Motor::position || motor == Motor::velocity; }
  /// By forces along its coordinate.
  bool acts() const { return motor == Motor::torque || armature > 0 || stiffness > 0 || damping > 0 || lower || upper; }
  bool has_coordinate() const { return type != "cylindrical" && (turns() || slides()); }
};

/// A smooth stop at a depth (docs/joints.md).
inline Real stop_force(const Tie& tie, Real depth) {
  if (depth <= 0) return 0;
  return tie.stop_stiffness *
         (depth <= tie.stop_width ? depth * depth / (2 * Real(tie.stop_width)) : depth - Real(tie.stop_width) / 2);
}
inline Real stop_hold(const Tie& tie, Real depth) {
  const Real s = std::clamp<Real>(depth / tie.stop_width, 0, 1);
  return s * s * (3 - 2 * s);
}

struct Pull {
  std::string type;  ///< spring, bushing, force, torque
  int first = -1, second = 0;
  std::array<double, 3> at{}, to{};  ///< of a spring both ends; of a force where it acts
  std::array<double, 3> value{};     ///< of a force or a torque, times cos(w t)
  bool in_body = false;              ///< are these in the body's axes?
  std::array<double, 3> stiffness{}, damping{}, torsion{}, torsion_damping{};  ///< of a spring the first alone
  double length = 0, w = 0;
  bool formula = false;
};

struct Mechanism {
  std::vector<Solid> solids;
  std::vector<Tie> ties;
  std::vector<Pull> pulls;
  std::array<double, 3> gravity{};
  std::vector<double> motion;  ///< six speeds a body, from which those at the start are the nearest that ties allow
  std::vector<int> order;      ///< in which bodies stand in the model
  double size = 1;             ///< of its lengths
  bool redundant = false;      ///< may ties say the same twice?
  bool led = false;            ///< do joints say how it starts, and not its bodies?
  int least_freedoms = 1;      ///< fewer are drawn again

  /// The model and what it ends with. Throws std::runtime_error where the motion is near a singular position.
  void complete(Case& out, double until) const;
};

std::vector<Family> mechanism_families();

}  // namespace taut::hunt
