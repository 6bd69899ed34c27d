#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace taut::cli {

/// Writes the page of the documentation from a record, pictures in the folder pictures/performance beside it. What a
/// person wrote above the mark stays; what follows is made anew. Throws InputError if it cannot be written.
void write_performance_page(const std::filesystem::path& page, const nlohmann::json& record);

}  // namespace taut::cli
