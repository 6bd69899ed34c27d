#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "model/declare.hpp"
#include "model/reader.hpp"
#include "model/sections.hpp"

/// The sections that say what is recorded and watched, and how to simulate.
namespace taut {
namespace {

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

/// Lets constraints, and other outputs, use an output by its name, wherever it stands. A vector has three.
void Reader::name_outputs() {
  each_entry("outputs", [&](const Entry& entry) {
    const auto name = [&](const std::string& whole, int component) {
      if (scope_.knows(whole)) return;
      const Node* node = &entry.value;
      const Part* part = &entry.part;
      scope_.add_derivable(
          whole, [this, whole, component, node, part] { return output_value(whole, *node, *part, component); });
    };
    const bool is_vector = entry.value.kind == Node::Kind::scalar && Scope::is_vector(entry.value.text.text);
    if (!is_vector) return name(entry.name, 0);
    for (int k = 0; k < 3; ++k) name(fmt::format("{}.{}", entry.name, "xyz"[k]), k);
  });
}

Expression Reader::output_value(const std::string& name, const Node& node, const Part& part, int component) {
  if (std::ranges::find(deriving_, name) != deriving_.end())
    refuse(node, fmt::format("output '{}' is given by itself: {} -> {}", name, fmt::join(deriving_, " -> "), name),
           "let one of them do without the other");
  deriving_.push_back(name);
  const std::string what = fmt::format("output '{}'", name);
  const bool is_vector = node.kind == Node::Kind::scalar && Scope::is_vector(node.text.text);
  const Expression value = is_vector ? vector(node, what, context::output, part)[static_cast<std::size_t>(component)]
                                     : formula(node, what, context::output, part);
  deriving_.pop_back();
  return value;
}

void Reader::read_outputs() {
  std::unordered_set<std::string> seen;
  const auto add = [&](const Entry& entry, const std::string& name, const Expression& value) {
    if (!seen.insert(name).second) {
      throw InputError(entry.place, fmt::format("two outputs are named '{}'", name),
                       "choose another name; in a repetition, put {i} into it");
    }
    add_output(model_, name, entry.place).value = value;
  };
  each_entry("outputs", [&](const Entry& entry) {
    const std::string what = fmt::format("output '{}'", entry.name);
    if (entry.value.kind != Node::Kind::scalar || !Scope::is_vector(entry.value.text.text))
      return add(entry, entry.name, formula(entry.value, what, context::output, entry.part));
    const std::vector<Expression> components = vector(entry.value, what, context::output, entry.part);
    for (std::size_t k = 0; k < 3; ++k) add(entry, fmt::format("{}.{}", entry.name, "xyz"[k]), components[k]);
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
