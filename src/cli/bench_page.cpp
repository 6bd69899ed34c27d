#include "cli/bench_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "cli/bench_peers.hpp"
#include "cli/bench_real_time.hpp"
#include "cli/bench_robots.hpp"
#include "cli/bench_suite.hpp"
#include "output/draft.hpp"
#include "output/plot.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

using Json = nlohmann::json;

const std::string folder = "pictures/performance";

/// A name for a file or a label, out of words.
std::string plain(const std::string& words) {
  std::string name;
  for (const char c : words)
    if (std::isalnum(static_cast<unsigned char>(c)))
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  return name;
}

std::string who(const Json& entry) {
  return entry.at("who").get<std::string>() + ", " + entry.at("as").get<std::string>();
}

// ---- peers --------------------------------------------------------------------------------------

/// Of each competitor, the settings that no other of its own beats in time and error both.
Plot work_precision(const Json& problem) {
  Plot plot{problem.at("title").get<std::string>(), "error of the trajectory", "s", true, true};
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::pair<double, double>>> points;
  for (const Json& run : problem.at("runs")) {
    if (!run.contains("wall_seconds")) continue;
    if (!points.contains(who(run))) order.push_back(who(run));
    points[who(run)].emplace_back(run.at("error"), run.at("wall_seconds"));
  }
  for (const std::string& name : order) {
    auto& all = points[name];
    std::ranges::sort(all, [](const auto& a, const auto& b) { return a.second < b.second; });
    Curve curve{name};
    curve.mark = Mark::dot;
    for (const auto& [error, seconds] : all)
      if (curve.x.empty() || error < curve.x.back()) {
        curve.x.push_back(error);
        curve.y.push_back(seconds);
      }
    plot.curves.push_back(std::move(curve));
  }
  return plot;
}

/// The fastest peer that reaches a target, none if no peer does.
const Json* fastest_peer(const Json& best) {
  const Json* found = nullptr;
  for (const Json& entry : best)
    if (entry.at("who") != "taut" && entry.contains("wall_seconds") &&
        (!found || entry.at("wall_seconds") < found->at("wall_seconds")))
      found = &entry;
  return found;
}

/// No peer reaches a target, or none was waited for long enough: the two are not the same.
std::string nobody(const Json& best) {
  for (const Json& entry : best)
    if (entry.at("who") != "taut" && entry.contains("given_up_after"))
      return fmt::format("no peer reaches it in {} s", entry.at("given_up_after").get<int>());
  return "no peer reaches it";
}

/// Other programs that ran meanwhile disturb every time.
std::string disturbance(const Json& suite, int cores) {
  const double others = suite.value("load", 0.0) - 1;  // one may be the suite that ran before
  if (others <= 0.5 * std::max(1, cores - 1)) return "";
  return fmt::format(
      "\nThe machine was busy (a load of {:.1f} beside this, on {} cores): these ratios are uncertain.\n", others,
      cores);
}

/// A row for each problem, target and formulation: taut, the fastest peer, and how many times faster taut is.
Table verdicts(const Json& suite) {
  Table table{{"problem", "to", "taut as", "takes", "fastest peer", "takes", "times faster"}, {}};
  for (const Json& problem : suite.at("problems"))
    for (const Json& target : problem.at("targets")) {
      const Json& best = target.at("best");
      const Json* peer = fastest_peer(best);
      for (const Json& entry : best) {
        if (entry.at("who") != "taut") continue;
        const bool reached = entry.contains("wall_seconds");
        const std::string faster =
            reached && peer
                ? fmt::format("{:.2g}", peer->at("wall_seconds").get<double>() / entry.at("wall_seconds").get<double>())
            : reached ? nobody(best)
                      : "not reached";
        table.rows.push_back(
            {problem.at("title"), fmt::format("{:.0e}", target.at("error").get<double>()), entry.at("as"),
             reached ? time_text(entry.at("wall_seconds")) : "-",
             peer ? peer->at("who").get<std::string>() + ", " + peer->at("way").get<std::string>() : "-",
             peer ? time_text(peer->at("wall_seconds")) : "-", faster});
      }
    }
  return table;
}

/// Every place where somebody is faster, in a sentence.
std::string losses(const Json& suite) {
  std::string text;
  for (const Json& problem : suite.at("problems"))
    for (const Json& target : problem.at("targets")) {
      const Json* peer = fastest_peer(target.at("best"));
      for (const Json& entry : target.at("best")) {
        if (entry.at("who") != "taut") continue;
        const bool reached = entry.contains("wall_seconds");
        if (reached && (!peer || peer->at("wall_seconds") >= entry.at("wall_seconds"))) continue;
        const std::string where = fmt::format("- {} to {:.0e}, as {}: ", problem.at("title").get<std::string>(),
                                              target.at("error").get<double>(), entry.at("as").get<std::string>());
        if (!reached)
          text += where + (entry.contains("given_up_after")
                               ? fmt::format("taut does not reach it in {} s.\n", entry.at("given_up_after").get<int>())
                               : "taut does not reach it.\n");
        else
          text += where + fmt::format("{} ({}) is {:.2g} times faster.\n", peer->at("who").get<std::string>(),
                                      peer->at("way").get<std::string>(),
                                      entry.at("wall_seconds").get<double>() / peer->at("wall_seconds").get<double>());
      }
    }
  return text.empty() ? "Nowhere among these problems.\n" : text;
}

std::string peers_section(const std::filesystem::path& page, const Json& suite, int cores) {
  std::string text =
      "## Against other programs\n\nThe time to reach an error of the trajectory: the largest difference of any "
      "coordinate of any moving point from the true motion, at ten times evenly spaced, the end among them. Every "
      "program was given many settings, and the cheapest that reaches the error counts; times are of the integration "
      "alone. SUNDIALS solves the same equations as taut's equation model, written by hand; Simbody and MuJoCo build "
      "the mechanism from bodies, with loops closed by constraints.\n\n";
  for (const Json& competitor : suite.at("competitors"))
    text += fmt::format("- {} {}, {}\n", competitor.at("who").get<std::string>(),
                        competitor.at("version").get<std::string>(), competitor.at("as").get<std::string>());
  if (suite.at("quick").get<bool>())
    text += "\nThis was a quick run: fewer settings, and less patience with slow programs.\n";
  text += disturbance(suite, cores);
  text += "\n" + verdicts(suite).markdown() + "\n### Where another is faster\n\n" + losses(suite);
  for (const Json& problem : suite.at("problems")) {
    const std::string title = problem.at("title"), picture = folder + "/" + plain(title) + ".svg";
    write_whole(page.parent_path() / picture, to_svg(work_precision(problem)));
    text += fmt::format("\n### {}, {:g} s\n\n![Error against time: {}]({})\n\n{}", title,
                        problem.at("until").get<double>(), title, picture, peers_rows(problem).markdown());
  }
  return text;
}

// ---- the rest -----------------------------------------------------------------------------------

/// Time of a step against N, one curve a model.
Plot scaling_plot(const Json& suite) {
  Plot plot{"a step as models grow", "N", "s", true, true};
  for (const Json& entry : suite.at("benchmarks")) {
    const std::string name = entry.at("name");
    if (!name.starts_with("scaling/step/") || !entry.contains("seconds")) continue;
    const auto last = name.rfind('/');
    const std::string model = name.substr(13, last - 13);
    if (plot.curves.empty() || plot.curves.back().label != model) {
      plot.curves.push_back({model});
      plot.curves.back().mark = Mark::dot;
    }
    plot.curves.back().x.push_back(std::stod(name.substr(last + 1)));
    plot.curves.back().y.push_back(entry.at(entry.contains("per_step") ? "per_step" : "seconds"));
  }
  return plot;
}

std::string suite_section(const std::filesystem::path& page, const Suite& suite, const Json& result) {
  std::string text = fmt::format("## {}\n\n{}{}.\n\n", suite.name, static_cast<char>(std::toupper(suite.about[0])),
                                 suite.about.substr(1));
  if (suite.name == "scaling") {
    const std::string picture = folder + "/scaling.svg";
    write_whole(page.parent_path() / picture, to_svg(scaling_plot(result)));
    text += fmt::format("![Time of a step against N]({})\n\n", picture);
  }
  return text + suite_rows(suite.name, result).markdown();
}

std::string robots_section(const Json& suite, int cores) {
  return "## Robots\n\nWhat an evaluation of the equations of motion and their solution costs. taut: native code, the "
         "classical Runge–Kutta formula with a fixed step, everything that a step does included, in joint coordinates, "
         "as bodies, and as `--coordinates auto` chooses. MuJoCo: `mj_forward` without contacts; its loops are soft. "
         "Each is the least of several slices, in turn. The last column compares accelerations at the start.\n" +
         disturbance(suite, cores) + "\n" + robots_rows(suite).markdown();
}

std::string real_time_section(const Json& results) {
  std::string text = "## Real time\n\n`taut bench --real-time MODEL` prints:\n\n```\n";
  for (const auto& [model, result] : results.items()) text += real_time_text(result) + "\n";
  text.pop_back();
  return text + "```\n";
}

}  // namespace

void write_performance_page(const std::filesystem::path& page, const Json& record) {
  const std::string mark = "<!-- what follows is written by `taut bench --docs` -->\n";
  std::string head;
  if (std::ifstream before(page); before) {
    const std::string text((std::istreambuf_iterator<char>(before)), std::istreambuf_iterator<char>());
    head = text.substr(0, text.find(mark));
  }
  std::filesystem::create_directories(page.parent_path() / folder);
  std::string text = fmt::format("\nMeasured on: {}, {} cores.\n", record.at("processor").get<std::string>(),
                                 record.at("cores").get<int>());
  const Json& kept = record.at("suites");
  if (kept.contains("peers")) text += "\n" + peers_section(page, kept.at("peers"), record.at("cores"));
  if (kept.contains("robots")) text += "\n" + robots_section(kept.at("robots"), record.at("cores"));
  for (const Suite& suite : suites())
    if (kept.contains(suite.name)) text += "\n" + suite_section(page, suite, kept.at(suite.name));
  if (kept.contains("real-time")) text += "\n" + real_time_section(kept.at("real-time"));
  write_whole(page, head + mark + text);
}

}  // namespace taut::cli
