#pragma once

#include <fmt/format.h>

#include "model/part_kinds.hpp"
#include "model/reading_context.hpp"

namespace taut {

/// The type of an entry of `joints:` or `forces:`; `part` says of which, "joint" or "force".
inline const PartType& read_part_type(const Entry& entry, const char* part, const std::vector<PartType>& types) {
  const std::string what = fmt::format("{} '{}'", part, entry.name);
  const auto node = entry.value.find("type");
  if (!node)
    throw InputError(entry.place, fmt::format("{} lacks 'type'", what),
                     fmt::format("there are {}", fmt::join(type_names(types), ", ")));
  const std::string wanted = node->called(fmt::format("the type of {}", what)).scalar().text;
  for (const PartType& type : types)
    if (type.name == wanted) return type;
  node->refuse(fmt::format("there is no {} of type '{}'", part, wanted), did_you_mean(wanted, type_names(types)));
}

}  // namespace taut
