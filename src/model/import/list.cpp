#include "model/import/list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "model/import/joint_inertia.hpp"
#include "model/import/mesh_path.hpp"
#include "model/import/mjcf.hpp"
#include "model/import/sdf.hpp"
#include "model/import/urdf.hpp"

namespace taut::robot {
namespace {

struct Format {
  std::string_view root;  ///< element
  Robot (*read)(Element root, const std::string& file, Findings& findings);
};

constexpr std::array formats{Format{"robot", import_urdf}, Format{"mujoco", import_mjcf}, Format{"sdf", import_sdf}};

std::string ending(const std::string& file) {
  std::string text = std::filesystem::path(file).extension().string();
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_scene(const std::string& end) { return end == ".usd" || end == ".usda" || end == ".usdc" || end == ".usdz"; }

void refuse_what_is_known(const std::string& file) {
  const std::string end = ending(file);
  if (is_scene(end)) throw InputError({file, 1, 0}, "USD cannot be read", "export the robot as URDF, MJCF or SDF");
  if (end == ".xacro")
    throw InputError({file, 1, 0}, "xacro is a language that writes URDF, and cannot be read itself",
                     "run 'xacro FILE > robot.urdf', and give robot.urdf");
}

}  // namespace

bool is_robot_file(const std::string& file) {
  const std::string end = ending(file);
  return end == ".urdf" || end == ".mjcf" || end == ".xml" || end == ".sdf" || end == ".xacro" || is_scene(end);
}

Imported import_robot(const std::string& text, const std::string& file, const ImportOptions& options) {
  refuse_what_is_known(file);
  Element root = parse_xml(text, file);
  const auto format = std::ranges::find(formats, std::string_view(root.name), &Format::root);
  if (format == formats.end())
    throw InputError({file, root.line, 0}, fmt::format("<{}> is no robot that can be read", root.name),
                     "give a URDF file, which begins with <robot>, an MJCF file, which begins with <mujoco>, or an SDF "
                     "file, which begins with <sdf>");
  Findings findings(options);
  Robot robot;
  findings.attempt([&] { robot = format->read(std::move(root), file, findings); });
  findings.raise();
  settle_meshes(robot, findings);
  settle_stops(robot, findings);
  return {tree_of(robot), findings.notes()};
}

}  // namespace taut::robot
