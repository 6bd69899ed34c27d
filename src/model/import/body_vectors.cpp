#include "model/import/body_vectors.hpp"

#include <fmt/format.h>

#include "model/import/ties.hpp"

namespace taut::robot {
namespace {

constexpr std::array<char, 3> axis_letters{'x', 'y', 'z'};

bool stands(const Robot& robot, int link) { return carrier(robot, link).body == "ground"; }

/// Of something from the centre of mass of a link's body, as it turns.
Components from_center(const Robot& robot, int link, const Eigen::Vector3d& in_body) {
  const std::string& body = carrier(robot, link).body;
  Components made;
  for (std::size_t k = 0; k < 3; ++k)
    made[k] = fmt::format("(point({0}, [{1}, {2}, {3}]).{4} - {0}.{4})", body, in_body.x(), in_body.y(), in_body.z(),
                          axis_letters[k]);
  return made;
}

}  // namespace

Components turned_with(const Robot& robot, int link, const Eigen::Vector3d& as_drawn) {
  if (as_drawn.isZero(0)) return {"0", "0", "0"};
  if (stands(robot, link)) return {text_of(as_drawn.x()), text_of(as_drawn.y()), text_of(as_drawn.z())};
  return from_center(robot, link, carrier(robot, link).pose.linear().transpose() * as_drawn);
}

Components spin_of(const Robot& robot, int link) {
  if (stands(robot, link)) return {"0", "0", "0"};
  const std::string& body = carrier(robot, link).body;
  return {body + ".omega_x", body + ".omega_y", body + ".omega_z"};
}

/// v + ω × r, with r from the centre of mass.
Components velocity_of_point(const Robot& robot, int link, const Eigen::Vector3d& as_drawn) {
  if (stands(robot, link)) return {"0", "0", "0"};
  const Link& body = carrier(robot, link);
  const Eigen::Vector3d center = body.mass ? body.mass->center : Eigen::Vector3d::Zero();
  const Eigen::Vector3d in_body = body.pose.inverse() * as_drawn - center;
  Components made{body.body + ".vx", body.body + ".vy", body.body + ".vz"};
  if (in_body.isZero(0)) return made;
  const Components r = from_center(robot, link, in_body), omega = spin_of(robot, link);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    made[k] = fmt::format("({} + {}*{} - {}*{})", made[k], omega[i], r[j], omega[j], r[i]);
  }
  return made;
}

std::string product(const Components& a, const Components& b) {
  std::string sum;
  for (std::size_t k = 0; k < 3; ++k)
    if (a[k] != "0" && b[k] != "0") sum = sum_of(sum, fmt::format("{}*{}", a[k], b[k]));
  return sum;
}

Components difference(const Components& a, const Components& b) {
  Components made = a;
  for (std::size_t k = 0; k < 3; ++k)
    if (b[k] != "0") made[k] = a[k] == "0" ? fmt::format("(-{})", b[k]) : fmt::format("({} - {})", a[k], b[k]);
  return made;
}

}  // namespace taut::robot
