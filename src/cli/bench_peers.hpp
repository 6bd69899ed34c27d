#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/bench_table.hpp"

/// taut against its peers: the time that each needs to reach a given error of the trajectory.
namespace taut::cli {

struct PeersRequest {
  bool quick = false;
  std::vector<std::string> who;                      ///< by name; none: all. taut always takes part
  std::vector<std::string> problems;                 ///< by name; none: all
  std::function<void(const std::string&)> progress;  ///< told what is under way
};

/// Every way of every competitor from loose settings to tight ones, until the smallest error is reached or nothing is
/// gained any more. Then, for each target, the cheapest setting of each competitor that reaches it once more, all in
/// turn, several rounds, the shortest time of each counting: what else the machine does then hits all alike.
nlohmann::json compare_with_peers(const PeersRequest& request);

/// The second part as a table, of one problem and of all.
Table peers_rows(const nlohmann::json& problem);
std::string peers_text(const nlohmann::json& suite);

}  // namespace taut::cli
