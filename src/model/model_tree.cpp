#include "model/model_tree.hpp"

#include <filesystem>

#include "model/file_text.hpp"
#include "model/gallery.hpp"
#include "model/import/list.hpp"
#include "model/import/loops.hpp"
#include "model/inclusion.hpp"
#include "model/yaml_writer.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;

/// Meshes and the models of parts are files beside the model that names them: from another folder, another path leads
/// to them.
void move_files(yaml::Node& node, const std::string& file, const fs::path& folder) {
  for (std::size_t k = 0; k < node.items.size(); ++k) {
    yaml::Node& value = node.items[k];
    const std::string key = node.keys.empty() ? "" : node.keys[k].text.text;
    const bool is_file = (key == "mesh" || key == "model") && value.kind == yaml::Node::Kind::scalar;
    if (!is_file) {
      move_files(value, file, folder);
      continue;
    }
    const fs::path own = fs::path(value.position.file != nullptr ? *value.position.file : file).parent_path();
    const std::string moved = fs::relative(own / value.text.text, folder).generic_string();
    value.text.positions.assign(moved.size(), value.position);
    value.text.text = moved;
  }
}

void move_files_of(yaml::Node& root, const std::string& file, const fs::path& folder) {
  for (std::size_t k = 0; k < root.keys.size(); ++k) {
    const std::string& section = root.keys[k].text.text;
    if (section == "draw" || section == "repeat" || section == "parts") move_files(root.items[k], file, folder);
  }
}

/// ignore: [a, b] or a text with commas, mend_inertia: on.
void read_import(const yaml::Node& section, const std::string& file, robot::ImportOptions& options) {
  if (section.kind != yaml::Node::Kind::mapping)
    throw InputError({section.position.file != nullptr ? *section.position.file : file, section.position.line,
                      section.position.column},
                     "'import' is no mapping", "write import: {ignore: [friction], mend_inertia: on}");
  for (std::size_t k = 0; k < section.keys.size(); ++k) {
    const yaml::Node& value = section.items[k];
    std::string text = value.text.text;
    for (const yaml::Node& item : value.items) text += "," + item.text.text;
    try {
      robot::set_import_option(options, section.keys[k].text.text, text);
    } catch (const InputError& error) {
      const yaml::Position& at = section.keys[k].position;
      throw InputError({at.file != nullptr ? *at.file : file, at.line, at.column}, error.message(), error.remedy());
    }
  }
}

yaml::Node read_robot(const std::string& text, const std::string& file, RobotReading& robots) {
  robot::Imported imported = robot::import_robot(text, file, robots.options);
  robots.notes.insert(robots.notes.end(), imported.notes.begin(), imported.notes.end());
  return std::move(imported.tree);
}

}  // namespace

yaml::Node read_tree(const std::string& text, const std::string& file, RobotReading& robots) {
  if (robot::is_robot_file(file)) return read_robot(text, file, robots);
  yaml::Node root = yaml::read(text, file);
  if (robot::says_loops(root)) {
    const std::string urdf = robot::urdf_beside(file);
    return read_robot(file_text(urdf), urdf, robots);
  }
  if (const yaml::Node* section = root.kind == yaml::Node::Kind::mapping ? root.find("import") : nullptr)
    read_import(*section, file, robots.options);
  return root;
}

std::string model_as_yaml(const std::string& name, const std::string& folder, const robot::ImportOptions& options) {
  const std::string path = model_path(name);
  RobotReading robots{options};
  std::list<std::string> files;
  const yaml::Node own = read_tree(file_text(path), path, robots);
  yaml::Node whole = with_inclusions(own, path, files, robots);
  move_files_of(whole, path, folder.empty() ? fs::path(".") : fs::path(folder));
  return yaml::write(whole, robots.notes);
}

}  // namespace taut
