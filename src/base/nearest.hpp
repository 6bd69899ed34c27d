#pragma once

#include <string>
#include <vector>

namespace taut {

/// The known name nearest to a misspelt one, or "" if none is near.
std::string nearest(const std::string& name, const std::vector<std::string>& known);

/// "did you mean 'x'?" for a name that is not known, or the names there are if none is near.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& known);

}  // namespace taut
