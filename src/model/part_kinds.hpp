#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/nearest.hpp"
#include "taut/mechanism.hpp"

/// Joints and force elements alike are kinds in a list; each has a type, and a function that builds one.
namespace taut {

template <class Kinds>
std::vector<PartType> types_of(const Kinds& kinds) {
  std::vector<PartType> types;
  for (const auto& kind : kinds) types.push_back(kind.type);
  return types;
}

template <class Types>
std::vector<std::string> type_names(const Types& types) {
  std::vector<std::string> names;
  for (const auto& type : types) names.emplace_back(type.name);
  return names;
}

/// The kind that a description asks for; `part` says of what, "joint" or "force".
template <class Kinds, class Description>
const auto& kind_of(const Kinds& kinds, const Description& description, const char* part) {
  for (const auto& kind : kinds)
    if (kind.type.name == description.type) return kind;
  throw InputError(description.place,
                   fmt::format("{} '{}' is of type '{}', which there is not", part, description.name, description.type),
                   did_you_mean(description.type, type_names(types_of(kinds))));
}

}  // namespace taut
