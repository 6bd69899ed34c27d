#include "model/import/loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "model/file_text.hpp"

namespace taut::robot {
namespace {

namespace fs = std::filesystem;
using yaml::Node;

Place place_of(const Node& node, const std::string& file) { return {file, node.position.line, node.position.column}; }

const std::vector<Node>& items_of(const Node& node, const std::string& file, const char* what, std::size_t count = 0) {
  if (node.kind == Node::Kind::list && (count == 0 || node.items.size() == count)) return node.items;
  throw InputError(place_of(node, file), fmt::format("{} is no list of what it should be", what),
                   "write closed_loop: [[FRAME, FRAME], …], type: [6d, …], name_mot: [JOINT, …]");
}

JointType type_of(const std::string& joint, const Node& type, const std::string& file) {
  const std::string& word = type.text.text;
  for (const auto& [known, axes] : {std::pair("SPHERICAL", "XYZ"), std::pair("UJOINT_XY", "XY"),
                                    std::pair("UJOINT_YZ", "YZ"), std::pair("UJOINT_ZX", "ZX"), std::pair("FIXED", "")})
    if (word == known) return {joint, word, axes, place_of(type, file)};
  throw InputError(place_of(type, file), fmt::format("joint '{}' is of the type '{}'", joint, word),
                   "give SPHERICAL, UJOINT_XY, UJOINT_YZ, UJOINT_ZX or FIXED");
}

void read_types(const Node& root, const std::string& file, Loops& loops) {
  const Node* const names = root.find("joint_name");
  if (names == nullptr) return;
  const Node* const types = root.find("joint_type");
  const auto& joints = items_of(*names, file, "joint_name");
  const std::vector<Node> none;
  const auto& words = types == nullptr ? none : items_of(*types, file, "joint_type");
  if (words.size() != joints.size())
    throw InputError(place_of(*names, file),
                     fmt::format("joint_name has {} entries, joint_type {}", joints.size(), words.size()),
                     "give each joint its type");
  for (std::size_t k = 0; k < joints.size(); ++k) loops.types.push_back(type_of(joints[k].text.text, words[k], file));
}

}  // namespace

const JointType* Loops::type_of(const std::string& joint) const {
  const auto found = std::ranges::find(types, joint, &JointType::joint);
  return found == types.end() ? nullptr : &*found;
}

bool says_loops(const Node& root) { return root.kind == Node::Kind::mapping && root.find("closed_loop") != nullptr; }

Loops loops_of(const Node& root, const std::string& file) {
  Loops loops;
  for (const Node& pair : items_of(*root.find("closed_loop"), file, "closed_loop")) {
    const auto& two = items_of(pair, file, "a pair of closed_loop", 2);
    loops.list.push_back({two[0].text.text, two[1].text.text, false, place_of(pair, file)});
  }
  if (const Node* types = root.find("type")) {
    const auto& words = items_of(*types, file, "type", loops.list.size());
    for (std::size_t k = 0; k < words.size(); ++k) {
      const std::string& word = words[k].text.text;
      loops.list[k].is_point = word == "3d" || word == "3D";
      if (!loops.list[k].is_point && word != "6d" && word != "6D")
        throw InputError(place_of(words[k], file), fmt::format("a loop is closed by '{}'", word), "give 3d or 6d");
    }
  }
  if (const Node* motors = root.find("name_mot"))
    for (const Node& name : items_of(*motors, file, "name_mot"))
      loops.motors.emplace_back(name.text.text, place_of(name, file));
  read_types(root, file, loops);
  return loops;
}

std::optional<Loops> loops_beside(const std::string& urdf) {
  const std::string path = fs::path(urdf).replace_extension(".yaml").string();
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return std::nullopt;
  const std::string text = file_text(path);
  if (text.find("closed_loop") == text.npos) return std::nullopt;
  const Node root = yaml::read(text, path);
  return says_loops(root) ? std::optional(loops_of(root, path)) : std::nullopt;
}

std::string urdf_beside(const std::string& yaml) {
  const fs::path own = fs::path(yaml).replace_extension(".urdf");
  std::error_code none;
  if (fs::is_regular_file(own, none)) return own.string();
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(own.parent_path().empty() ? fs::path(".") : own.parent_path(), none))
    if (entry.path().extension() == ".urdf") found.push_back(entry.path().string());
  if (found.size() == 1) return found.front();
  throw InputError({yaml, 1, 0}, "this file closes loops of a URDF that is not there",
                   fmt::format("put the URDF beside it as '{}'", own.filename().string()));
}

}  // namespace taut::robot
