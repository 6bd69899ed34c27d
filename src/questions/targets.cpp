#include "questions/targets.hpp"

#include <array>
#include <utility>

namespace taut {

Target target_of(const std::string& name) {
  constexpr std::array<std::pair<const char*, TargetKind>, 3> kinds{
      {{"integral(", TargetKind::integral}, {"max(", TargetKind::largest}, {"min(", TargetKind::least}}};
  for (const auto& [prefix, kind] : kinds) {
    const std::string begin = prefix;
    if (name.starts_with(begin) && name.ends_with(')'))
      return {kind, name.substr(begin.size(), name.size() - begin.size() - 1)};
  }
  return {TargetKind::last, name};
}

std::vector<Target> targets_of(const std::vector<std::string>& names) {
  std::vector<Target> targets;
  for (const std::string& name : names) targets.push_back(target_of(name));
  return targets;
}

}  // namespace taut
