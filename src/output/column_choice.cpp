#include "output/column_choice.hpp"

#include <algorithm>
#include <string_view>

#include "base/nearest.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

std::vector<std::string> split_outside_parentheses(const std::string& text) {
  std::vector<std::string> parts{""};
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth <= 0)
      parts.emplace_back();
    else if (c != ' ' || !parts.back().empty())
      parts.back() += c;
  }
  for (std::string& part : parts) part.erase(part.find_last_not_of(' ') + 1);
  std::erase(parts, "");
  return parts;
}

/// Where both differ, the last star seen takes one more character: linear but for stars.
bool is_like(std::string_view name, std::string_view pattern) {
  std::size_t n = 0, p = 0, star = std::string_view::npos, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace

ColumnChoice::ColumnChoice(const std::string& patterns) : patterns_(split_outside_parentheses(patterns)) {}

std::vector<std::string> ColumnChoice::start(const std::vector<std::string>& columns) {
  if (patterns_.empty()) return columns;
  std::vector<bool> wanted(columns.size());
  for (const std::string& pattern : patterns_) {
    bool any = false;
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (is_like(columns[k], pattern)) any = wanted[k] = true;
    if (!any) throw InputError("--columns: the run has no column '" + pattern + "'", did_you_mean(pattern, columns));
  }
  std::vector<std::string> names;
  kept_.clear();
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (!wanted[k] && columns[k] != "t") continue;
    kept_.push_back(k);
    names.push_back(columns[k]);
  }
  row_.resize(kept_.size());
  return names;
}

const std::vector<double>& ColumnChoice::of(const std::vector<double>& row) {
  if (patterns_.empty()) return row;
  for (std::size_t k = 0; k < kept_.size(); ++k) row_[k] = row[kept_[k]];
  return row_;
}

}  // namespace taut
