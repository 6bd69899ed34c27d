#include "protocol.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>

namespace peer {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Json listing(const Peer& peer) {
  Json ways = Json::array();
  for (const Way& way : peer.ways)
    ways.push_back({{"name", way.name},
                    {"setting", way.setting == Way::Setting::step ? "step" : "tolerance"},
                    {"about", way.about}});
  return {{"peer", peer.name}, {"version", peer.version}, {"formulation", peer.formulation}, {"ways", ways}};
}

/// The shortest of the simulations that fit into `seconds`.
Json measured(const Peer& peer, const Request& request, double seconds) {
  const auto start = Clock::now();
  const Run run = peer.prepare(request);
  const double setup = since(start);
  std::vector<Values> values;
  double shortest = 0, spent = 0;
  for (int k = 0; k == 0 || (spent < seconds && k < 1000); ++k) {
    values.clear();
    const auto begin = Clock::now();
    run.simulate(values);
    const double wall = since(begin);
    shortest = k == 0 ? wall : std::min(shortest, wall);
    spent += wall;
  }
  return {{"wall_seconds", shortest},
          {"setup_seconds", setup},
          {"steps", run.steps()},
          {"evaluations", run.evaluations()},
          {"values", std::move(values)}};
}

Request read_request(char** words) {
  return {words[0], std::stoi(words[1]), words[2], std::stod(words[3]), std::stod(words[4]), std::stoi(words[5])};
}

}  // namespace

int serve(const Peer& peer, int argc, char** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  Json answer;
  if (verb == "list" && argc == 2) {
    answer = listing(peer);
  } else if (verb == "run" && argc == 10) {
    try {
      alarm(static_cast<unsigned>(std::stoi(argv[9])));
      answer = measured(peer, read_request(argv + 2), std::stod(argv[8]));
    } catch (const std::exception& error) {
      answer = {{"failed", error.what()}};
    }
  } else {
    std::fprintf(stderr, "%s: list | run PROBLEM SIZE WAY SETTING UNTIL SAMPLES SECONDS LIMIT\n", argv[0]);
    return 2;
  }
  std::puts(answer.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
  return 0;
}

}  // namespace peer
