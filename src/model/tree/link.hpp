#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "taut/space.hpp"

/// A tree of links. Each moves against the one before it by one motion: a turn about an axis, a travel along a line,
/// both together on a thread, or any turn about a point. A joint of several freedoms is several links, of which those
/// between have no mass. Link 0 is the ground.
///
/// A link has axes and an origin of its own, chosen so that formulas become short: where they stand, as the model is
/// drawn, they are those of the link before, unless the link turns about an axis that is none of these.
namespace taut {

struct Link {
  enum class Motion { none, turn, travel, thread, ball };

  int parent = -1;
  Motion motion = Motion::none;

  // As the model is drawn, in world axes.
  Rotation drawn_axes;
  Vector3 drawn_origin;
  Vector3 drawn_direction;  ///< of its motion, of unit length
  Quaternion drawn_turn;    ///< what its coordinates, as drawn, turn it by

  // Against the link before, in the axes of that.
  Rotation R;         ///< its axes
  Vector3 r;          ///< its origin
  Vector3 direction;  ///< of its motion: axis of a turn, line of a travel
  /// R = fixed · a turn about one of the link's own axes.
  Rotation fixed;
  bool is_fixed_identity = true;
  int axis = 0;                     ///< which one
  double sign = 1;                  ///< the turn is by this times the coordinate
  Expression angle = 0;             ///< the coordinate of a turn
  Expression cosine = 1, sine = 0;  ///< of the turn
  Expression lead = 0;              ///< of a thread: travel along the axis by the unit of the angle
  Quaternion quaternion;            ///< of a ball: its turn, in the axes of the link before

  /// One for each freedom: three of a ball, the components of its angular velocity in the axes of the link before.
  std::vector<Expression> rates, accelerations;
  Expression armature = 0;  ///< of a rotor that turns with each of these rates
  int first_speed = -1;     ///< the first of these among the model's speeds

  // Of the bodies that it is made of, about its origin, in its axes.
  Expression mass = 0;
  Vector3 moment;                                                               ///< ∫ρ dm
  std::vector<Expression> inertia = std::vector<Expression>(6, Expression(0));  ///< xx, yy, zz, xy, xz, yz

  int freedoms() const { return static_cast<int>(rates.size()); }
  /// The axis of its turn in its own axes.
  Vector3 own_axis() const {
    Vector3 e;
    e[axis] = sign;
    return e;
  }
};

/// Numbers next to zero, compared to `size`, and next to ±1, compared to that, are taken for what they were meant to
/// be: formulas become shorter by every zero.
Expression snapped(const Expression& e, double size = 1);
Vector3 snapped(const Vector3& v, double size = 1);
Rotation snapped(const Rotation& rotation);
/// Aᵀ B.
Rotation between(const Rotation& a, const Rotation& b);
Rotation operator*(const Rotation& a, const Rotation& b);

/// What a formula of parameters comes to.
using ValueNow = std::function<double(const Expression&)>;
/// Two unit vectors that make a right-handed basis with a unit vector: those that joints are written in.
std::pair<Vector3, Vector3> square_to(const Vector3& axis, const ValueNow& now);

/// A line about which a link turns, as drawn.
struct TurningLine {
  Vector3 at, direction;
  double sense;
};
/// Adds a link that turns by `angle` about a line; it travels by `lead` times the angle as well.
int add_turn(std::vector<Link>& links, int parent, const TurningLine& line, const Expression& angle,
             const Expression& lead, const ValueNow& now);
/// … that travels by `way` along a direction.
int add_travel(std::vector<Link>& links, int parent, const Vector3& direction, double sense, const Expression& way);
/// … that does not move against the one before.
int add_weld(std::vector<Link>& links, int parent);
/// … that turns every way about a point: `quaternion` leads from the axes that it has as drawn, which are those of the
/// link before, to those it has.
int add_ball(std::vector<Link>& links, int parent, const Vector3& at, const Quaternion& quaternion);

}  // namespace taut
