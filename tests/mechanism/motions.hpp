#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "analytic/reference.hpp"

/// Recorded motions, and how far apart two of them are.
namespace taut::test {

inline double output(const Run& run, const std::string& name) { return value_of(run.summary.final_outputs, name); }

/// One recorded column.
inline std::vector<double> column(const Run& run, const std::string& name) {
  const auto& columns = run.trajectory.columns;
  const auto found = std::ranges::find(columns, name);
  if (found == columns.end()) throw std::out_of_range("no column is named " + name);
  std::vector<double> values;
  for (const auto& row : run.trajectory.rows) values.push_back(row[static_cast<std::size_t>(found - columns.begin())]);
  return values;
}

/// The largest |a − sign b| over two columns recorded at the same times.
inline double apart(const std::vector<double>& a, const std::vector<double>& b, double sign = 1) {
  if (a.size() != b.size() || a.empty()) throw std::length_error("the motions have not the same rows");
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - sign * b[k]));
  return largest;
}

/// The largest |value|.
inline double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

}  // namespace taut::test
