#pragma once

#include <string_view>

namespace taut {

/// The page of web/ with everything it needs, made when the program is built. The marks `@RUN@` and `@DATA@` stand
/// where a run's figures go. Empty where the build was told to leave it out.
std::string_view report_page();

}  // namespace taut
