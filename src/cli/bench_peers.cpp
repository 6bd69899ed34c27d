#include "cli/bench_peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "cli/bench_competitor.hpp"
#include "cli/signals.hpp"

namespace taut::cli {
namespace {

using Json = nlohmann::json;

constexpr double targets[] = {1e-6, 1e-9};
constexpr double tightest = 1e-9;
/// taut is to be so many times faster than its peers.
constexpr double claimed(Formulation formulation) { return formulation == Formulation::equations ? 10 : 5; }

/// A setting and what it brought.
struct Point {
  std::size_t competitor = 0;
  Way way;
  double setting = 0, error = 0;
  Trial trial;
};

std::vector<double> settings_of(const Way& way, bool quick) {
  std::vector<double> list;
  if (way.setting == Way::Setting::step) {
    // Steps of which a sample's time is a multiple.
    for (int k = 0; k <= 11; k += quick ? 2 : 1) list.push_back(0.01 / std::pow(2, k));
  } else {
    for (int k = 8; k <= 26; k += quick ? 2 : 1) list.push_back(std::pow(10, -k / 2.0));
  }
  return list;
}

class Contest {
 public:
  Contest(const PeersRequest& request, std::vector<std::unique_ptr<Competitor>>& competitors, Problem problem)
      : request_(request), competitors_(competitors), problem_(std::move(problem)) {
    patience_ = {request.quick ? 0.0 : 0.03, 10};
  }

  Json result() {
    for (const Formulation formulation : {Formulation::equations, Formulation::bodies})
      references_.push_back(reference_of(problem_, formulation));
    for (std::size_t c = 0; c < competitors_.size(); ++c) {
      for (const Way& way : competitors_[c]->ways(problem_)) {
        if (!interrupted()) sweep(c, way);
        if (c < own) limit();
      }
    }
    Json json{{"name", problem_.name}, {"size", problem_.size}, {"title", problem_.title()}, {"until", problem_.until}};
    for (const Formulation formulation : {Formulation::equations, Formulation::bodies}) {
      const Reference& reference = references_[static_cast<std::size_t>(formulation)];
      json["reference"][to_string(formulation)] = {
          {"source", reference.source}, {"bound", reference.bound}, {"end", reference.values.back()}};
    }
    json["runs"] = runs();
    for (const double target : targets) json["targets"].push_back({{"error", target}, {"best", duel(target)}});
    return json;
  }

 private:
  const Reference& reference(std::size_t competitor) const {
    return references_[static_cast<std::size_t>(competitors_[competitor]->formulation())];
  }

  Point measure(std::size_t c, const Way& way, double setting, const Patience& patience) {
    Competitor& competitor = *competitors_[c];
    if (request_.progress)
      request_.progress(fmt::format("{}: {} as {}, {}, {:.2g}", problem_.title(), competitor.name(),
                                    to_string(competitor.formulation()), way.name, setting));
    Point point{c, way, setting, std::numeric_limits<double>::infinity(),
                competitor.run(problem_, way, setting, patience)};
    if (point.trial.ok()) point.error = error_of(point.trial.values, reference(c).values);
    if (point.trial.ok() && std::isinf(point.error)) point.trial.failure = "its values are not numbers";
    point.trial.values.clear();
    return point;
  }

  /// Others are waited for some times as long as taut's claims need to be shown, whichever form of taut takes longest;
  /// so are taut's own further ways.
  void limit() {
    const double times = request_.quick ? 2 : 4;
    double enough = times;  // s
    for (std::size_t c = 0; c < own; ++c)
      if (const Point* taut = cheapest(c, tightest))
        enough = std::max(enough, times * claimed(competitors_[c]->formulation()) * taut->trial.wall_seconds);
    patience_.limit = static_cast<int>(std::ceil(enough));
  }

  /// From loose to tight.
  void sweep(std::size_t c, const Way& way) {
    double best = std::numeric_limits<double>::infinity();
    int in_vain = 0;
    for (const double setting : settings_of(way, request_.quick)) {
      const Point point = measure(c, way, setting, patience_);
      points_.push_back(point);
      in_vain = point.error < 0.7 * best ? 0 : in_vain + 1;
      best = std::min(best, point.error);
      if (interrupted() || point.trial.over_limit || in_vain >= 4 || best <= tightest / 2) return;
      if (const Point* rival = cheapest(c, tightest);
          rival && point.trial.ok() && best > tightest && point.trial.wall_seconds > 3 * rival->trial.wall_seconds)
        return;
    }
  }

  const Point* cheapest(std::size_t competitor, double target) const {
    const Point* found = nullptr;
    for (const Point& point : points_)
      if (point.competitor == competitor && point.trial.ok() && point.error <= target &&
          (!found || point.trial.wall_seconds < found->trial.wall_seconds))
        found = &point;
    return found;
  }
  const Point* nearest(std::size_t competitor) const {
    const Point* found = nullptr;
    for (const Point& point : points_)
      if (point.competitor == competitor && point.trial.ok() && (!found || point.error < found->error)) found = &point;
    return found;
  }

  bool given_up(std::size_t competitor) const {
    return std::ranges::any_of(
        points_, [&](const Point& point) { return point.competitor == competitor && point.trial.over_limit; });
  }

  /// The cheapest settings that reach a target. A sweep's times are single ones, so that a few deserve another look.
  std::vector<Point> candidates(std::size_t competitor, double target) const {
    constexpr std::size_t most = 3;
    std::vector<Point> list;
    for (const Point& point : points_)
      if (point.competitor == competitor && point.trial.ok() && point.error <= target) list.push_back(point);
    std::ranges::sort(list, {}, [](const Point& point) { return point.trial.wall_seconds; });
    if (list.size() > most) list.resize(most);
    return list;
  }

  /// The best of each once more, in turn.
  Json duel(double target) {
    std::vector<Point> all;
    for (std::size_t c = 0; c < competitors_.size(); ++c)
      for (Point& point : candidates(c, target)) all.push_back(std::move(point));
    const Patience patience{0.03, 60};
    const int rounds = request_.quick ? 2 : 5;
    for (int round = 0; round < rounds; ++round)
      for (Point& point : all) {
        // What takes this long is timed well enough by one round.
        if ((round > 0 && point.trial.wall_seconds > 1) || interrupted()) continue;
        const Point again = measure(point.competitor, point.way, point.setting, patience);
        if (again.trial.ok()) point.trial.wall_seconds = std::min(point.trial.wall_seconds, again.trial.wall_seconds);
      }
    std::vector<std::optional<Point>> best(competitors_.size());
    for (const Point& point : all)
      if (auto& mine = best[point.competitor]; !mine || point.trial.wall_seconds < mine->trial.wall_seconds)
        mine = point;
    Json list = Json::array();
    for (std::size_t c = 0; c < competitors_.size(); ++c) {
      if (best[c]) {
        list.push_back(to_json(*best[c]));
      } else {
        Json json = described(c);
        const Point* near = nearest(c);
        json["reached"] = near ? Json(near->error) : Json(nullptr);
        if (given_up(c)) json["given_up_after"] = patience_.limit;
        list.push_back(json);
      }
    }
    return list;
  }

  Json described(std::size_t c) const {
    return {{"who", competitors_[c]->name()}, {"as", to_string(competitors_[c]->formulation())}};
  }
  Json to_json(const Point& point) const {
    Json json = described(point.competitor);
    json["way"] = point.way.name;
    json[point.way.setting == Way::Setting::step ? "step" : "tolerance"] = point.setting;
    if (!point.trial.ok()) {
      json["failed"] = point.trial.failure;
      return json;
    }
    json["error"] = point.error;
    json["wall_seconds"] = point.trial.wall_seconds;
    json["setup_seconds"] = point.trial.setup_seconds;
    json["steps"] = point.trial.steps;
    json["evaluations"] = point.trial.evaluations;
    return json;
  }
  Json runs() const {
    Json list = Json::array();
    for (const Point& point : points_) list.push_back(to_json(point));
    return list;
  }

  static constexpr std::size_t own = 2;  ///< competitors() begins with taut as equations and as bodies
  const PeersRequest& request_;
  std::vector<std::unique_ptr<Competitor>>& competitors_;
  Problem problem_;
  Patience patience_;
  std::vector<Reference> references_;
  std::vector<Point> points_;
};

bool wanted(const PeersRequest& request, const Problem& problem) {
  return request.problems.empty() || std::ranges::find(request.problems, problem.name) != request.problems.end();
}

// ---- the table ----------------------------------------------------------------------------------

std::string way_of(const Json& entry) {
  const bool step = entry.contains("step");
  return fmt::format("{}, {} {:.2g}", entry.at("way").get<std::string>(), step ? "step" : "tolerance",
                     entry.at(step ? "step" : "tolerance").get<double>());
}

}  // namespace

Json compare_with_peers(const PeersRequest& request) {
  std::vector<std::string> missing;
  auto list = competitors(missing);
  std::erase_if(list, [&](const auto& competitor) {
    return competitor->name() != "taut" && !request.who.empty() &&
           std::ranges::find(request.who, competitor->name()) == request.who.end();
  });
  Json suite{{"quick", request.quick}, {"missing", missing}, {"problems", Json::array()}};
  for (const auto& competitor : list)
    suite["competitors"].push_back({{"who", competitor->name()},
                                    {"version", competitor->version()},
                                    {"as", to_string(competitor->formulation())}});
  for (const Problem& problem : problems())
    if (wanted(request, problem) && !interrupted())
      suite["problems"].push_back(Contest(request, list, problem).result());
  return suite;
}

Table peers_rows(const Json& problem) {
  Table table{{"to", "who", "takes", "ratio to taut as equations", "as bodies", "error", "setting"}, {}};
  for (const Json& target : problem.at("targets")) {
    const Json& best = target.at("best");
    for (const Json& entry : best) {
      const std::string who = entry.at("who").get<std::string>() + ", " + entry.at("as").get<std::string>();
      const std::string to = fmt::format("{:.0e}", target.at("error").get<double>());
      if (!entry.contains("wall_seconds")) {
        const Json& reached = entry.at("reached");
        const std::string how =
            entry.contains("given_up_after") ? fmt::format(" in {} s", entry.at("given_up_after").get<int>()) : "";
        table.rows.push_back({to, who, "not reached" + how, "", "",
                              reached.is_null() ? "" : fmt::format("{:.1e}", reached.get<double>()), ""});
        continue;
      }
      const double seconds = entry.at("wall_seconds");
      const auto ratio = [&](const Json& to_what) {
        return to_what.contains("wall_seconds")
                   ? fmt::format("{:.3g}", seconds / to_what.at("wall_seconds").get<double>())
                   : std::string("-");
      };
      table.rows.push_back({to, who, time_text(seconds), ratio(best.at(0)), ratio(best.at(1)),
                            fmt::format("{:.1e}", entry.at("error").get<double>()), way_of(entry)});
    }
  }
  return table;
}

std::string peers_text(const Json& suite) {
  std::string text = "time to reach an error of the trajectory, and how many times as long as taut that is\n";
  for (const Json& problem : suite.at("problems"))
    text += fmt::format("\n{}, {:g} s\n{}", problem.at("title").get<std::string>(), problem.at("until").get<double>(),
                        peers_rows(problem).text());
  for (const Json& program : suite.at("missing"))
    text +=
        fmt::format("\nnot built: {}; `make bench` installs its library and builds it\n", program.get<std::string>());
  return text;
}

}  // namespace taut::cli
