#include "cli/bench_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/characters.hpp"

namespace taut::cli {
std::string time_text(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.3g} µs", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const std::string& head : heads) widths.push_back(characters(head));
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], characters(row[i]));
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string out;
    for (std::size_t i = 0; i < cells.size(); ++i)
      out += "  " + cells[i] + std::string(i + 1 < cells.size() ? widths[i] - characters(cells[i]) : 0, ' ');
    return out + "\n";
  };
  std::string out = line(heads);
  for (const auto& row : rows) out += line(row);
  return out;
}

std::string Table::markdown() const {
  const auto line = [](const std::vector<std::string>& cells) {
    std::string out = "|";
    for (const std::string& cell : cells) out += " " + cell + " |";
    return out + "\n";
  };
  std::string out = line(heads) + "|";
  for (std::size_t i = 0; i < heads.size(); ++i) out += "---|";
  out += "\n";
  for (const auto& row : rows) out += line(row);
  return out;
}

}  // namespace taut::cli
