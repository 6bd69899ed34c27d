#include "model/space_reading.hpp"

#include <fmt/format.h>

#include "model/bodies/present.hpp"
#include "model/bodies/sanity.hpp"
#include "model/keys.hpp"

namespace taut {
namespace {

struct Turn {
  Vector3 axis;
  Expression angle;
};

constexpr const char* write_a_turn = "write {axis: [0, 0, 1], angle: pi/4}";
const Keys<Turn> turn_keys{
    {{"axis",
      [](const Value& v, Turn& turn) {
        turn.axis = unit_along(v.model(), v.vector3(context::initial), v.what(), v.place());
      },
      write_a_turn},
     {"angle", [](const Value& v, Turn& turn) { turn.angle = v.formula(context::initial); }, write_a_turn}},
    KeyWords::plain};

/// Turns about its own axes, one after the other.
struct EulerAngles {
  std::vector<Expression> angles = {};
  std::string order = "zyx";
};

constexpr const char* write_euler_angles = "write {euler: [0.1, 0.2, 0.3], order: zyx}, angles in rad";

void read_euler_order(const Value& value, EulerAngles& turns) {
  turns.order = value.scalar().text;
  const bool is_order = turns.order.size() == 3 && turns.order.find_first_not_of("xyz") == std::string::npos &&
                        turns.order[0] != turns.order[1] && turns.order[1] != turns.order[2];
  if (!is_order)
    value.refuse(fmt::format("{} is '{}'", value.what(), turns.order),
                 "give three axes, none twice in a row, such as zyx or zxz");
}

const Keys<EulerAngles> euler_keys{
    {{"euler",
      [](const Value& v, EulerAngles& turns) {
        turns.angles = v.vector(context::initial);
        if (turns.angles.size() != 3)
          v.refuse(fmt::format("{} has {}", v.what(), counted(turns.angles.size(), "angle")), write_euler_angles);
      },
      write_euler_angles},
     {"order", read_euler_order}},
    KeyWords::plain};

Quaternion read_euler_angles(const Value& value) {
  EulerAngles turns;
  read_keys(value, euler_keys, turns);
  Quaternion turn;
  for (std::size_t k = 0; k < 3; ++k) {
    Vector3 axis;
    axis[turns.order[k] - 'x'] = 1;
    turn = turn * rotation_about(axis, turns.angles[k]);
  }
  return turn;
}

const Keys<Plane> plane_keys{
    {{"point", [](const Value& v, Plane& p) { p.point = v.vector3(context::initial); }, "add 'point: [0, 0, 1]'"},
     {"normal", [](const Value& v, Plane& p) { p.normal = v.vector3(context::initial); }, "add 'normal: [0, 0, 1]'"},
     {"velocity", [](const Value& v, Plane& p) { p.velocity = v.vector3(context::constraint); }}},
    KeyWords::plain};

const Keys<Cylinder> cylinder_keys{
    {{"point", [](const Value& v, Cylinder& c) { c.point = v.vector3(context::initial); }, "add 'point: [0, 0, 1]'"},
     {"axis", [](const Value& v, Cylinder& c) { c.axis = v.vector3(context::initial); }, "add 'axis: [0, 0, 1]'"},
     {"radius", [](const Value& v, Cylinder& c) { c.radius = v.formula(context::initial); },
      "write {point: [0, 0, 0], axis: [0, 0, 1], radius: 1}"}},
    KeyWords::plain};

}  // namespace

Quaternion read_orientation(const Value& value) {
  if (value.find("euler")) return read_euler_angles(value);
  if (value.is_mapping()) {
    Turn turn;
    read_keys(value, turn_keys, turn);
    return rotation_about(turn.axis, turn.angle);
  }
  const std::vector<Expression> q = value.vector(context::initial);
  if (q.size() != 4)
    value.refuse(fmt::format("{} has {}", value.what(), counted(q.size(), "component")),
                 "give a quaternion [w, x, y, z], {axis: [0, 0, 1], angle: pi/4}, or {euler: [z, y, x]}");
  const Quaternion given{q[0], q[1], q[2], q[3]};
  refuse_far_from_unit(value.model(), given, value.what(), value.place());
  return normalized(given);
}

std::optional<Expression> read_planar_angle(const Value& value) {
  if (!value.is_mapping() || !value.find("axis")) return std::nullopt;
  const Vector3 axis = value.find("axis")->vector3(context::initial);
  if (!axis.x.is_zero() || !axis.y.is_zero() || !axis.z.is_constant()) return std::nullopt;
  const Expression angle = value.find("angle")->formula(context::initial);
  return axis.z.value() > 0 ? angle : -angle;
}

Plane read_plane(const Value& value) {
  Plane plane;
  read_keys(value, plane_keys, plane);
  return plane;
}

Cylinder read_cylinder(const Value& value) {
  Cylinder cylinder;
  read_keys(value, cylinder_keys, cylinder);
  return cylinder;
}

}  // namespace taut
