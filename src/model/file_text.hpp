#pragma once

#include <string>

namespace taut {

/// The content of a model file. Throws InputError for what is no file, cannot be read, or is too large.
std::string file_text(const std::string& path);

/// Throws InputError where a name leads to something that may have no end, or never begin: a device or a pipe.
void require_readable(const std::string& path, bool pipes_too = false);

}  // namespace taut
