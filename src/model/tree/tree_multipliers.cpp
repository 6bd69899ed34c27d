#include "model/tree/tree_multipliers.hpp"

/// With force F and torque τ on the second body at the joint, e1 and e2 square to the axis a, all carried by the first
/// body:
///   x, y, z             pull along the axes of the world                       λ = F_x, F_y, F_z
///   across1, across2    e1·Δ, e2·Δ: pull along e1, e2                          λ = F·e1, F·e2
///   height              n·Δ                                                    λ = F·n
///   tilt1, tilt2        e1·a₂, e2·a₂: turn about a × e1 = e2, a × e2 = −e1     λ = τ·e2, −τ·e1
///   cross               a₁·b₂: turns about b₂ × a₁                             λ = τ·(b₂ × a₁)
///   turn                of planar bodies: the angle between them               λ = τ_z
///   turn1, turn2, turn3 half the rotation in the first body's axes             λ = 2 τ·(those axes)
///   thread              a·Δ − h θ: pulls along a                               λ = F·a
namespace taut {

std::vector<Expression> multipliers_of(const Model& model, const Joint& joint, const DrawnJoint& drawn,
                                       const std::vector<std::string>& rows, const Reaction& bearing,
                                       const ValueNow& now) {
  const Body& first = model.bodies[joint.first];
  const Body& second = model.bodies[joint.second];
  const auto& [F, torque] = bearing;
  Vector3 a, e1, e2;
  if (!drawn.axes.empty()) {
    const auto [s1, s2] = square_to(drawn.axes[0], now);
    a = first.turned(drawn.axes[0]);
    e1 = first.turned(s1);
    e2 = first.turned(s2);
  }
  const auto one = [&](const std::string& row) -> Expression {
    if (row == "x") return F.x;
    if (row == "y") return F.y;
    if (row == "z") return F.z;
    if (row == "across1") return dot(F, e1);
    if (row == "across2") return dot(F, e2);
    if (row == "height" || row == "thread") return dot(F, a);
    if (row == "tilt1") return dot(torque, e2);
    if (row == "tilt2") return -dot(torque, e1);
    if (row == "turn") return torque.z;
    if (row == "cross") {
      const Vector3& b = drawn.axes[1];
      return dot(torque, cross(second.turned(normalized(b - dot(drawn.axes[0], b) * drawn.axes[0])), a));
    }
    return 2 * dot(torque, first.axes.columns[row.back() - '1']);
  };
  std::vector<Expression> values;
  for (const std::string& row : rows) values.push_back(one(row));
  return values;
}

}  // namespace taut
