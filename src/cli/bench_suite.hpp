#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/bench_table.hpp"

/// The suites that the program taut_bench measures: what taut costs by itself and against programs written by hand.
namespace taut::cli {

struct Suite {
  std::string name, about;
  std::string filter, quick_filter;  ///< of the names of its benchmarks
};
const std::vector<Suite>& suites();

/// Runs one; what it prints on the way goes to standard error. Throws InputError where taut_bench has not been built,
/// std::runtime_error where it fails.
nlohmann::json run_suite(const Suite& suite, bool quick);

/// A table of times and ratios.
std::string suite_table(const std::string& suite, const nlohmann::json& result);

Table suite_rows(const std::string& suite, const nlohmann::json& result);

}  // namespace taut::cli
