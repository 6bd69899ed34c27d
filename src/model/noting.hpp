#pragma once

#include <fmt/format.h>

#include "model/scope.hpp"

namespace taut {

/// " (in part 'left', with i = 3)": which of many equal things an error concerns.
inline std::string note_of(const Indices& around) {
  std::string with;
  for (const Index& index : around.values)
    with += fmt::format("{}{} = {}", with.empty() ? "" : ", ", index.name, index.value);
  std::string note = around.part == nullptr ? "" : fmt::format("in part '{}'", around.part->name());
  if (!with.empty()) note += fmt::format("{}with {}", note.empty() ? "" : ", ", with);
  return note.empty() ? "" : fmt::format(" ({})", note);
}

/// Does something; an error in it says where in the model that was.
template <class Action>
decltype(auto) noting(const Indices& around, Action action) {
  try {
    return action();
  } catch (const InputError& error) {
    throw InputError(error.place(), error.message() + note_of(around), error.remedy());
  }
}

}  // namespace taut
