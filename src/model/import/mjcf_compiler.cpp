#include "model/import/mjcf_compiler.hpp"

#include <fmt/format.h>

#include <cctype>

#include "model/shortest_turn.hpp"

namespace taut::robot {
namespace {

Eigen::Vector3d direction(const Attributes& attributes, const std::string& name, const Eigen::Vector3d& v) {
  if (v.norm() > 0) return v.normalized();
  attributes.refuse(name, "this has no direction", "give one that is not 0");
}

/// Small letters turn about the axes as they have become, capitals about those that stand still.
Eigen::Matrix3d euler(const Eigen::Vector3d& angles, const std::string& sequence) {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  for (int k = 0; k < 3; ++k) {
    const int axis = std::tolower(static_cast<unsigned char>(sequence[k])) - 'x';
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(angles[k], Eigen::Vector3d::Unit(axis)).toRotationMatrix();
    R = std::islower(static_cast<unsigned char>(sequence[k])) != 0 ? Eigen::Matrix3d(R * turn)
                                                                   : Eigen::Matrix3d(turn * R);
  }
  return R;
}

}  // namespace

void MjcfCompiler::read(const Attributes& attributes) {
  least_mass = attributes.number("boundmass", least_mass);
  least_inertia = attributes.number("boundinertia", least_inertia);
  total_mass = attributes.number("settotalmass", total_mass);
  balances_inertia = attributes.flag("balanceinertia", balances_inertia);
  limits_follow_ranges = attributes.flag("autolimits", limits_follow_ranges);
  exact_meshes = attributes.flag("exactmeshinertia", exact_meshes);
  fits_bounding_boxes = attributes.flag("fitaabb", fits_bounding_boxes);
  strips_paths = attributes.flag("strippath", strips_paths);
  if (const auto groups = attributes.numbers("inertiagrouprange", 2, 2); !groups.empty()) {
    first_group = static_cast<int>(groups[0]);
    last_group = static_cast<int>(groups[1]);
  }
  if (attributes.choice("coordinate", {"local", "global"}) == "global") {
    attributes.refuse("coordinate", "global coordinates cannot be imported", "write the file in local ones");
  }
  if (attributes.has("angle")) degree = attributes.choice("angle", {"degree", "radian"}) == "radian" ? 1 : M_PI / 180;
  euler_sequence = attributes.text("eulerseq", euler_sequence);
  if (euler_sequence.size() != 3 || euler_sequence.find_first_not_of("xyzXYZ") != std::string::npos) {
    attributes.refuse("eulerseq", "this is no sequence of three axes", "give one such as \"xyz\"");
  }
  if (attributes.has("inertiafromgeom")) {
    const std::string word = attributes.choice("inertiafromgeom", {"auto", "true", "false"});
    inertia_from_geoms = word == "auto"   ? FromGeoms::when_missing
                         : word == "true" ? FromGeoms::always
                                          : FromGeoms::never;
  }
  mesh_folder = attributes.text("meshdir", attributes.text("assetdir", mesh_folder));
}

Eigen::Isometry3d MjcfCompiler::pose(const Attributes& attributes) const {
  Eigen::Isometry3d made = Eigen::Isometry3d::Identity();
  made.linear() = orientation(attributes);
  made.translation() = attributes.vector("pos", Eigen::Vector3d::Zero());
  return made;
}

Eigen::Matrix3d MjcfCompiler::orientation(const Attributes& attributes) const {
  int given = 0;
  for (const char* name : {"quat", "axisangle", "euler", "xyaxes", "zaxis"}) given += attributes.has(name) ? 1 : 0;
  if (given > 1) {
    attributes.refuse(fmt::format("<{}> has more than one orientation", attributes.element()), "keep one of them");
  }
  if (const auto q = attributes.numbers("quat", 4, 4); !q.empty()) {
    const Eigen::Quaterniond quaternion(q[0], q[1], q[2], q[3]);
    if (quaternion.norm() == 0) attributes.refuse("quat", "this has no direction", "give one that is not 0");
    return quaternion.normalized().toRotationMatrix();
  }
  if (const auto a = attributes.numbers("axisangle", 4, 4); !a.empty()) {
    return Eigen::AngleAxisd(a[3] * degree, direction(attributes, "axisangle", {a[0], a[1], a[2]})).toRotationMatrix();
  }
  if (const auto e = attributes.numbers("euler", 3, 3); !e.empty()) {
    return euler(degree * Eigen::Vector3d(e[0], e[1], e[2]), euler_sequence);
  }
  if (const auto a = attributes.numbers("xyaxes", 6, 6); !a.empty()) {
    const Eigen::Vector3d x = direction(attributes, "xyaxes", {a[0], a[1], a[2]});
    const Eigen::Vector3d y(a[3], a[4], a[5]);
    const Eigen::Vector3d across = direction(attributes, "xyaxes", y - y.dot(x) * x);
    Eigen::Matrix3d R;
    R << x, across, x.cross(across);
    return R;
  }
  if (attributes.has("zaxis")) {
    const Eigen::Vector3d z = direction(attributes, "zaxis", attributes.vector("zaxis", Eigen::Vector3d::UnitZ()));
    return shortest_turn_of_z(z).toRotationMatrix();
  }
  return Eigen::Matrix3d::Identity();
}

}  // namespace taut::robot
