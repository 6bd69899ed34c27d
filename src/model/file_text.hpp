#pragma once

#include <string>

namespace taut {

/// The content of a model file. Throws InputError for what is no file, cannot be read, or is too large.
std::string file_text(const std::string& path);

}  // namespace taut
