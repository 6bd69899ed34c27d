#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "model/reading_context.hpp"
#include "model/sections.hpp"
#include "taut/mechanism.hpp"

/// Mappings in a model file, read by tables: a row is a key and what reads its value. What may stand in a mapping is
/// what the table has, so that no key is allowed and then passed over.
namespace taut {

template <class Target>
struct Key {
  std::string_view name;
  void (*read)(const Value& value, Target& target);
  const char* remedy = nullptr;  ///< where it is missing; null: it may be
};

/// What messages call the value of a key: "'length' of the spring 's'", or "the mass of body 'b'".
enum class KeyWords { quoted, plain };

template <class Target>
struct Keys {
  std::vector<Key<Target>> rows;
  KeyWords words = KeyWords::quoted;
  const char* remedy = nullptr;  ///< for a key that there is not; null: the nearest one is named

  std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const auto& row : rows) list.emplace_back(row.name);
    return list;
  }
  const Key<Target>* find(const std::string& name) const {
    const auto row = std::ranges::find(rows, std::string_view(name), &Key<Target>::name);
    return row == rows.end() ? nullptr : &*row;
  }
  Value value_of(std::string_view key, const yaml::Node& node, const Value& mapping) const {
    const bool quoted = words == KeyWords::quoted;
    return mapping.beside(node,
                          fmt::format("{}{}{} of {}", quoted ? "'" : "the ", key, quoted ? "'" : "", mapping.what()));
  }
};

/// Refuses a value that is no mapping, or has keys that are not known.
inline void check_keys(const Value& mapping, const std::vector<std::string>& known, const char* remedy = nullptr) {
  const ReadingContext& context = mapping.context();
  for (const yaml::Node& key : expect_mapping(mapping.node(), mapping.what(), context.file).keys) {
    const std::string& name = key.text.text;
    if (std::ranges::find(known, name) != known.end()) continue;
    context.refuse(key, fmt::format("{} has no '{}'", mapping.what(), name),
                   remedy != nullptr ? remedy : did_you_mean(name, known));
  }
}

/// Reads a mapping, in the order of the table.
template <class Target>
void read_keys(const Value& mapping, const Keys<Target>& keys, Target& target) {
  check_keys(mapping, keys.names(), keys.remedy);
  const auto node_of = [&](const Key<Target>& row) { return mapping.node().find(std::string(row.name)); };
  for (const auto& row : keys.rows)
    if (row.remedy != nullptr && node_of(row) == nullptr)
      mapping.refuse(fmt::format("{} lacks '{}'", mapping.what(), row.name), row.remedy);
  for (const auto& row : keys.rows)
    if (const yaml::Node* node = node_of(row)) row.read(keys.value_of(row.name, *node, mapping), target);
}

/// Of a table those keys that a kind of thing has, and `also`, which is read before.
template <class Target>
std::vector<std::string> keys_of_kind(const Keys<Target>& keys, const PartType& kind, const std::string& also) {
  std::vector<std::string> known{also};
  for (const auto* names : {&kind.needs, &kind.takes})
    for (const std::string_view name : *names)
      if (keys.find(std::string(name)) != nullptr) known.emplace_back(name);
  return known;
}

/// Reads a mapping, whose keys have been checked, in the order of the file; passes over a key that the table has not.
template <class Target>
void read_keys_in_order_of_file(const Value& mapping, const Keys<Target>& keys, Target& target) {
  for (std::size_t k = 0; k < mapping.node().keys.size(); ++k) {
    const auto* row = keys.find(mapping.node().keys[k].text.text);
    if (row != nullptr) row->read(keys.value_of(row->name, mapping.node().items[k], mapping), target);
  }
}

}  // namespace taut
