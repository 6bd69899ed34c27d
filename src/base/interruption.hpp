#pragma once

#include <atomic>

namespace taut {

/// Set once the user asks the program to end. Whatever waits for something else looks at it; a run is asked by its
/// observer. A library in someone else's program never sets it.
inline std::atomic<bool>& interruption() {
  static_assert(std::atomic<bool>::is_always_lock_free, "a signal's handler sets it");
  static std::atomic<bool> asked = false;
  return asked;
}

}  // namespace taut
