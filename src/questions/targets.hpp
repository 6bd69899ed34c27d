#pragma once

#include <string>
#include <vector>

namespace taut {

/// What is made of an output along a run: its value at the end, its integral, or its largest or least value.
enum class TargetKind { last, integral, largest, least };

struct Target {
  TargetKind kind = TargetKind::last;
  std::string of;  ///< an output, a coordinate, …

  bool is_extreme() const { return kind == TargetKind::largest || kind == TargetKind::least; }
};

/// NAME, integral(NAME), max(NAME) or min(NAME).
Target target_of(const std::string& name);
std::vector<Target> targets_of(const std::vector<std::string>& names);

}  // namespace taut
