#pragma once

#include <string>

namespace taut::cli {

/// Writes a drawing to a file: as it is where the name ends in .svg, rasterised where it ends in .png, `scale` dots to
/// a unit of the drawing. Throws InputError for another ending, std::runtime_error if the file cannot be written.
void write_picture(const std::string& file, const std::string& svg, double scale);

/// Throws InputError if the name of a picture does not end in .svg or .png.
void check_picture_name(const std::string& file);

}  // namespace taut::cli
