#pragma once

#include <functional>
#include <string>

namespace taut {

/// Tries something that may crash, loop or eat memory in a child of this program, with limits on time and memory.
/// Returns "" if it went well, and otherwise why not: what the attempt itself said, or how the child came to its end.
/// `work` returns "" for well; what it changes in memory is lost. To be called before there are other threads.
std::string try_in_child(const std::function<std::string()>& work, double seconds, std::size_t bytes);

}  // namespace taut
