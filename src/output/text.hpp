#pragma once

#include <string>
#include <vector>

#include "taut/simulation.hpp"

/// Summaries, checks and lists as people read them.
namespace taut {

enum class Colour { off, on };

/// The verdict first, then what was kept, what happened and what it cost.
std::string to_text(const Summary& summary, Colour colour = Colour::off);
std::string to_text(const Check& check, Colour colour = Colour::off);

/// A list under its heading, one line per entry, with the options of each entry below it.
std::string to_text(const std::string& heading, const std::vector<ListEntry>& entries, Colour colour = Colour::off);
/// The same as a Markdown section with a table.
std::string to_markdown(const std::string& heading, const std::vector<ListEntry>& entries);
/// Options as they stand in the manual page, in troff's words.
std::string to_manual(const std::vector<ListEntry>& options);

}  // namespace taut
