#include "output/folding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace taut {
namespace {

constexpr char escape = '\x1b';
/// Where the text of a labelled line begins, and where that of any other line goes on.
constexpr std::size_t label_width = 15, other_width = 2;

/// How many columns text takes.
std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == escape) {
      k = std::min(text.find('m', k), text.size());
      continue;
    }
    const bool goes_on = (static_cast<unsigned char>(text[k]) & 0xC0U) == 0x80U;
    if (!goes_on) ++width;
  }
  return width;
}

/// Where a word ends; a name and its value, "x = 1", are one.
std::size_t end_of_word(std::string_view line, std::size_t from) {
  std::size_t end = std::min(line.find(' ', from), line.size());
  while (line.substr(end).starts_with(" = ")) end = std::min(line.find(' ', end + 3), line.size());
  return end;
}

std::string folded_line(std::string_view line, std::size_t columns) {
  const std::size_t indent = line.starts_with("  ") ? label_width : other_width;
  if (width_of(line) <= columns || columns < 2 * indent) return std::string(line);
  std::string out;
  std::size_t filled = 0;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t word = std::min(line.find_first_not_of(' ', at), line.size());
    const std::size_t end = end_of_word(line, word);
    // The word with the spaces before it.
    const std::string_view part = line.substr(at, end - at);
    if (filled > indent && filled + width_of(part) > columns) {
      out += "\n" + std::string(indent, ' ');
      out += line.substr(word, end - word);
      filled = indent + width_of(line.substr(word, end - word));
    } else {
      out += part;
      filled += width_of(part);
    }
    at = end;
  }
  return out;
}

/// Time left in the unit a person would use.
std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

std::string folded(const std::string& text, std::size_t columns) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += folded_line(std::string_view(text).substr(at, end - at), columns);
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

std::string progress_line(double t, double until, double violation, double seconds, std::size_t columns) {
  constexpr std::size_t bar_width = 20;
  const double share = until > 0 ? std::clamp(t / until, 0.0, 1.0) : 1.0;
  const double rate = seconds > 0 ? t / seconds : 0;
  const std::string left = rate > 0 ? duration((until - t) / rate) : "?";
  const std::string time = fmt::format("t = {:.4g} of {:.4g}", t, until);
  const std::string percent = fmt::format(" {:3.0f} %", 100 * share);
  // From the least important to the most.
  std::vector<std::string> rest{fmt::format("  {:.3g} s/s", rate), fmt::format("  violation {:.1e}", violation),
                                fmt::format("  {} left", left)};
  const auto whole = [&](const std::string& bar) {
    std::string text = time + bar + percent;
    for (const std::string& part : rest) text += part;
    return text;
  };
  const std::size_t used = whole("").size() + 3;
  if (used + bar_width / 2 <= columns) {
    const std::size_t width = std::min(bar_width, columns - used);
    const auto filled = static_cast<std::size_t>(share * static_cast<double>(width));
    return whole(" [" + std::string(filled, '=') + std::string(width - filled, ' ') + "]");
  }
  while (!rest.empty() && whole("").size() > columns) rest.erase(rest.begin());
  return whole("").substr(0, columns);
}

}  // namespace taut
