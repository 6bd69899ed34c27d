#include "model/inclusion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "model/file_text.hpp"
#include "model/model_tree.hpp"
#include "model/scope.hpp"
#include "model/sections.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;
using yaml::Node;

void stamp(Node& node, const std::string* file) {
  node.position.file = file;
  for (auto& position : node.text.positions) position.file = file;
  for (Node& key : node.keys) stamp(key, file);
  for (Node& item : node.items) stamp(item, file);
}

void put(Node& mapping, const Node& key, const Node& value) {
  const auto same = std::ranges::find_if(mapping.keys, [&](const Node& k) { return k.text.text == key.text.text; });
  if (same == mapping.keys.end()) {
    mapping.keys.push_back(key);
    mapping.items.push_back(value);
    return;
  }
  mapping.items[static_cast<std::size_t>(same - mapping.keys.begin())] = value;
  *same = key;
}

/// What two files say of one section.
Node together(const Node& included, const Node& own) {
  if (included.kind != own.kind) return own;
  Node both = included;
  if (own.kind == Node::Kind::mapping) {
    for (std::size_t k = 0; k < own.keys.size(); ++k) put(both, own.keys[k], own.items[k]);
    return both;
  }
  if (own.kind != Node::Kind::list) return own;
  both.items.insert(both.items.end(), own.items.begin(), own.items.end());
  return both;
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

void add_below(Node& root, const Node& included) {
  Node merged = included;
  list_repetitions(merged);
  list_repetitions(root);
  for (std::size_t k = 0; k < root.keys.size(); ++k) {
    const std::string& section = root.keys[k].text.text;
    const Node* before = merged.find(section);
    put(merged, root.keys[k], before && continues(section) ? together(*before, root.items[k]) : root.items[k]);
  }
  merged.position = root.position;
  root = std::move(merged);
}

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

bool is_among(const std::string& path, const std::list<std::string>& files) {
  std::error_code error;
  return std::ranges::any_of(files, [&](const std::string& file) { return fs::equivalent(file, path, error); });
}

/// The tree of one file, whose places point at it.
Node stamped_tree(const std::string& path, std::list<std::string>& files, std::vector<std::string>* notes) {
  files.push_back(path);
  const std::string* name = &files.back();
  Node tree = read_tree(file_text(path), path, notes);
  stamp(tree, name);
  expect_mapping(tree, "a model", path);
  return tree;
}

/// `chain` holds the files that are being read: the one that holds `root`, and those that include it.
void include_all(Node& root, const std::string& file, std::list<std::string>& files, std::list<std::string> chain,
                 std::vector<std::string>* notes) {
  if (root.kind != Node::Kind::mapping) return;
  const bool named = root.find("include") != nullptr;
  const Node include = taken_out(root, "include");
  if (include.kind == Node::Kind::null && !named) return;
  if (include.kind == Node::Kind::null) {
    throw InputError(place_at(file, include.position), "include: names no file", "give a path relative to this file");
  }
  chain.push_back(file);
  const std::vector<Node> names = include.kind == Node::Kind::list ? include.items : std::vector<Node>{include};
  Node before;  // what the files say together, the later ones over the earlier
  before.kind = Node::Kind::mapping;
  for (const Node& name : names) {
    const std::string& given = expect_scalar(name, "include", file).text;
    const std::string path = (fs::path(file).parent_path() / given).string();
    if (!fs::is_regular_file(path)) {
      throw InputError(place_at(file, name.position), fmt::format("there is no file '{}' to include", given),
                       "give its path relative to this file");
    }
    if (is_among(path, chain)) {
      throw InputError(place_at(file, name.position), "the files include one another in a circle",
                       "take out one of the lines include:");
    }
    if (is_among(path, files)) continue;  // reached by two ways, it stands in the model once
    Node included = stamped_tree(path, files, notes);
    include_all(included, path, files, chain, notes);
    add_below(included, before);
    before = std::move(included);
  }
  add_below(root, before);
}

}  // namespace

Node with_inclusions(Node root, const std::string& file, std::list<std::string>& files,
                     std::vector<std::string>* notes) {
  include_all(root, file, files, {}, notes);
  return root;
}

Node tree_of_file(const std::string& path, std::list<std::string>& files, std::vector<std::string>* notes) {
  return with_inclusions(stamped_tree(path, files, notes), path, files, notes);
}

}  // namespace taut
