#include "model/import/list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "model/import/mjcf.hpp"
#include "model/import/urdf.hpp"

namespace taut::robot {
namespace {

struct Format {
  std::string_view root;  ///< element
  Imported (*read)(const tinyxml2::XMLDocument& document, const std::string& text, const std::string& file);
};

constexpr std::array formats{Format{"robot", import_urdf}, Format{"mujoco", import_mjcf}};

}  // namespace

bool is_robot_file(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending == ".urdf" || ending == ".mjcf" || ending == ".xml";
}

Imported import_robot(const std::string& text, const std::string& file) {
  tinyxml2::XMLDocument document;
  parse_xml(text, file, document);
  const XMLElement& root = *document.RootElement();
  const auto format = std::ranges::find(formats, std::string_view(root.Name()), &Format::root);
  if (format != formats.end()) return format->read(document, text, file);
  throw InputError({file, root.GetLineNum(), 0}, fmt::format("<{}> is no robot that can be read", root.Name()),
                   "give a URDF file, which begins with <robot>, or an MJCF file, which begins with <mujoco>");
}

}  // namespace taut::robot
