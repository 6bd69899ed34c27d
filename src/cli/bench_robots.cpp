#include "cli/bench_robots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "cli/bench_process.hpp"
#include "cli/robot_models.hpp"
#include "cli/scratch_folder.hpp"
#include "cli/signals.hpp"
#include "taut/simulation.hpp"

namespace taut::cli {
namespace {

using Json = nlohmann::json;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double robot_step = 1e-3;  // s

/// taut in one kind of coordinates: native code, the classical Runge–Kutta formula with a fixed step.
class RobotRunner {
 public:
  RobotRunner(const Model& model, Coordinates coordinates) : model_(model) {
    options_.coordinates = coordinates;
    options_.integrator = Choice("rk4");
    options_.step = robot_step;
    options_.native = Native::on;
    options_.record = false;
  }

  /// Seconds of an evaluation, everything else that a step does included. A run takes as many steps as `seconds` are
  /// enough for, so far as is known.
  void measure(double seconds) {
    options_.until = steps_ * robot_step;
    const Summary summary = simulate(model_, options_).summary;
    if (summary.outcome != Outcome::done) {
      failure_ = summary.reason;
      return;
    }
    solver_ = summary.linear;
    used_ = summary.coordinates_used;
    setup_ = setup_ > 0 ? std::min(setup_, summary.setup_seconds) : summary.setup_seconds;
    least_ = std::min(least_, summary.wall_seconds / static_cast<double>(summary.evaluations));
    // Motions far from the start may be wild, and are the same work.
    steps_ = std::clamp(std::round(seconds / (least_ * 4)), 20.0, 3000.0);
  }

  Json accelerations() const {
    Options options = options_;
    options.until = 0;
    Json found = Json::object();
    for (const auto& [name, value] : simulate(model_, options).summary.final_accelerations) found[name] = value;
    return found;
  }

  Json json() const {
    if (!failure_.empty()) return {{"failed", failure_}};
    return {{"seconds", least_}, {"setup_seconds", setup_}, {"linear", solver_}, {"coordinates", used_}};
  }

 private:
  const Model& model_;
  Options options_;
  double least_ = infinity, setup_ = 0, steps_ = 200;
  std::string failure_, solver_, used_;
};

/// Of joints that both name, relative to the largest, or to 1/s² where nothing turns faster.
Json difference(const Json& own, const Json& other) {
  double largest = 1, apart = 0;
  for (const auto& [joint, value] : other.items()) {
    const auto mine = own.find(joint + ".angle");
    if (mine == own.end()) return nullptr;
    largest = std::max(largest, std::abs(value.get<double>()));
    apart = std::max(apart, std::abs(value.get<double>() - mine->get<double>()));
  }
  return apart / largest;
}

class RobotContest {
 public:
  RobotContest(const RobotModel& robot, const ScratchFolder& folder, bool quick)
      : robot_(robot), file_(folder.path() / (robot.name + ".xml")), rounds_(quick ? 5 : 30) {
    std::ofstream(file_) << robot.mjcf;
  }

  Json result() {
    const Model model = load_model(file_.string());
    RobotRunner joints(model, Coordinates::joints), bodies(model, Coordinates::bodies),
        chosen(model, Coordinates::automatic);
    const auto program = sibling("taut_forward_mujoco");
    Json peer;
    for (int round = 0; round < rounds_ && !interrupted(); ++round) {
      for (RobotRunner* taut : {&joints, &bodies, &chosen}) taut->measure(short_slice);
      if (program) forward(*program, peer);
    }
    Json json{{"name", robot_.name},     {"about", robot_.about}, {"most", robot_.most},      {"taut", joints.json()},
              {"bodies", bodies.json()}, {"auto", chosen.json()}, {"MuJoCo", std::move(peer)}};
    if (json["MuJoCo"].contains("accelerations")) {
      json["difference"] = is_tree() ? difference(joints.accelerations(), json["MuJoCo"]["accelerations"]) : nullptr;
      json["MuJoCo"].erase("accelerations");
    }
    return json;
  }

 private:
  bool is_tree() const { return robot_.mjcf.find("<equality>") == std::string::npos; }

  void forward(const std::filesystem::path& program, Json& least) const {
    const Json answer =
        Json::parse(run_program(program, {file_.string(), fmt::format("{}", slice)}).out, nullptr, false);
    if (answer.is_discarded() || answer.contains("failed")) {
      least = {{"failed", answer.is_discarded() ? "its answer cannot be read" : answer.at("failed")}};
    } else if (least.is_null() || answer.at("seconds") < least.at("seconds")) {
      least = answer;
    }
  }

  /// So short, in s, that one of some falls between what else the machine does.
  static constexpr double short_slice = 0.004, slice = 0.05;
  const RobotModel& robot_;
  std::filesystem::path file_;
  int rounds_;
};

std::string takes(const Json& entry) { return entry.contains("seconds") ? time_text(entry.at("seconds")) : "-"; }

std::string times_text(const Json& entry, const Json& other) {
  if (!entry.contains("seconds") || !other.contains("seconds")) return "-";
  return fmt::format("{:.2f}", entry.at("seconds").get<double>() / other.at("seconds").get<double>());
}

}  // namespace

Json compare_robots(const RobotsRequest& request) {
  const ScratchFolder folder;
  Json suite{{"quick", request.quick}, {"robots", Json::array()}};
  for (const RobotModel& robot : robot_models()) {
    if (interrupted()) break;
    if (request.progress) request.progress(robot.name);
    suite["robots"].push_back(RobotContest(robot, folder, request.quick).result());
  }
  if (!sibling("taut_forward_mujoco")) suite["missing"] = {"taut_forward_mujoco"};
  return suite;
}

Table robots_rows(const Json& suite) {
  Table table{{"robot", "taut, joints", "as bodies", "auto", "MuJoCo", "ratio", "claimed", "agree to"}, {}};
  for (const Json& robot : suite.at("robots")) {
    const double most = robot.at("most");
    const Json difference = robot.value("difference", Json());
    table.rows.push_back({robot.at("about"), takes(robot.at("taut")), takes(robot.at("bodies")),
                          fmt::format("{} ({})", takes(robot.at("auto")), robot.at("auto").value("coordinates", "-")),
                          takes(robot.at("MuJoCo")), times_text(robot.at("taut"), robot.at("MuJoCo")),
                          most > 0 ? fmt::format("{}", most) : "",
                          difference.is_number() ? fmt::format("{:.0e}", difference.get<double>()) : ""});
  }
  return table;
}

std::string robots_text(const Json& suite) {
  std::string text =
      "what an evaluation costs: taut, native code, rk4 with a fixed step, everything in a step included; mj_forward "
      "without contacts\n" +
      robots_rows(suite).text();
  for (const Json& robot : suite.at("robots"))
    for (const char* who : {"taut", "bodies", "auto", "MuJoCo"})
      if (robot.at(who).is_object() && robot.at(who).contains("failed"))
        text += fmt::format("  {}, {}: {}\n", robot.at("name").get<std::string>(), who,
                            robot.at(who).at("failed").get<std::string>());
  if (suite.contains("missing"))
    text += "\nnot built: taut_forward_mujoco; `make bench` installs MuJoCo and builds it\n";
  return text;
}

}  // namespace taut::cli
