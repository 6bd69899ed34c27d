#pragma once

#include <optional>
#include <utility>

#include "model/joints/freedoms.hpp"
#include "taut/model.hpp"

/// What every kind of joint is written in. A kind of joint is one function that says, by formulas, what
/// stays as it is when the joint moves; it stands in a file of its own and in list.cpp.
namespace taut {

class JointBuilder {
 public:
  JointBuilder(Model& model, const JointDescription& description, Joint& joint);

  const JointDescription& given;
  const Body& first;
  const Body& second;

  /// Points and directions of the starting configuration, as the bodies carry them now.
  Vector3 on_first(const Vector3& at) const { return first.carried(at); }
  Vector3 on_second(const Vector3& at) const { return second.carried(at); }
  Vector3 turned_first(const Vector3& direction) const { return first.turned(direction); }
  Vector3 turned_second(const Vector3& direction) const { return second.turned(direction); }
  /// The unit vector along a direction that was given; refuses one of no length.
  Vector3 unit(const Vector3& direction, const char* what) const;
  /// Two unit vectors that make a right-handed basis with a unit vector.
  std::pair<Vector3, Vector3> across(const Vector3& axis) const;

  /// residual = 0, as constraint JOINT.NAME. Where planar bodies satisfy it by themselves there is no row;
  /// where they never can, the joint is refused.
  void row(const std::string& name, const Expression& residual);
  /// Rows x, y, z: the point `at` of both bodies is one.
  void keep_together(const Vector3& at);
  /// Rows across1, across2: the point `at` of the second body stays on a line of the first.
  void keep_on_line(const Vector3& at, const Vector3& axis);
  /// Rows tilt1, tilt2: a direction of the second body stays along one of the first.
  void keep_parallel(const Vector3& axis);
  /// Row height: the point `at` of the second body stays on a plane of the first.
  void keep_on_plane(const Vector3& at, const Vector3& normal);
  /// Row cross: a direction of the second body stays square to one of the first. Refuses two that do not start so.
  void keep_perpendicular(const Vector3& on_first, const Vector3& on_second);
  /// Rows turn1, turn2, turn3: the bodies do not turn against each other.
  void keep_orientation();
  /// Row mesh: coordinate of the second of the joints it connects = ratio × coordinate of the first + offset.
  void couple(const Expression& ratio, const Expression& offset = 0);

  /// The joint turns about an axis: gives it an angle.
  void turns_about(const Vector3& axis);
  /// The joint slides along an axis: gives it a travel.
  void slides_along(const Vector3& at, const Vector3& axis);
  /// The angle of a joint that turns, which counts turns.
  Expression angle();
  /// Where the reaction acts.
  void acts_at(const Vector3& point) { joint_.point = point; }

  /// What a formula of parameters comes to in the model as it stands; for checks, not for decisions.
  double value(const Expression& formula) const;
  /// Refuses a number that is zero.
  Expression nonzero(const Expression& number, const char* what) const;

  /// The time derivative of a formula of coordinates, in the model's speeds.
  Expression rate_of(const Expression& formula) const;

  Model& model() { return model_; }
  Joint& joint() { return joint_; }

 private:
  Model& model_;
  Joint& joint_;
};

/// One kind of joint.
struct JointKind {
  PartType type;
  void (*build)(JointBuilder& joint);
  /// In joint coordinates, where bodies may hang on it; of other kinds none: there they close loops.
  std::optional<JointFreedoms> freedoms = {};
};
const std::vector<JointKind>& joint_kinds();

}  // namespace taut
