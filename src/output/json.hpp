#pragma once

#include <string>

#include "taut/simulation.hpp"

namespace taut {

/// The summary as one JSON object. A figure that does not exist, or is not finite, is null; every number
/// parses back to the same double.
std::string to_json(const Summary& summary);
std::string to_json(const Check& check);

/// What `taut list` shows of one kind of thing.
struct NamedList {
  std::string name;
  std::vector<ListEntry> entries;
};
/// One object with a list of entries under each name.
std::string to_json(const std::vector<NamedList>& lists);

/// The word for an outcome: "done", "stopped", "interrupted", "failed".
std::string to_string(Outcome outcome);

}  // namespace taut
