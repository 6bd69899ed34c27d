#include "model/model_tree.hpp"

#include <filesystem>

#include "model/file_text.hpp"
#include "model/gallery.hpp"
#include "model/import/list.hpp"
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

}  // namespace

yaml::Node read_tree(const std::string& text, const std::string& file, std::vector<std::string>* notes) {
  if (!robot::is_robot_file(file)) return yaml::read(text, file);
  robot::Imported imported = robot::import_robot(text, file);
  if (notes != nullptr) notes->insert(notes->end(), imported.notes.begin(), imported.notes.end());
  return std::move(imported.tree);
}

std::string model_as_yaml(const std::string& name, const std::string& folder) {
  const std::string path = model_path(name);
  std::vector<std::string> notes;
  std::list<std::string> files;
  const yaml::Node own = read_tree(file_text(path), path, &notes);
  yaml::Node whole = with_inclusions(own, path, files, &notes);
  move_files_of(whole, path, folder.empty() ? fs::path(".") : fs::path(folder));
  return yaml::write(whole, notes);
}

}  // namespace taut
