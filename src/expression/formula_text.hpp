#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expression/parser.hpp"

/// The characters of formulas, and how messages show them.
namespace taut {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_in_name(char c) { return is_letter(c) || is_digit(c) || c == '.'; }
constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
/// The second and later bytes of a character in UTF-8.
constexpr bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Text as it may stand in a message: quoted, and of bearable length.
std::string in_quotes(std::string_view text);
/// "did you mean 'x'?", or "" where nothing is near.
std::string perhaps(const std::string& name, const std::vector<std::string>& known);
/// The names that a misspelt one may have meant.
std::vector<std::string> known_names(const Names& names);
/// What to write instead of a character that looks right and is not.
std::string replacement(std::string_view character);

}  // namespace taut
