#include "model/import/mesh_path.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "model/mesh.hpp"

namespace taut::robot {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view package_prefix = "package://", file_prefix = "file://";

/// "" if there is no such package around the robot file.
fs::path in_package(const fs::path& below, const fs::path& folder) {
  if (below.empty()) return {};
  const fs::path package = *below.begin();
  for (fs::path above = fs::absolute(folder).lexically_normal(); above.has_relative_path();
       above = above.parent_path()) {
    if (above.filename() == package) return above / below.lexically_relative(package);
    if (fs::is_directory(above / package)) return above / below;
  }
  return {};
}

fs::path located(const std::string& given, const fs::path& folder) {
  if (given.starts_with(package_prefix)) return in_package(given.substr(package_prefix.size()), folder);
  if (given.starts_with(file_prefix)) return given.substr(file_prefix.size());
  return folder / given;
}

std::string why_not(const Shape& shape, const fs::path& path) {
  if (path.empty()) return "its package is not found around the robot file";
  if ((shape.size.array() <= 0).any()) return "it is mirrored";
  try {
    check_mesh(path.string());
  } catch (const InputError& error) {
    return error.message();
  }
  return "";
}

}  // namespace

bool find_mesh(Shape& shape, const std::string& robot_file, std::vector<std::string>& notes) {
  const fs::path folder = fs::path(robot_file).parent_path();
  const fs::path path = located(shape.file, folder);
  if (const std::string why = why_not(shape, path); !why.empty()) {
    notes.push_back(fmt::format("the mesh '{}' is not drawn: {}", shape.file, why));
    return false;
  }
  if (shape.file.starts_with(package_prefix) || shape.file.starts_with(file_prefix)) {
    shape.file = fs::relative(path, folder.empty() ? fs::path(".") : folder).generic_string();
  }
  return true;
}

}  // namespace taut::robot
