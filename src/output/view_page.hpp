#pragma once

#include <string_view>

namespace taut {

/// The page that `taut view` serves, with everything it needs but the run, made when the program is built. The mark
/// `@NONCE@` stands where the word goes that lets a script run. Empty where the build was told to leave it out.
std::string_view view_page();

}  // namespace taut
