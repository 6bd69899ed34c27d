#include "model/start_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/nearest.hpp"
#include "model/assignments.hpp"
#include "model/sections.hpp"

namespace taut {
namespace {

/// The values of one start: `NAME: VALUE`, or `NAME: [VALUE, RATE]`, where NAME is what --set takes, or a coordinate.
class StartReader {
 public:
  explicit StartReader(ReadingContext& in) : in_(in), known_(assignable_names(in.model)) {
    is_known_.insert(known_.begin(), known_.end());
  }

  void read(const yaml::Node& key, const yaml::Node& entry) {
    const std::string& name = key.text.text;
    const auto is_it = [&](const NamedStart& other) { return other.name == name; };
    if (std::ranges::any_of(in_.model.starts, is_it))
      in_.refuse(key, fmt::format("there are two starts '{}'", name), "rename one of them");
    NamedStart start{name, {}, in_.place(key)};
    expect_mapping(entry, fmt::format("start '{}'", name), in_.file);
    for (std::size_t k = 0; k < entry.keys.size(); ++k) add(entry.keys[k], entry.items[k], start);
    in_.model.starts.push_back(std::move(start));
  }

 private:
  void add(const yaml::Node& key, const yaml::Node& value, NamedStart& start) const {
    if (value.kind != yaml::Node::Kind::list) {
      start.values.emplace_back(settable(key, {key.text.text, key.text.text + "(0)"}), text(value));
      return;
    }
    if (value.items.size() != 2)
      in_.refuse(value, fmt::format("start '{}' gives '{}' {} values", start.name, key.text.text, value.items.size()),
                 "give a value, or [value, rate]");
    start.values.emplace_back(settable(key, {key.text.text + "(0)"}), text(value.items[0]));
    start.values.emplace_back(settable(key, {key.text.text + "'(0)"}), text(value.items[1]));
  }

  std::string text(const yaml::Node& value) const { return expect_scalar(value, "a value of a start", in_.file).text; }

  /// The first of the names that can be set.
  std::string settable(const yaml::Node& key, const std::vector<std::string>& names) const {
    for (const std::string& name : names)
      if (is_known_.contains(name)) return name;
    const std::string near = nearest_assignable(names.back(), known_);
    in_.refuse(key, fmt::format("nothing in the model that can be set is named '{}'", key.text.text),
               near.empty() ? "name a parameter, a coordinate, or a joint's angle, travel or rate"
                            : fmt::format("did you mean '{}'?", near));
  }

  ReadingContext& in_;
  std::vector<std::string> known_;
  std::unordered_set<std::string> is_known_;
};

}  // namespace

void read_starts(ReadingContext& in) {
  const yaml::Node* section = in.root.find("starts");
  if (section == nullptr) return;
  expect_mapping(*section, "starts", in.file);
  StartReader reader(in);
  for (std::size_t k = 0; k < section->keys.size(); ++k) reader.read(section->keys[k], section->items[k]);
}

std::vector<Assignment> start_values(const Model& model, const std::string& name) {
  if (name.empty()) return {};
  std::vector<std::string> names;
  for (const NamedStart& start : model.starts) {
    if (start.name == name) return start.values;
    names.push_back(start.name);
  }
  throw InputError(fmt::format("the model has no start '{}'", name),
                   names.empty() ? "name starts in a section 'starts:'" : did_you_mean(name, names));
}

}  // namespace taut
