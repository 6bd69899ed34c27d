#pragma once

#include <cstddef>
#include <string>

#include "output/text.hpp"

/// What the program says, and to whom: results on standard output, everything else on standard error.
namespace taut::cli {

/// Colour where standard output is a terminal and the user has not asked for none (NO_COLOR, TERM=dumb).
Colour output_colour();
bool errors_go_to_terminal();
/// How wide the terminal is to which errors go; 80 where nobody says.
std::size_t columns_of_errors();

/// Results. Throws std::system_error if they cannot be written; a reader who has left is no error.
void print(const std::string& text);
/// Results for people: where standard output is a terminal, long lines are folded to its width.
void tell(const std::string& text);
/// "taut: message" on standard error.
void complain(const std::string& message);

}  // namespace taut::cli
