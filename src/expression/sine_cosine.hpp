#pragma once

#include <cmath>
#include <string_view>

// Outside the namespace, as in C. Inlined always: a loop over lanes for wider registers must not call what was compiled
// for narrower ones.
#define TAUT_INLINE [[gnu::always_inline]] inline
#define TAUT_FUNCTION inline
#include "expression/sine_cosine.h"
#include "expression/sine_cosine_four.h"
#undef TAUT_INLINE
#undef TAUT_FUNCTION

namespace taut {

/// The text of that file, for emitted C.
std::string_view sine_cosine_text();
std::string_view sine_cosine_four_text();

}  // namespace taut
