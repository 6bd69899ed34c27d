#pragma once

#include <string>

#include "output/text.hpp"
#include "taut/compare.hpp"

/// Comparisons as people and programs read them, and the tables that they may be compared with.
namespace taut {

/// An aligned table, or one for each method where an option is swept; the best figure of each column in bold.
std::string to_text(const Comparison& comparison, Colour colour = Colour::off);
/// One line per row. A figure that does not exist is empty.
std::string to_csv(const Comparison& comparison);
/// One object. A figure that does not exist, or is not finite, is null.
std::string to_json(const Comparison& comparison);

/// Reads a table of numbers with one header line, as `taut run --output` writes it. Throws InputError.
Trajectory read_table(const std::string& file);

}  // namespace taut
