#pragma once

#include <cmath>
#include <string_view>

// Outside the namespace, as in C.
#define TAUT_INLINE inline
#define taut_sqrt std::sqrt
#define taut_abs std::abs
#include "linear/rank_revealing.h"
#undef TAUT_INLINE
#undef taut_sqrt
#undef taut_abs

namespace taut {

/// The text of that file, for emitted C.
std::string_view rank_revealing_text();

}  // namespace taut
