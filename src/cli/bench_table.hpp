#pragma once

#include <string>
#include <vector>

namespace taut::cli {

/// Rows of words under heads, for a terminal or a page.
struct Table {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
  std::string text() const;
  std::string markdown() const;
};

/// A time in the unit that suits it: "3.2 µs".
std::string time_text(double seconds);

}  // namespace taut::cli
