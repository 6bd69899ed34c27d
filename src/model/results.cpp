#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "model/declare.hpp"
#include "model/reader.hpp"
#include "model/sections.hpp"

/// The sections that say what is recorded, watched and drawn, and how to simulate.
namespace taut {
namespace {

const std::vector<std::string> drawing_kinds{"line", "point", "polygon", "circle"};

std::string joined(const std::string& options, const std::string& key, const std::string& value) {
  return fmt::format("{}{}{}={}", options, options.empty() ? "" : ", ", key, value);
}

/// The entries of a mapping as "a=1, b=2", but for one key.
std::string option_list(const yaml::Node& node, const std::string& except, const std::string& file) {
  std::string options;
  for (std::size_t k = 0; k < node.keys.size(); ++k) {
    const std::string& key = node.keys[k].text.text;
    if (key != except) options = joined(options, key, expect_scalar(node.items[k], key, file).text);
  }
  return options;
}

std::string with_options(const std::string& name, const std::string& options) {
  return options.empty() ? name : fmt::format("{}({})", name, options);
}

/// A setting as the command line would have it: {baumgarte: {alpha: 1}} and {name: baumgarte, alpha: 1}
/// both are baumgarte(alpha=1).
std::string setting_text(const yaml::Node& node, const std::string& what, const std::string& file) {
  if (node.kind != yaml::Node::Kind::mapping) return expect_scalar(node, what, file).text;
  if (const yaml::Node* name = node.find("name")) {
    return with_options(expect_scalar(*name, "name", file).text, option_list(node, "name", file));
  }
  if (node.keys.size() != 1) {
    throw InputError(place_at(file, node.position), fmt::format("{} names no single choice", what),
                     "write {NAME: {option: value}} or {name: NAME, option: value}");
  }
  const std::string& name = node.keys[0].text.text;
  const yaml::Node& options = node.items[0];
  if (options.kind == yaml::Node::Kind::null) return name;
  return with_options(name,
                      option_list(expect_mapping(options, fmt::format("the options of {}", name), file), "", file));
}

}  // namespace

void Reader::read_outputs() {
  std::unordered_set<std::string> seen;
  each_entry("outputs", [&](const Entry& entry) {
    if (!seen.insert(entry.name).second) {
      throw InputError(entry.place, fmt::format("two outputs are named '{}'", entry.name),
                       "choose another name; in a repetition, put {i} into it");
    }
    Output& output = add_output(model_, entry.name, entry.place);
    output.value = formula(entry.value, fmt::format("output '{}'", entry.name), context::output, entry.part);
  });
}

void Reader::read_events() {
  std::unordered_set<std::string> seen;
  each_entry("events", [&](const Entry& entry) {
    check_label(entry.name, "an event", entry.place);
    if (!seen.insert(entry.name).second) {
      throw InputError(entry.place, fmt::format("two events are named '{}'", entry.name),
                       "choose another name; in a repetition, put {i} into it");
    }
    read_event(entry);
  });
}

void Reader::read_event(const Entry& entry) {
  const std::string what = fmt::format("event '{}'", entry.name);
  const std::string remedy = "write {when: FORMULA, stop: true}";
  const Node* when = &entry.value;
  bool stop = false;
  if (entry.value.kind == Node::Kind::mapping) {
    for (std::size_t k = 0; k < entry.value.keys.size(); ++k) {
      const Node& key = entry.value.keys[k];
      if (key.text.text == "when") continue;
      const std::string& text = expect_scalar(entry.value.items[k], key.text.text, file_).text;
      const bool is_stop = key.text.text == "stop" && (text == "true" || text == "false");
      if (!is_stop) refuse(key, fmt::format("{} has '{}: {}'", what, key.text.text, text), remedy);
      stop = text == "true";
    }
    when = entry.value.find("when");
    if (when == nullptr) refuse(entry.value, fmt::format("{} lacks 'when'", what), remedy);
  }
  model_.events.push_back({entry.name, formula(*when, what, context::output, entry.part), stop, entry.place});
}

void Reader::read_conserve() {
  const Node* node = root_.find("conserve");
  if (node == nullptr) return;
  const std::string& text = expect_scalar(*node, "conserve", file_).text;
  if (text != "energy") refuse(*node, fmt::format("'{}' cannot be conserved", text), "write 'conserve: energy'");
  if (!model_.mass_matrix.empty() && !model_.energy) {
    refuse(*node, "the energy is to be conserved, but beside a mass_matrix it is not known",
           "give it, as 'energy: FORMULA'");
  }
  model_.conserve_energy = true;
}

void Reader::read_drawing() {
  each_part("draw", [&](const Node& node, const Part& part) {
    for (const Node& item : expect_list(node, "draw", file_).items) read_drawing(item, part);
  });
}

void Reader::read_drawing(const Node& node, const Part& part) {
  Drawing drawing;
  const Node* points = nullptr;
  expect_mapping(node, "an entry of draw", file_);
  for (std::size_t k = 0; k < node.keys.size(); ++k) {
    const std::string& key = node.keys[k].text.text;
    if (key == "label") {
      drawing.label = repetition_.filled(expect_scalar(node.items[k], "label", file_), part.indices).text;
      continue;
    }
    if (std::ranges::find(drawing_kinds, key) == drawing_kinds.end() || points != nullptr) {
      refuse(node.keys[k], fmt::format("'{}' cannot be drawn here", key),
             fmt::format("each entry is one of {}, and may have a label", fmt::join(drawing_kinds, ", ")));
    }
    drawing.kind = key;
    points = &node.items[k];
  }
  if (points == nullptr) {
    refuse(node, "nothing to draw", fmt::format("give one of {}", fmt::join(drawing_kinds, ", ")));
  }
  drawing.points = drawn_points(*points, drawing.kind, part);
  model_.drawing.push_back(std::move(drawing));
}

std::vector<std::vector<Expression>> Reader::drawn_points(const Node& node, const std::string& kind,
                                                          const Part& part) const {
  std::vector<std::vector<Expression>> points;
  const auto add = [&](const Node& point) {
    points.push_back(vector(point, "a point to draw", context::output, part));
    const std::size_t size = points.back().size();
    if ((size == 2 || size == 3) && size == points[0].size()) return;
    refuse(point, fmt::format("a point to draw has {}", counted(size, "component")),
           "give each point two, or each three");
  };
  expect_list(node, kind, file_);
  // A single point needs no list around it.
  if (!node.items.empty() && node.items[0].kind != Node::Kind::list) {
    add(node);
  } else {
    for (const Node& point : node.items) add(point);
  }
  if (points.size() < (kind == "point" ? 1U : 2U)) {
    refuse(node, fmt::format("a {} through {}", kind, counted(points.size(), "point")),
           "give it more points, such as [[0, 0], [x, y]]");
  }
  return points;
}

void Reader::read_simulate() {
  const Node* node = root_.find("simulate");
  if (node == nullptr) return;
  expect_mapping(*node, "simulate", file_);
  for (std::size_t k = 0; k < node->keys.size(); ++k) {
    const std::string& key = node->keys[k].text.text;
    model_.simulate.push_back({key, setting_text(node->items[k], key, file_), place(node->keys[k])});
  }
}

}  // namespace taut
