#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

/// Truths are computed in a longer type than the program under test uses.
namespace taut::hunt {

using Real = long double;
using State = std::vector<Real>;

constexpr Real pi = 3.14159265358979323846264338327950288L;

/// A number as a model file holds it: the fewest digits that mean this very double.
inline std::string text_of(Real value) { return fmt::format("{}", static_cast<double>(value)); }

}  // namespace taut::hunt
