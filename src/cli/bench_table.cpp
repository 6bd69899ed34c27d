#include "cli/bench_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace taut::cli {
namespace {

/// Signs, not bytes: a table may hold letters that take two.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](const char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string time_text(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.3g} µs", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const std::string& head : heads) widths.push_back(width(head));
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string out;
    for (std::size_t i = 0; i < cells.size(); ++i)
      out += "  " + cells[i] + std::string(i + 1 < cells.size() ? widths[i] - width(cells[i]) : 0, ' ');
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
