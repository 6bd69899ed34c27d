#include "model/part_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "model/assignments.hpp"
#include "model/declare.hpp"
#include "model/inclusion.hpp"
#include "model/keys.hpp"
#include "model/noting.hpp"
#include "model/parameter_reading.hpp"
#include "model/part_placement.hpp"
#include "model/sections.hpp"

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

/// What an entry of `parts:` says.
struct PartEntry {
  std::optional<Value> model, set, at, orientation;
};

const Keys<PartEntry> part_keys{{
    {"model", [](const Value& v, PartEntry& part) { part.model = v; }, "name its file: {model: leg.yaml}"},
    {"set", [](const Value& v, PartEntry& part) { part.set = v; }},
    {"at", [](const Value& v, PartEntry& part) { part.at = v; }},
    {"orientation", [](const Value& v, PartEntry& part) { part.orientation = v; }},
}};

}  // namespace

void PartReader::expand(const yaml::Node& root, const Instance* around) {
  const Indices here{.values = {}, .part = around};
  const std::vector<Part> passes = noting(here, [&] {
    read_parameters(in_, {&root, here});
    return in_.repetition.parts(root, around);
  });
  for (const Part& pass : passes) read_parts(pass);
  in_.parts.insert(in_.parts.end(), passes.begin(), passes.end());
  if (in_.parts.size() > most_parts)
    in_.refuse(root, fmt::format("the model has more than {} parts", most_parts), "make fewer of them");
}

void PartReader::read_parts(const Part& pass) {
  const yaml::Node* section = pass.body->find("parts");
  if (section == nullptr) return;
  noting(pass.indices, [&] { expect_mapping(*section, "parts", in_.file); });
  for (std::size_t k = 0; k < section->keys.size(); ++k) {
    const Instance& part = noting(pass.indices, [&]() -> const Instance& {
      return read_part(section->keys[k], {in_, section->items[k], "", pass}, pass);
    });
    expand(part_tree(part), &part);
  }
}

const Instance& PartReader::read_part(const yaml::Node& key, const Value& value, const Part& pass) {
  const std::string name = pass.indices.full(in_.repetition.filled(key.text, pass.indices).text);
  const std::string what = fmt::format("part '{}'", name);
  claim_name(in_.model, name, "a part", in_.place(key));
  PartEntry entry;
  read_keys(value.called(what), part_keys, entry);
  Instance& part = in_.instances.emplace_back();
  part.prefix = name + ".";
  part.file = part_file(entry.model->called(what));
  part.around = pass.indices.part;
  part.index = static_cast<int>(in_.model.parts.size());
  refuse_circle(*entry.model, part);
  in_.model.parts.push_back({name, part.around == nullptr ? -1 : part.around->index, part.file});
  if (entry.orientation) entry.orientation = entry.orientation->called(fmt::format("the orientation of {}", what));
  part.placement = read_placement(entry.at, entry.orientation, pass);
  if (const auto& moved = entry.at ? entry.at : entry.orientation) placed_.emplace_back(&part, &moved->node());
  if (entry.set) take_settings(*entry.set, part);
  return part;
}

/// Paths are relative to the file that names them.
std::string PartReader::part_file(const Value& value) const {
  const std::string& text = value.called(fmt::format("the model of {}", value.what())).scalar().text;
  const fs::path path = fs::path(value.place().file.text()).parent_path() / value.filled().text;
  if (!fs::is_regular_file(path))
    value.refuse(fmt::format("there is no file '{}' for {}", text, value.what()),
                 "give its path relative to this file");
  return path.lexically_normal().string();
}

void PartReader::refuse_circle(const Value& value, const Instance& instance) const {
  std::vector<std::string> chain{instance.file};
  const auto is_around = [&](const std::string& file) {
    chain.insert(chain.begin(), file);
    return same_file(file, instance.file);
  };
  bool found = false;
  for (const Instance* outer = instance.around; outer != nullptr && !found; outer = outer->around)
    found = is_around(outer->file);
  if (!found && !is_around(in_.file)) return;
  value.refuse(fmt::format("models are parts of one another in a circle: {}", fmt::join(chain, " -> ")),
               "take one of them out of 'parts'");
}

const yaml::Node& PartReader::part_tree(const Instance& instance) {
  const auto [entry, is_new] = part_files_.try_emplace(instance.file);
  PartFile& file = entry->second;
  if (!is_new) return file.tree;
  return noting({.values = {}, .part = &instance}, [&]() -> const yaml::Node& {
    RobotReading robots{in_.robots.options, {}};
    file.tree = tree_of_file(instance.file, file.files, robots);
    in_.model.notes.insert(in_.model.notes.end(), robots.notes.begin(), robots.notes.end());
    check_sections_of_part(file.tree, instance.file);
    return file.tree;
  });
}

/// What the outer model says counts, so the first word that is said of a name is the last.
void PartReader::take_settings(const Value& value, const Instance& instance) {
  const yaml::Node& set = expect_mapping(value.node(), value.what(), in_.file);
  const Part& pass = value.part();
  for (std::size_t k = 0; k < set.keys.size(); ++k) {
    const std::string name = instance.prefix + in_.repetition.filled(set.keys[k].text, pass.indices).text;
    in_.settings.try_emplace(name, ReadingContext::Given{&set.keys[k], &set.items[k], pass, &instance});
  }
}

void PartReader::check_settings() const {
  if (in_.settings.empty()) return;
  std::vector<std::string> known = assignable_names(in_.model);
  std::ranges::sort(known);
  for (const auto& [name, given] : in_.settings) {
    if (std::ranges::binary_search(known, name)) continue;
    const std::string& prefix = given.part->prefix;
    std::vector<std::string> own;
    for (const std::string& other : known)
      if (other.starts_with(prefix)) own.push_back(other.substr(prefix.size()));
    const std::string bare = name.substr(prefix.size());
    const std::string near = nearest_assignable(bare, own);
    in_.refuse(*given.key, fmt::format("part '{}' has nothing named '{}' that can be set", given.part->name(), bare),
               near.empty() ? "set a parameter of its file, or an initial value as NAME(0) or NAME'(0)"
                            : fmt::format("did you mean '{}'?", near));
  }
}

void PartReader::check_placements() const {
  for (const auto& [part, node] : placed_) {
    const auto belongs = [&](const Body& body) { return body.name.starts_with(part->prefix); };
    if (std::ranges::any_of(in_.model.bodies, belongs)) continue;
    in_.refuse(*node, fmt::format("part '{}' has no bodies that could be moved", part->name()),
               "let its file have parameters for where it stands, and give them under 'set'");
  }
}

}  // namespace taut
