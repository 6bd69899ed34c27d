#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace taut {

/// The length of the UTF-8 sequence at `i`, 0 if there is none that is valid (RFC 3629: no longer than need be, no
/// surrogates, nothing above U+10FFFF).
int utf8_length(std::string_view text, std::size_t i);

/// The first place that is no text for people: broken UTF-8, a control character other than tab, line feed and carriage
/// return, or one that turns the direction of what follows. std::string_view::npos if there is none.
std::size_t first_unprintable(std::string_view text);

/// The text with such places as escapes, \x1b: what a terminal can be shown.
std::string printable(std::string_view text);

}  // namespace taut
