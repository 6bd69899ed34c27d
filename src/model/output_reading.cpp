#include "model/output_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "model/declare.hpp"
#include "model/keys.hpp"
#include "model/sections.hpp"

namespace taut {
namespace {

/// An output is a formula, or a mapping that says more of it.
struct GivenOutput {
  std::optional<Value> value;
  std::string unit, group;
};

constexpr const char* write_an_output = "write {value: FORMULA, unit: N}";
const Keys<GivenOutput> output_keys{{
    {"value", [](const Value& v, GivenOutput& output) { output.value = v; }, write_an_output},
    {"unit", [](const Value& v, GivenOutput& output) { output.unit = v.scalar().text; }},
    {"group", [](const Value& v, GivenOutput& output) { output.group = v.filled().text; }},
}};

GivenOutput given_output(const Value& value) {
  GivenOutput output;
  if (value.is_mapping())
    read_keys(value, output_keys, output);
  else
    output.value = value;
  return output;
}

}  // namespace

// ---- outputs ------------------------------------------------------------------------------------

/// A vector has three names.
void OutputReader::name_outputs() {
  in_.each_entry("outputs", [&](const Entry& entry) {
    const Value given = *given_output(entry.value.called(fmt::format("output '{}'", entry.name))).value;
    const auto name = [&](const std::string& whole, int component) {
      if (in_.scope.knows(whole)) return;
      const Value output = given.called(whole);
      in_.scope.add_derivable(whole, [this, output, component] { return output_value(output, component); });
    };
    if (!given.is_vector_text()) return name(entry.name, 0);
    for (int k = 0; k < 3; ++k) name(fmt::format("{}.{}", entry.name, "xyz"[k]), k);
  });
}

Expression OutputReader::output_value(const Value& output, int component) {
  const std::string& name = output.what();
  if (std::ranges::find(deriving_, name) != deriving_.end())
    output.refuse(fmt::format("output '{}' is given by itself: {} -> {}", name, fmt::join(deriving_, " -> "), name),
                  "let one of them do without the other");
  deriving_.push_back(name);
  const Value value = output.called(fmt::format("output '{}'", name));
  const Expression meaning = value.is_vector_text() ? value.vector(context::output)[static_cast<std::size_t>(component)]
                                                    : value.formula(context::output);
  deriving_.pop_back();
  return meaning;
}

void OutputReader::read() {
  std::unordered_set<std::string> seen;
  GivenOutput about;
  const auto add = [&](const Entry& entry, const std::string& name, const Expression& value) {
    if (!seen.insert(name).second) {
      throw InputError(entry.place, fmt::format("two outputs are named '{}'", name),
                       "choose another name; in a repetition, put {i} into it");
    }
    Output& output = add_output(in_.model, name, entry.place);
    output.value = value;
    output.unit = about.unit;
    output.group = about.group;
  };
  in_.each_entry("outputs", [&](const Entry& entry) {
    about = given_output(entry.value.called(fmt::format("output '{}'", entry.name)));
    const Value value = about.value->called(fmt::format("output '{}'", entry.name));
    if (!value.is_vector_text()) return add(entry, entry.name, value.formula(context::output));
    const std::vector<Expression> components = value.vector(context::output);
    for (std::size_t k = 0; k < 3; ++k) add(entry, fmt::format("{}.{}", entry.name, "xyz"[k]), components[k]);
  });
}

// ---- how to simulate ----------------------------------------------------------------------------

namespace {

std::string joined(const std::string& options, const std::string& key, const std::string& value) {
  return fmt::format("{}{}{}={}", options, options.empty() ? "" : ", ", key, value);
}

/// The entries of a mapping as "a=1, b=2", but for one key.
std::string listed_options(const yaml::Node& node, const std::string& except, const std::string& file) {
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
    return with_options(expect_scalar(*name, "name", file).text, listed_options(node, "name", file));
  }
  if (node.keys.size() != 1) {
    throw InputError(place_at(file, node.position), fmt::format("{} names no single choice", what),
                     "write {NAME: {option: value}} or {name: NAME, option: value}");
  }
  const std::string& name = node.keys[0].text.text;
  const yaml::Node& options = node.items[0];
  if (options.kind == yaml::Node::Kind::null) return name;
  return with_options(name,
                      listed_options(expect_mapping(options, fmt::format("the options of {}", name), file), "", file));
}

}  // namespace

void read_conserve(ReadingContext& in) {
  const yaml::Node* node = in.root.find("conserve");
  if (node == nullptr) return;
  const std::string& text = expect_scalar(*node, "conserve", in.file).text;
  if (text != "energy") in.refuse(*node, fmt::format("'{}' cannot be conserved", text), "write 'conserve: energy'");
  if (!in.model.mass_matrix.empty() && !in.model.energy) {
    in.refuse(*node, "the energy is to be conserved, but beside a mass_matrix it is not known",
              "give it, as 'energy: FORMULA'");
  }
  in.model.conserve_energy = true;
}

void read_simulate(ReadingContext& in) {
  const yaml::Node* node = in.root.find("simulate");
  if (node == nullptr) return;
  expect_mapping(*node, "simulate", in.file);
  for (std::size_t k = 0; k < node->keys.size(); ++k) {
    const std::string& key = node->keys[k].text.text;
    in.model.simulate.push_back({key, setting_text(node->items[k], key, in.file), in.place(node->keys[k])});
  }
}

}  // namespace taut
