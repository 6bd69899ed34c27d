#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.hpp"
#include "taut/error.hpp"
#include "taut/simulation.hpp"

namespace taut {
namespace {

[[noreturn]] void refuse_name(const std::string& kind, const std::string& name, const std::vector<std::string>& known) {
  const std::string near = nearest(name, known);
  throw InputError(
      fmt::format("there is no {} '{}'", kind, name),
      near.empty() ? fmt::format("there are: {}", fmt::join(known, ", ")) : fmt::format("did you mean '{}'?", near));
}

}  // namespace

double value_of(const std::vector<NamedValue>& values, const std::string& name) {
  const auto found = std::ranges::find(values, name, &NamedValue::name);
  if (found != values.end()) return found->value;
  std::vector<std::string> known;
  for (const NamedValue& value : values) known.push_back(value.name);
  refuse_name("value", name, known);
}

std::vector<double> Trajectory::column(const std::string& name) const {
  const auto found = std::ranges::find(columns, name);
  if (found == columns.end()) refuse_name("column", name, columns);
  const auto index = static_cast<std::size_t>(found - columns.begin());
  std::vector<double> values;
  values.reserve(rows.size());
  for (const auto& row : rows) values.push_back(row[index]);
  return values;
}

}  // namespace taut
