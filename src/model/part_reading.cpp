#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "model/assignments.hpp"
#include "model/declare.hpp"
#include "model/inclusion.hpp"
#include "model/noting.hpp"
#include "model/reader.hpp"
#include "model/sections.hpp"

/// Models inside the model: `parts:` makes instances of other files, whose names get the part's before them. A model
/// and its parts are then read as if all stood in one file, inner parts before what they are parts of.
namespace taut {
namespace {

namespace fs = std::filesystem;

/// More than this, repetitions counted, are a slip of the pen.
constexpr std::size_t most_parts = 1'000'000;

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::equivalent(a, b, error);
}

/// What makes sense in a whole model only.
void check_sections_of_part(const yaml::Node& root, const std::string& file) {
  check_sections(root, file);
  for (const yaml::Node& key : root.keys) {
    if (key.text.text != "mass_matrix" && key.text.text != "energy") continue;
    throw InputError(
        place_at(file, key.position),
        fmt::format("a part cannot have the section '{}', which is about all coordinates of a model", key.text.text),
        "give the part's kinetic_energy and potential_energy: energies of parts add up");
  }
}

}  // namespace

/// Reads the parameters of a file, then of its parts, and appends to parts_ what is in the parts and then the file.
void Reader::expand(const Node& root, const Instance* around) {
  const Indices here{.values = {}, .part = around};
  const std::vector<Part> passes = noting(here, [&] {
    read_parameters({&root, here});
    return repetition_.parts(root, around);
  });
  for (const Part& pass : passes) read_parts(pass);
  parts_.insert(parts_.end(), passes.begin(), passes.end());
  if (parts_.size() > most_parts)
    refuse(root, fmt::format("the model has more than {} parts", most_parts), "make fewer of them");
}

void Reader::read_parts(const Part& pass) {
  const Node* section = pass.body->find("parts");
  if (section == nullptr) return;
  noting(pass.indices, [&] { expect_mapping(*section, "parts", file_); });
  for (std::size_t k = 0; k < section->keys.size(); ++k) {
    const Instance& part =
        noting(pass.indices, [&]() -> const Instance& { return read_part(section->keys[k], section->items[k], pass); });
    expand(part_tree(part), &part);
  }
}

const Instance& Reader::read_part(const Node& key, const Node& value, const Part& pass) {
  const std::string name = pass.indices.full(repetition_.filled(key.text, pass.indices).text);
  const std::string what = fmt::format("part '{}'", name);
  claim_name(model_, name, "a part", place(key));
  check_keys(value, what, {"model", "set", "at", "orientation"});
  const Node* model = value.find("model");
  if (model == nullptr) refuse(value, fmt::format("{} lacks 'model'", what), "name its file: {model: leg.yaml}");
  Instance& part = instances_.emplace_back();
  part.prefix = name + ".";
  part.file = part_file(*model, what, pass);
  part.around = pass.indices.part;
  part.index = static_cast<int>(model_.parts.size());
  refuse_circle(*model, part);
  model_.parts.push_back({name, part.around == nullptr ? -1 : part.around->index, part.file});
  part.placement = placement(value, what, pass);
  if (const Node* moved = value.find("at") ? value.find("at") : value.find("orientation"))
    placed_.emplace_back(&part, moved);
  if (const Node* set = value.find("set")) take_settings(*set, what, part, pass);
  return part;
}

/// Paths are relative to the file that names them.
std::string Reader::part_file(const Node& node, const std::string& what, const Part& pass) const {
  const std::string& text = expect_scalar(node, fmt::format("the model of {}", what), file_).text;
  const std::string given = repetition_.filled(node.text, pass.indices).text;
  const fs::path path = fs::path(place(node).file.text()).parent_path() / given;
  if (!fs::is_regular_file(path))
    refuse(node, fmt::format("there is no file '{}' for {}", text, what), "give its path relative to this file");
  return path.lexically_normal().string();
}

void Reader::refuse_circle(const Node& node, const Instance& instance) const {
  std::vector<std::string> chain{instance.file};
  const auto is_around = [&](const std::string& file) {
    chain.insert(chain.begin(), file);
    return same_file(file, instance.file);
  };
  bool found = false;
  for (const Instance* outer = instance.around; outer != nullptr && !found; outer = outer->around)
    found = is_around(outer->file);
  if (!found && !is_around(file_)) return;
  refuse(node, fmt::format("models are parts of one another in a circle: {}", fmt::join(chain, " -> ")),
         "take one of them out of 'parts'");
}

const yaml::Node& Reader::part_tree(const Instance& instance) {
  const auto [entry, is_new] = part_files_.try_emplace(instance.file);
  PartFile& file = entry->second;
  if (!is_new) return file.tree;
  return noting({.values = {}, .part = &instance}, [&]() -> const Node& {
    file.tree = tree_of_file(instance.file, file.files, &model_.notes);
    check_sections_of_part(file.tree, instance.file);
    return file.tree;
  });
}

/// What the outer model says counts, so the first word that is said of a name is the last.
void Reader::take_settings(const Node& set, const std::string& what, const Instance& instance, const Part& pass) {
  expect_mapping(set, fmt::format("'set' of {}", what), file_);
  for (std::size_t k = 0; k < set.keys.size(); ++k) {
    const std::string name = instance.prefix + repetition_.filled(set.keys[k].text, pass.indices).text;
    settings_.try_emplace(name, Given{&set.keys[k], &set.items[k], pass, &instance});
  }
}

/// Every name that is set has to be there.
void Reader::check_settings() const {
  if (settings_.empty()) return;
  std::vector<std::string> known = assignable_names(model_);
  std::ranges::sort(known);
  for (const auto& [name, given] : settings_) {
    if (std::ranges::binary_search(known, name)) continue;
    const std::string& prefix = given.part->prefix;
    std::vector<std::string> own;
    for (const std::string& other : known)
      if (other.starts_with(prefix)) own.push_back(other.substr(prefix.size()));
    const std::string bare = name.substr(prefix.size());
    const std::string near = nearest_assignable(bare, own);
    refuse(*given.key, fmt::format("part '{}' has nothing named '{}' that can be set", given.part->name(), bare),
           near.empty() ? "set a parameter of its file, or an initial value as NAME(0) or NAME'(0)"
                        : fmt::format("did you mean '{}'?", near));
  }
}

/// What is in a part is said in its own file.
void Reader::refuse_name_of_part(const std::string& name, const Place& at, const Part& part) const {
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos) return;
  const auto whole = model_.names.find(part.indices.full(name.substr(0, dot)));
  if (whole == model_.names.end() || whole->second.what != "a part") return;
  throw InputError(
      at,
      fmt::format("'{}' would be a name of part '{}', and cannot be declared outside of it", name, name.substr(0, dot)),
      "declare it in the part's file; 'set' gives the part's parameters and initial values");
}

void Reader::give_rows(std::size_t first, const Part& part) {
  if (part.indices.part == nullptr) return;
  for (std::size_t k = first; k < model_.constraints.size(); ++k) model_.constraints[k].part = part.indices.part->index;
}

}  // namespace taut
