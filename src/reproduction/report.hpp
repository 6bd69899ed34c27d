#pragma once

#include <string>

#include "output/text.hpp"
#include "reproduction/laboratory.hpp"

namespace taut {

/// The findings as a table for a terminal.
std::string to_text(const Reproduction& reproduction, Colour colour);
/// The findings with reasons and pictures, as a page of the documentation; pictures are files in `folder`.
std::string to_markdown(const Book& book, const Reproduction& reproduction, const std::string& folder);
/// The same as one self-contained page, that of web/.
std::string to_html(const Book& book, const Reproduction& reproduction);
/// The name of a picture's file.
std::string file_name(const Picture& picture);

}  // namespace taut
