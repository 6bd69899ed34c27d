#include "model/import/mesh_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "model/mesh.hpp"
#include "model/principal_axes.hpp"

namespace taut::robot {
namespace {

namespace fs = std::filesystem;

constexpr std::array package_prefixes{std::string_view{"package://"}, std::string_view{"model://"}};
constexpr std::string_view file_prefix = "file://";

bool is_folder(const fs::path& path) {
  std::error_code none;
  return fs::is_directory(path, none);
}

/// Folders that the variables of ROS and Gazebo name, and where ROS keeps what packages share.
std::vector<fs::path> package_folders() {
  std::vector<fs::path> list;
  for (const char* variable : {"ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "GAZEBO_MODEL_PATH", "GZ_SIM_RESOURCE_PATH"}) {
    const char* value = std::getenv(variable);
    std::string word;
    for (const char c : std::string(value != nullptr ? value : "") + ":") {
      if (c != ':') {
        word += c;
        continue;
      }
      if (!word.empty()) list.insert(list.end(), {fs::path(word), fs::path(word) / "share"});
      word.clear();
    }
  }
  return list;
}

/// "" if there is no such package around the robot file or where packages are.
fs::path in_package(const fs::path& below, const fs::path& folder) {
  if (below.empty()) return {};
  const fs::path package = *below.begin(), rest = below.lexically_relative(package);
  // A file of the working folder has no folder in its path.
  for (fs::path above = fs::absolute(folder.empty() ? fs::path(".") : folder).lexically_normal();
       above.has_relative_path(); above = above.parent_path()) {
    if (above.filename() == package) return above / rest;
    if (is_folder(above / package)) return above / below;
  }
  for (const fs::path& place : package_folders()) {
    if (place.filename() == package && is_folder(place)) return place / rest;
    if (is_folder(place / package)) return place / below;
  }
  return {};
}

std::string why_not(const Shape& shape, const std::string& path) {
  if (path.empty()) return "its package is not found around the robot file";
  if ((shape.size.array() <= 0).any()) return "it is mirrored";
  try {
    check_mesh(path);
  } catch (const InputError& error) {
    return error.message();
  }
  return "";
}

/// The edges of a box of the same mass and moments: I_x = m/12 (b² + c²) and so on.
Eigen::Vector3d edges(const Eigen::Vector3d& moments, double mass) {
  const double half = moments.sum() / 2;
  return (12 / mass * (half - moments.array()).max(0)).sqrt().max(1e-3);
}

Shape stand_in(const Link& link, const Shape& mesh) {
  Shape box{.kind = Shape::Kind::box, .pose = link.pose, .label = link.name, .color = mesh.color, .place = mesh.place};
  box.size = Eigen::Vector3d::Constant(0.04);
  if (!link.mass || !(link.mass->mass > 0)) return box;
  const PrincipalAxes axes = principal_axes(link.mass->inertia);
  box.size = edges(axes.moments, link.mass->mass);
  box.pose.translate(link.mass->center);
  Eigen::Matrix3d turn = axes.axes;
  if (turn.determinant() < 0) turn.col(2) *= -1;
  box.pose.rotate(turn);
  return box;
}

struct Missing {
  int count = 0;
  std::string first, why;
};

/// The link's shapes, with one box instead of the meshes that cannot be read.
void settle(Link& link, const std::string& robot_file, Missing& missing) {
  std::vector<Shape> shapes;
  bool has_box = false;
  for (Shape& shape : link.shapes) {
    if (shape.kind != Shape::Kind::mesh) {
      shapes.push_back(shape);
      continue;
    }
    const std::string path = located(shape.file, robot_file);
    const std::string why = why_not(shape, path);
    if (why.empty()) {
      const fs::path folder = fs::path(robot_file).parent_path();
      if (shape.file.find("://") != shape.file.npos)
        shape.file = fs::relative(path, folder.empty() ? fs::path(".") : folder).generic_string();
      shapes.push_back(shape);
      continue;
    }
    if (++missing.count == 1) missing.first = shape.file, missing.why = why;
    if (!has_box) shapes.push_back(stand_in(link, shape));
    has_box = true;
  }
  link.shapes = std::move(shapes);
}

}  // namespace

std::string located(const std::string& given, const std::string& robot_file) {
  const fs::path folder = fs::path(robot_file).parent_path();
  for (const std::string_view prefix : package_prefixes)
    if (given.starts_with(prefix)) return in_package(given.substr(prefix.size()), folder).string();
  if (given.starts_with(file_prefix)) return given.substr(file_prefix.size());
  return (folder / given).string();
}

void settle_meshes(Robot& robot, Findings& findings) {
  Missing missing;
  for (Link& link : robot.links) settle(link, robot.file, missing);
  if (missing.count == 0) return;
  findings.note(fmt::format("{} mesh{} drawn as boxes; the first is '{}', which is not drawn: {}", missing.count,
                            missing.count == 1 ? " is" : "es are", missing.first, missing.why));
}

}  // namespace taut::robot
