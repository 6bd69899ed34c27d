#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "taut/error.hpp"
#include "taut/expression.hpp"
#include "taut/space.hpp"

/// Mechanisms: bodies, the joints between them, and forces on them. Each is a word that writes formulas
/// into a Model; nothing downstream knows of bodies. Points and directions are given in world axes, in the
/// configuration in which the model starts.
namespace taut {

struct Model;

/// Is an initial value the user's word? One that is given is kept but for a few digits, unless assembling is asked for;
/// a fixed one is kept then, too.
enum class InitialClaim : unsigned char { none, given, fixed };

struct BodyDescription {
  std::string name;
  Expression mass = 0;
  std::vector<Expression> inertia;  ///< about the centre of mass in body axes: xx, yy, zz[, xy, xz, yz]
  Vector3 position;                 ///< of the centre of mass
  Quaternion orientation;
  std::optional<Expression> angle;     ///< about z, of a planar body: instead of the orientation, and of any size
  Vector3 velocity, angular_velocity;  ///< in world axes
  bool planar = false;                 ///< moves in the x-y plane
  Place place;
  InitialClaim position_claim = InitialClaim::none, orientation_claim = InitialClaim::none;
  InitialClaim velocity_claim = InitialClaim::none, angular_velocity_claim = InitialClaim::none;
};

/// A rigid body as formulas of the model's coordinates and speeds. The ground is one that does not move.
struct Body {
  std::string name;
  bool is_ground = false;
  bool planar = false;
  Expression mass = 0;
  std::vector<Expression> inertia;
  Vector3 position, velocity, acceleration;  ///< of the centre of mass
  Vector3 omega, alpha;                      ///< angular velocity and acceleration, in world axes
  Quaternion orientation;
  Rotation axes;     ///< the body's axes in the world
  Expression angle;  ///< of a planar body
  Expression initial_angle;
  Vector3 initial_position;
  Quaternion initial_orientation;
  Rotation initial_axes;
  Place place;

  /// Where the material point now is that is at `at` in body axes.
  Vector3 point(const Vector3& at) const { return position + axes * at; }
  /// The velocity of the material point that now is at `at` in the world.
  Vector3 velocity_at(const Vector3& at) const { return velocity + cross(omega, at - position); }
  /// Where the material point now is that stood at `at` in the world when the model started.
  Vector3 carried(const Vector3& at) const;
  /// What has become of a direction that the body had then.
  Vector3 turned(const Vector3& direction) const;
};

/// A plane that a body touches. Its normal points to the side where the body is.
struct Plane {
  Vector3 point, normal;
  std::optional<Vector3> velocity;  ///< of its material where the contact is, beyond that of the body it belongs to
};

/// A cylinder that a ball rolls in.
struct Cylinder {
  Vector3 point, axis;
  Expression radius;
};

struct JointDescription {
  std::string name;
  std::string type;
  std::string first = "ground", second;  ///< bodies
  std::optional<Vector3> at, axis, normal;
  std::vector<Vector3> axes, points;
  std::optional<Expression> length, radius, pitch, ratio, offset;
  std::vector<std::string> joints;  ///< that a gear or a rack and pinion connects
  std::optional<Plane> plane;
  std::optional<Cylinder> cylinder;
  std::optional<bool> cut;  ///< see Joint
  Place place;
};

/// Where a joint is drawn: in world axes, in the configuration in which the model starts.
struct DrawnJoint {
  Vector3 at;
  std::vector<Vector3>
      axes;  ///< of unit length: its axis or normal; of a universal joint the first body's, the second's
  Expression pitch = 0;
};

/// Where a joint is to start, counted from where it is drawn; what is not given follows from the other joints.
struct JointStart {
  struct Value {
    std::optional<Expression> position, rate;  ///< of parameters
    std::optional<Expression> near;            ///< of the ways of closing its loops, the one nearest to this is taken
    InitialClaim position_claim = InitialClaim::given, rate_claim = InitialClaim::given;
    bool is_given() const { return position || rate || near; }
  };
  Value angle, travel;
};

/// A joint as formulas.
struct Joint {
  std::string name, type;
  int first = 0, second = 0;      ///< indices of the bodies
  std::vector<std::size_t> rows;  ///< indices of its constraints
  Vector3 point;                  ///< where its reaction acts, as the second body carries it
  std::optional<Vector3> axis;    ///< as the first body carries it
  std::optional<Expression> travel, travel_rate;
  std::optional<Expression> angle, angle_rate;
  std::optional<Expression> cosine, sine;  ///< of the angle, where it has to be unwrapped
  std::vector<int> coupled;                ///< the joints that a gear or a rack and pinion connects
  bool has_motor = false;
  std::optional<std::size_t> motor;  ///< index of the motor's constraint, where it prescribes the motion
  std::optional<Expression> effort;  ///< of its motor, on the second body along the coordinate
  std::optional<Expression> stop;    ///< the effort of its limits, likewise
  std::optional<Expression> friction;
  std::optional<Expression> armature;       ///< inertia of its rate beside that of the bodies: see add_armature
  std::shared_ptr<const DrawnJoint> drawn;  ///< of those that can be a branch of a tree of joints
  std::shared_ptr<const JointStart> start;  ///< null: as the bodies are drawn
  std::optional<bool> cut;                  ///< in joint coordinates: is it held by constraints? None: as is cheaper
  Place place;

  /// Does it have one coordinate of its own, and only one?
  bool has_coordinate() const { return angle_rate.has_value() != travel_rate.has_value(); }
};

/// What a motor prescribes of the coordinate of its joint.
enum class Drive { position, velocity, torque };

/// A motor on a joint that has one coordinate of its own.
struct MotorDescription {
  Drive drive = Drive::torque;
  Expression value;  ///< of time; that of a torque (or a force, where the joint slides) also of the motion
  Place place;
};

/// Smooth stops at the ends of a joint's coordinate, which starts at zero between them.
struct LimitsDescription {
  std::optional<Expression> lower, upper;
  Expression stiffness;             ///< per unit of the coordinate, from the depth `width` on
  Expression damping = 0;           ///< per unit of its rate, inside the stop
  std::optional<Expression> width;  ///< over which a stop takes hold; 1 % of the range where it is not given
  Place place;
};

/// How dry friction and drag depend on the force that presses and on the slip; all of parameters.
struct FrictionLaw {
  Expression coefficient = 0;          ///< of dry friction in motion
  std::optional<Expression> at_rest;   ///< of dry friction at rest; as in motion where it is not given
  std::optional<Expression> stribeck;  ///< the slip speed at which the coefficient at rest has become that in motion
  Expression viscous = 0;              ///< force for each unit of the rate
  Place place;
};

/// Friction in a revolute joint, whose whole reaction force presses, or in a prismatic one, where that across the axis
/// does.
struct FrictionDescription {
  FrictionLaw law;
  std::optional<Expression> radius;  ///< of the pin of a revolute joint
  std::optional<Expression> guide;   ///< length of the guide of a prismatic joint, whose ends bear torques
};

/// Friction where a constraint holds.
struct ConstraintFriction {
  FrictionLaw law;
  std::optional<Expression> along;   ///< what slips, or the slip speed; in a plane the way that the constraint leaves
  std::optional<Expression> normal;  ///< the force that presses; by default λ times the length of the gradient
};

/// Force and torque on the second body, at the joint, in world axes: all that the joint hands on, that of its
/// motor, its stops and its friction with the rest.
struct Reaction {
  Vector3 force, torque;
};

/// A kind of joint or of force element: what it is called, what has to be said of it, and what may be.
struct PartType {
  std::string_view name, about;
  std::vector<std::string_view> needs, takes;
};
/// Every kind of joint there is.
const std::vector<PartType>& joint_types();

/// A force element: what acts on bodies beside gravity and joints.
struct ForceDescription {
  std::string name;
  std::string type;
  std::string first = "ground", second;  ///< bodies; what acts on the second reacts on the first
  std::string joint;                     ///< that a torsion spring acts on
  std::optional<Vector3> at, axis;
  std::vector<Vector3> points;                      ///< ends of a spring: on the first body, on the second
  bool in_body_axes = false;                        ///< `value` or `axis` turns with the second body
  std::vector<Expression> value;                    ///< three components, or one along `axis`
  std::optional<Expression> length, angle, travel;  ///< at which a spring is at rest
  std::vector<Expression> stiffness, damping;       ///< one, or three in the first body's axes
  std::vector<Expression> torsional_stiffness, torsional_damping;
  /// Of a spring, instead of stiffness and damping: the force that pushes its ends apart, or the torque on the
  /// second body, given its length or angle and the rate of that.
  std::function<Expression(const Expression& extent, const Expression& rate)> law;
  Place place;
};

/// A force element as formulas.
struct Force {
  std::string name, type;
  int first = 0, second = 0;    ///< indices of the bodies
  std::vector<Vector3> points;  ///< where it acts: one, or the two ends of a spring
  /// What formulas call its parts: fx, fy, fz or tx, ty, tz on the second body in world axes; value, length, rate.
  std::vector<std::pair<std::string, Expression>> parts;
  Place place;
};

/// Every kind of force element there is.
const std::vector<PartType>& force_types();

int add_body(Model& model, const BodyDescription& description);
/// Lets gravity pull at every body there is by now.
void add_gravity(Model& model, const Vector3& gravity);
int add_joint(Model& model, const JointDescription& description);
void add_motor(Model& model, int joint, const MotorDescription& description);
void add_limits(Model& model, int joint, const LimitsDescription& description);
void add_friction(Model& model, int joint, const FrictionDescription& description);
/// Inertia that a joint's rate has beside that of the bodies, as a rotor behind gears gives it: kinetic energy
/// ½ inertia rate², and an effort −inertia · d(rate)/dt along the joint. In a spherical joint the same about every
/// axis.
void add_armature(Model& model, int joint, const Expression& inertia, const Place& place = {});
/// Lets a joint start elsewhere than it is drawn. The loops that it is part of are assembled from there.
void start_joint(Model& model, int joint, const JointStart& start, const Place& place = {});
int add_force(Model& model, const ForceDescription& description);

/// Indices by name; InputError at `place` if there is none.
int find_body(const Model& model, const std::string& name, const Place& place = {});
int find_joint(const Model& model, const std::string& name, const Place& place = {});

/// The joint's own coordinate and its rate: angle or travel, zero at the start. An angle in space counts
/// turns, and becomes a coordinate of the model the first time it is asked for.
Expression joint_angle(Model& model, int joint);
Expression joint_coordinate(Model& model, int joint);
Expression joint_rate(const Model& model, int joint);

Reaction reaction(const Model& model, int joint);
/// That of its rows alone.
Reaction bearing_reaction(const Model& model, int joint);

}  // namespace taut
