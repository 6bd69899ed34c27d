#include "ensemble/sweep_page.hpp"

#include <map>
#include <nlohmann/json.hpp>

#include "output/page.hpp"

namespace taut {
namespace {

using Json = nlohmann::ordered_json;

/// A page with more of them would be slow to look at.
constexpr std::uint64_t most_shown = 20000;

Json number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

/// The command that runs the model with what all members share; what varies follows it.
std::string shared_command(const RunDescription& run) {
  std::string command = "taut run " + (run.file.empty() ? run.model : run.file);
  for (const auto& [name, value] : run.options)
    if (name == "until" || name == "step" || name == "method" || name == "integrator" || name == "rtol")
      command += " --" + name + " " + value;
  for (const auto& [name, value] : run.set) command += " --set '" + name + "=" + value + "'";
  return command;
}

Json counts_of(const LedgerCounts& counts) {
  Json reasons = Json::array();
  for (const auto& [reason, members] : counts.reasons) reasons.push_back({{"reason", reason}, {"members", members}});
  return {{"members", counts.members}, {"done", counts.done},         {"failed", counts.failed},
          {"running", counts.running}, {"waiting", counts.waiting()}, {"reasons", reasons}};
}

}  // namespace

std::string sweep_page(const Ledger& ledger) {
  const SweepDescription& sweep = ledger.sweep();
  const std::vector<std::string> names = sweep.names();
  const std::uint64_t each = 1 + (sweep.size() - 1) / most_shown;
  Json ids = Json::array(), states = Json::array(), reasons = Json::array(), columns = Json::object();
  for (const std::string& name : names) columns[name] = Json::array();
  for (const std::string& name : ledger.figures()) columns[name] = Json::array();
  ledger.for_each([&](const LedgerRow& row) {
    if (row.member % each != 0 || row.state == "waiting" || row.state == "running") return;
    ids.push_back(row.member);
    states.push_back(row.state);
    reasons.push_back(row.reason);
    for (std::size_t k = 0; k < names.size(); ++k) columns[names[k]].push_back(number(row.values[k]));
    for (std::size_t k = 0; k < row.figures.size(); ++k) columns[ledger.figures()[k]].push_back(number(row.figures[k]));
  });
  const Json page = {{"format", 1},
                     {"kind", "sweep"},
                     {"version", sweep.run.version},
                     {"model", sweep.run.model},
                     {"command", shared_command(sweep.run)},
                     {"names", names},
                     {"figures", ledger.figures()},
                     {"counts", counts_of(ledger.counts())},
                     {"ids", ids},
                     {"states", states},
                     {"reasons", reasons},
                     {"columns", columns}};
  return filled_page(page.dump(-1, ' ', false, Json::error_handler_t::replace), "");
}

}  // namespace taut
