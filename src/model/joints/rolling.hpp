#pragma once

#include "model/joints/joint.hpp"

/// What rolling and blades have in common: a plane, a point of contact, and what slips there.
namespace taut {

/// A plane as the first body carries it.
struct Surface {
  Vector3 point, normal;
  Vector3 initial_normal;
  Vector3 velocity;  ///< of its material at the contact, beyond the first body's
};

/// Does the joint's point lie on the plane itself, rather than on the side that the normal points to?
enum class OnPlane { no, yes };

/// The body that rolls or slides is the second one; the ground cannot be it.
void refuse_rolling_ground(const JointBuilder& joint);
/// The joint's plane. Refuses one whose normal points away from the body.
Surface plane_of(const JointBuilder& joint, OnPlane on_plane = OnPlane::no);
/// The joint's radius; refuses one that is not above zero.
Expression positive_radius(const JointBuilder& joint);
/// The point `at` of the second body, or its centre of mass.
Vector3 rolling_center(const JointBuilder& joint);
/// How the second body's material moves over the surface's, at a point of the world.
Vector3 slip(const JointBuilder& joint, const Surface& surface, const Vector3& contact);
/// Rows roll1, roll2: no slip along the plane. The reaction acts at the contact.
void no_slip(JointBuilder& joint, const Surface& plane, const Vector3& contact);

}  // namespace taut
