#pragma once

#include <string>
#include <string_view>

/// The page of web/ as a file: what is shown stands in it as JSON, long columns as binary numbers.
namespace taut {

/// Throws InputError if the name does not end in .html, or this build has no page.
void require_page(const std::string& file);

/// The page that shows `json`; `data` is the binary part it refers to, in base64.
std::string filled_page(std::string_view json, std::string_view data);

}  // namespace taut
