#include "model/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "expression/parser.hpp"
#include "model/scope.hpp"

namespace taut {
namespace {

[[noreturn]] void refuse_section(const yaml::Node& key, const std::vector<std::string>& known,
                                 const std::string& message, const std::string& file) {
  const std::string near = nearest(key.text.text, known);
  throw InputError(
      place_at(file, key.position), message,
      near.empty() ? fmt::format("there are {}", fmt::join(known, ", ")) : fmt::format("did you mean '{}'?", near));
}

const Section* find_section(const std::string& name) {
  const auto found = std::ranges::find(sections, std::string_view(name), &Section::name);
  return found == sections.end() ? nullptr : &*found;
}

std::string_view kind_of(const yaml::Node& node) {
  switch (node.kind) {
    case yaml::Node::Kind::null:
      return "nothing";
    case yaml::Node::Kind::scalar:
      return "a single value";
    case yaml::Node::Kind::list:
      return "a list";
    case yaml::Node::Kind::mapping:
      return "a mapping";
  }
  return "";
}

void expect_kind(const yaml::Node& node, yaml::Node::Kind kind, const std::string& what, std::string_view shape,
                 std::string_view remedy, const std::string& file) {
  if (node.kind == kind) return;
  throw InputError(place_at(file, node.position), fmt::format("{} should be {}, and is {}", what, shape, kind_of(node)),
                   std::string(remedy));
}

}  // namespace

void check_sections(const yaml::Node& root, const std::string& file) {
  for (const yaml::Node& key : root.keys) {
    const std::string& name = key.text.text;
    if (find_section(name) != nullptr) continue;
    std::vector<std::string> known;
    for (const Section& section : sections) known.emplace_back(section.name);
    refuse_section(key, known, fmt::format("there is no section '{}'", name), file);
  }
}

void check_repeated_sections(const yaml::Node& entry, const std::string& file) {
  std::vector<std::string> known{"index", "from", "to"};
  for (const Section& section : sections) {
    if (section.repeatable) known.emplace_back(section.name);
  }
  for (const yaml::Node& key : entry.keys) {
    const std::string& name = key.text.text;
    if (std::ranges::find(known, name) != known.end()) continue;
    if (find_section(name) != nullptr) {
      throw InputError(place_at(file, key.position), fmt::format("'{}' cannot be repeated", name),
                       "move it out of 'repeat', to the top of the file");
    }
    refuse_section(key, known, fmt::format("there is no section '{}' to repeat", name), file);
  }
}

const yaml::Node& expect_mapping(const yaml::Node& node, const std::string& what, const std::string& file) {
  expect_kind(node, yaml::Node::Kind::mapping, what, "a mapping", "write 'name: value', one in each line", file);
  return node;
}

const yaml::Node& expect_list(const yaml::Node& node, const std::string& what, const std::string& file) {
  expect_kind(node, yaml::Node::Kind::list, what, "a list", "write a list, such as [a, b]", file);
  return node;
}

const yaml::PlacedText& expect_scalar(const yaml::Node& node, const std::string& what, const std::string& file) {
  expect_kind(node, yaml::Node::Kind::scalar, what, "a single value", "write a number, a name or a formula", file);
  return node.text;
}

std::string counted(std::size_t number, const std::string& thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

}  // namespace taut
