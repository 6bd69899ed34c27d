#include "enforcement/option_lists.hpp"

#include <fmt/format.h>

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

Matrix read_row_weights(const std::string& text, const Shape& shape) {
  const int m = shape.rows(), triangle = m * (m + 1) / 2;
  const std::string option = "the option 'weights' of 'recursive-least-squares'";
  const auto numbers = split(text);
  const auto count = static_cast<int>(numbers.size());
  if (count != 1 && count != m && count != triangle)
    throw InputError(
        fmt::format("{} has {} numbers, and there are {} constraint equations", option, count, m),
        fmt::format("write auto, one number, {} of them, or {} for the lower triangle of a matrix", m, triangle));
  Matrix W = Matrix::Zero(m, m);
  int next = 0;
  for (int i = 0; i < m; ++i)
    for (int j = count == triangle ? 0 : i; j <= i; ++j) {
      double value = 0;
      read_option(numbers[count == 1 ? 0 : next++], value);
      W(i, j) = W(j, i) = value;
    }
  // Cholesky's first pivot that is not positive; not a number is none either.
  Matrix L = W;
  for (int k = 0; k < m; ++k) {
    if (!(L(k, k) > 1e-14 * W(k, k)) || !std::isfinite(L(k, k)))
      throw InputError(fmt::format("{} is not positive definite, as the row of '{}' shows", option,
                                   shape.constraints[static_cast<std::size_t>(k)]),
                       "weights are greater than 0, and what couples two of them is less than their geometric mean");
    for (int i = k + 1; i < m; ++i)
      for (int j = k + 1; j <= i; ++j) L(i, j) -= L(i, k) * L(j, k) / L(k, k);
  }
  return W;
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
