#include "model/repetition.hpp"

#include <fmt/format.h>

#include <cmath>

#include "expression/program.hpp"
#include "model/declare.hpp"
#include "model/sections.hpp"

namespace taut {
namespace {

/// More passes than this are a slip of the pen.
constexpr long most_repetitions = 1'000'000;

Place place_of(const yaml::Node& node, const std::string& file) { return place_at(file, node.position); }

}  // namespace

Repetition::Repetition(Model& model, std::string file, ParameterValue value)
    : model_(model), file_(std::move(file)), value_(std::move(value)) {}

std::vector<Part> Repetition::parts(const yaml::Node& root, const Instance* around) const {
  const Indices none{.values = {}, .part = around};
  std::vector<Part> parts{{&root, none}};
  add_nested(root, none, parts);
  return parts;
}

void Repetition::add_nested(const yaml::Node& body, const Indices& indices, std::vector<Part>& parts) const {
  const yaml::Node* repeat = body.find("repeat");
  if (repeat == nullptr) return;
  if (repeat->kind == yaml::Node::Kind::list) {
    for (const yaml::Node& entry : repeat->items) add_passes(entry, indices, parts);
  } else {
    add_passes(*repeat, indices, parts);
  }
}

void Repetition::add_passes(const yaml::Node& entry, const Indices& outer, std::vector<Part>& parts) const {
  expect_mapping(entry, "a repetition", file_);
  check_repeated_sections(entry, file_);
  Indices indices = outer;
  indices.values.push_back({index_name(entry, outer), 0});
  const long first = bound(entry, "from", outer);
  const long last = bound(entry, "to", outer);
  if (last - first >= most_repetitions - static_cast<long>(parts.size())) {
    throw InputError(place_of(*entry.find("to"), file_), fmt::format("more than {} repetitions", most_repetitions),
                     "repeat less often");
  }
  for (long i = first; i <= last; ++i) {
    indices.values.back().value = i;
    parts.push_back({&entry, indices});
    add_nested(entry, indices, parts);
  }
}

std::string Repetition::index_name(const yaml::Node& entry, const Indices& outer) const {
  const yaml::Node* node = entry.find("index");
  if (node == nullptr) {
    throw InputError(place_of(entry, file_), "a repetition has no index", "give its name, such as 'index: i'");
  }
  std::string name = expect_scalar(*node, "index", file_).text;
  const Place place = place_of(*node, file_);
  for (const Index& index : outer.values) {
    if (index.name != name) continue;
    throw InputError(place, fmt::format("the repetition around this one has the index '{}', too", name),
                     "choose another index");
  }
  const std::string full = outer.full(name);
  const auto taken = model_.names.find(full);
  if (taken == model_.names.end() || taken->second.what != "an index") claim_name(model_, full, "an index", place);
  return name;
}

long Repetition::bound(const yaml::Node& entry, const std::string& key, const Indices& indices) const {
  const yaml::Node* node = entry.find(key);
  if (node == nullptr) {
    throw InputError(place_of(entry, file_), fmt::format("a repetition has no '{}'", key),
                     "give its first and last index, such as 'from: 1' and 'to: N'");
  }
  return whole_number(filled(expect_scalar(*node, key, file_), indices), indices);
}

long Repetition::whole_number(const yaml::PlacedText& text, const Indices& indices) const {
  // Counting leaves nothing behind in the model's own graph.
  Graph scratch;
  Names names;
  names.graph = &scratch;
  names.name = [&](const std::string& name, const Place& place) -> Expression {
    for (const Index& index : indices.values) {
      if (index.name == name) return static_cast<double>(index.value);
    }
    return value_(indices.full(name), place);
  };
  const double value =
      with_places(text, file_, [&](const Place& start) { return evaluate(parse(text.text, names, start), {}); });
  const double whole = std::round(value);
  if (std::abs(value - whole) <= 1e-9 && std::abs(whole) <= 1e9) return static_cast<long>(whole);
  throw InputError(place_at(file_, text.at(0)),
                   fmt::format("'{}' is {}, and a repetition counts in whole numbers", text.text, value),
                   "give a whole number, or a formula that is one");
}

yaml::PlacedText Repetition::filled(const yaml::PlacedText& text, const Indices& indices) const {
  if (text.text.find('{') == std::string::npos) return text;
  yaml::PlacedText result;
  for (std::size_t k = 0; k < text.text.size(); ++k) {
    if (text.text[k] != '{') {
      result.append(text.text[k], text.positions[k]);
      continue;
    }
    const std::size_t end = text.text.find('}', k);
    if (end == std::string::npos) {
      throw InputError(place_at(file_, text.at(k)), "'{' without '}'", "write an index as {i} or {i+1}");
    }
    yaml::PlacedText inner;
    for (std::size_t j = k + 1; j < end; ++j) inner.append(text.text[j], text.positions[j]);
    if (inner.text.empty()) throw InputError(place_at(file_, text.at(k)), "'{}' holds nothing", "write {i} or {i+1}");
    for (const char c : std::to_string(whole_number(inner, indices))) result.append(c, text.positions[k]);
    k = end;
  }
  return result;
}

}  // namespace taut
