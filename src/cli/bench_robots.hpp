#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/bench_table.hpp"

/// What an evaluation of the equations of motion costs: robots in joint coordinates and as bodies, against mj_forward
/// of MuJoCo, in turn and in one run.
namespace taut::cli {

struct RobotsRequest {
  bool quick = false;
  std::function<void(const std::string&)> progress;  ///< told what is under way
};

nlohmann::json compare_robots(const RobotsRequest& request);

Table robots_rows(const nlohmann::json& suite);
std::string robots_text(const nlohmann::json& suite);

}  // namespace taut::cli
