#include "model/inclusion.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <unordered_map>

#include "model/file_text.hpp"
#include "model/model_tree.hpp"
#include "model/scope.hpp"
#include "model/sections.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;
using yaml::Node;

/// What came from yet another file, as robots may be put together of several, keeps that.
void stamp(Node& node, const std::string* file) {
  if (node.position.file == nullptr) node.position.file = file;
  for (auto& position : node.text.positions)
    if (position.file == nullptr) position.file = file;
  for (Node& key : node.keys) stamp(key, file);
  for (Node& item : node.items) stamp(item, file);
}

/// A mass matrix is one thing, and so is gravity: no list to be continued.
bool continues(const std::string& section) { return section != "mass_matrix" && section != "gravity"; }

/// A single block of `repeat:` as a list of one, so that blocks of two files stand beside each other.
void list_repetitions(Node& root) {
  for (std::size_t k = 0; k < root.keys.size(); ++k) {
    if (root.keys[k].text.text != "repeat" || root.items[k].kind != Node::Kind::mapping) continue;
    Node list;
    list.kind = Node::Kind::list;
    list.position = root.items[k].position;
    list.items = {root.items[k]};
    root.items[k] = std::move(list);
  }
}

/// Files put together, later ones over earlier ones. What was put in stays where it is and is found by an index, so
/// that thousands of files take no more than the time to read them.
class Merging {
 public:
  Merging() { root_.kind = Node::Kind::mapping; }

  void put_over(Node later) {
    list_repetitions(later);
    for (std::size_t k = 0; k < later.keys.size(); ++k)
      put_section(std::move(later.keys[k]), std::move(later.items[k]));
    root_.position = later.position;
  }
  Node take() { return std::move(root_); }

 private:
  using Index = std::unordered_map<std::string, std::size_t>;

  void put_section(Node key, Node value) {
    const std::string section = key.text.text;
    const auto same = std::ranges::find_if(root_.keys, [&](const Node& k) { return k.text.text == section; });
    const auto at = static_cast<std::size_t>(same - root_.keys.begin());
    if (same == root_.keys.end()) {
      root_.keys.push_back(std::move(key));
      root_.items.push_back(std::move(value));
      return;
    }
    *same = std::move(key);
    Node& there = root_.items[at];
    if (there.kind != value.kind || !continues(section)) {
      indices_.erase(section);
      there = std::move(value);
    } else {
      add(section, there, std::move(value));
    }
  }

  /// What two files say of one section.
  void add(const std::string& section, Node& there, Node more) {
    if (more.kind == Node::Kind::mapping) {
      put_entries(index_of(section, there), there, std::move(more));
    } else if (more.kind == Node::Kind::list) {
      std::ranges::move(more.items, std::back_inserter(there.items));
    } else {
      there = std::move(more);
    }
  }

  static void put_entries(Index& index, Node& there, Node more) {
    for (std::size_t k = 0; k < more.keys.size(); ++k) {
      const auto [found, is_new] = index.emplace(more.keys[k].text.text, there.keys.size());
      if (is_new) {
        there.keys.push_back(std::move(more.keys[k]));
        there.items.push_back(std::move(more.items[k]));
      } else {
        there.items[found->second] = std::move(more.items[k]);
        there.keys[found->second] = std::move(more.keys[k]);
      }
    }
  }

  Index& index_of(const std::string& section, const Node& there) {
    const auto [found, is_new] = indices_.try_emplace(section);
    if (is_new)
      for (std::size_t k = 0; k < there.keys.size(); ++k) found->second.emplace(there.keys[k].text.text, k);
    return found->second;
  }

  Node root_;
  std::unordered_map<std::string, Index> indices_;  ///< of sections that are mappings
};

Node taken_out(Node& root, const std::string& section) {
  for (std::size_t k = 0; k < root.keys.size(); ++k) {
    if (root.keys[k].text.text != section) continue;
    Node value = root.items[k];
    root.keys.erase(root.keys.begin() + static_cast<std::ptrdiff_t>(k));
    root.items.erase(root.items.begin() + static_cast<std::ptrdiff_t>(k));
    return value;
  }
  return {};
}

/// A file as the system knows it, whatever its name.
using Identity = std::pair<dev_t, ino_t>;

Identity identity(const std::string& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 ? Identity{status.st_dev, status.st_ino} : Identity{};
}

/// The files that were read, and those of them that are being read: the one at hand, and those that include it.
struct Reading {
  std::list<std::string>& files;
  RobotReading& robots;
  std::set<Identity> read, open;
};

/// The tree of one file, whose places point at it.
Node stamped_tree(const std::string& path, std::list<std::string>& files, RobotReading& robots) {
  files.push_back(path);
  const std::string* name = &files.back();
  Node tree = read_tree(file_text(path), path, robots);
  stamp(tree, name);
  expect_mapping(tree, "a model", path);
  return tree;
}

void include_all(Node& root, const std::string& file, Reading& reading);

/// Puts a file over what is there, unless it was reached by another way: it stands in the model once.
void include(const Node& name, const std::string& file, Reading& reading, Merging& before) {
  const std::string& given = expect_scalar(name, "include", file).text;
  const std::string path = (fs::path(file).parent_path() / given).string();
  if (!fs::is_regular_file(path)) {
    throw InputError(place_at(file, name.position), fmt::format("there is no file '{}' to include", given),
                     "give its path relative to this file");
  }
  const Identity id = identity(path);
  if (reading.open.contains(id)) {
    throw InputError(place_at(file, name.position), "the files include one another in a circle",
                     "take out one of the lines include:");
  }
  if (!reading.read.insert(id).second) return;
  Node included = stamped_tree(path, reading.files, reading.robots);
  include_all(included, path, reading);
  before.put_over(std::move(included));
}

void include_all(Node& root, const std::string& file, Reading& reading) {
  if (root.kind != Node::Kind::mapping) return;
  const bool named = root.find("include") != nullptr;
  const Node names = taken_out(root, "include");
  if (names.kind == Node::Kind::null && !named) return;
  if (names.kind == Node::Kind::null) {
    throw InputError(place_at(file, names.position), "include: names no file", "give a path relative to this file");
  }
  const Identity own = identity(file);
  reading.open.insert(own);
  Merging merging;  // the later files over the earlier, and this one over all
  for (const Node& name : names.kind == Node::Kind::list ? names.items : std::vector<Node>{names})
    include(name, file, reading, merging);
  reading.open.erase(own);
  merging.put_over(std::move(root));
  root = merging.take();
}

}  // namespace

Node with_inclusions(Node root, const std::string& file, std::list<std::string>& files, RobotReading& robots) {
  Reading reading{files, robots, {}, {}};
  for (const std::string& known : files) reading.read.insert(identity(known));
  include_all(root, file, reading);
  return root;
}

Node tree_of_file(const std::string& path, std::list<std::string>& files, RobotReading& robots) {
  return with_inclusions(stamped_tree(path, files, robots), path, files, robots);
}

}  // namespace taut
