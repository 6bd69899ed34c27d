#include "enforcement/option_lists.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/nearest.hpp"
#include "taut/choice.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts{""};
  for (const char letter : text) {
    if (letter == ':')
      parts.emplace_back();
    else
      parts.back() += letter;
  }
  return parts;
}

/// Vector equations have a row for each component: 'tip' stands for 'tip.x' and 'tip.y'.
std::string constraint_of(const std::string& row) { return row.substr(0, row.rfind('.')); }

[[noreturn]] void refuse_name(const std::string& name, const Shape& shape, const std::string& option) {
  const std::string near = nearest(name, shape.constraints);
  std::string all;
  for (const auto& known : shape.constraints) all += (all.empty() ? "" : ", ") + known;
  throw InputError(option + " names '" + name + "', and there is no such constraint",
                   near.empty() ? "there are: " + (all.empty() ? "none" : all) : "did you mean '" + near + "'?");
}

}  // namespace

Vector read_weights(const std::string& text, int count, const std::string& what, const std::string& remedy) {
  Vector weights(count);
  const char* at = text.data();
  const char* end = at + text.size();
  int found = 0;
  while (at <= end && found < count) {
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || !(value > 0)) break;
    weights[found++] = value;
    at = next + (next < end && *next == ':');
    if (next == end) break;
  }
  if (found != count || at != end) throw InputError(what + " '" + text + "'", remedy);
  return weights;
}

std::vector<RowValue> read_row_values(const std::string& text, const Shape& shape, const std::string& option) {
  std::vector<RowValue> values;
  if (text.empty()) return values;
  const auto parts = split(text);
  if (parts.size() % 2 != 0)
    throw InputError(option + " cannot be '" + text + "'", "write names and numbers in turn, as rod:40:pin:20");
  for (std::size_t k = 0; k < parts.size(); k += 2) {
    double value = 0;
    read_option(parts[k + 1], value);
    if (!(value >= 0)) throw InputError(option + " cannot be " + parts[k + 1], "give zero or more");
    bool found = false;
    for (int row = 0; row < shape.rows(); ++row) {
      const std::string& name = shape.constraints[row];
      if (name != parts[k] && constraint_of(name) != parts[k]) continue;
      found = true;
      if (std::ranges::any_of(values, [&](const RowValue& known) { return known.row == row; }))
        throw InputError(option + " names '" + name + "' twice", "give each constraint one value");
      values.push_back({row, value});
    }
    if (!found) refuse_name(parts[k], shape, option);
  }
  return values;
}

}  // namespace taut
