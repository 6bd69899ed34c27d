#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "taut/simulation.hpp"

/// What single steps cost in a loop that could serve a machine: fixed steps, memory locked, no system call.
namespace taut::cli {

struct RealTimeRequest {
  Model model;
  Options options;  ///< with a step; `until` is taken from the number of steps
  long steps = 1'000'000;
};

/// Throws std::runtime_error if the run ends before its time.
nlohmann::json measure_real_time(const RealTimeRequest& request);

std::string real_time_text(const nlohmann::json& result);

}  // namespace taut::cli
