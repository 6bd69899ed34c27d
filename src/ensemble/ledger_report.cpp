#include "ensemble/ledger_report.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/printable.hpp"
#include "output/draft.hpp"

namespace taut {
namespace {

/// More different reasons than this are for a query.
constexpr std::size_t most_reasons = 8;

/// A field of a CSV file, in quotes where it needs them.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string field(const std::optional<double>& value) { return value ? fmt::format("{:.17g}", *value) : ""; }

std::string header(const Ledger& ledger) {
  std::string line = "id";
  for (const std::string& name : ledger.sweep().names()) line += "," + field(name);
  line += ",state,reason,verdict";
  for (const std::string& name : ledger.figures()) line += "," + field(name);
  return line + "\n";
}

std::string line_of(const LedgerRow& row) {
  std::string line = fmt::format("{}", row.member);
  for (const auto& value : row.values) line += "," + field(value);
  line += "," + row.state + "," + field(row.reason) + "," + row.verdict;
  for (const auto& value : row.figures) line += "," + field(value);
  return line + "\n";
}

}  // namespace

std::string status_text(const Ledger& ledger) {
  const LedgerCounts counts = ledger.counts();
  std::string text = fmt::format("sweep of {}: {} members: {} done, {} failed, {} running, {} waiting\n",
                                 printable(ledger.sweep().run.model), counts.members, counts.done, counts.failed,
                                 counts.running, counts.waiting());
  for (std::size_t k = 0; k < counts.reasons.size() && k < most_reasons; ++k)
    text += fmt::format("  {:>8} failed: {}\n", counts.reasons[k].second, printable(counts.reasons[k].first));
  if (counts.reasons.size() > most_reasons)
    text += fmt::format("  … and for {} other reasons\n", counts.reasons.size() - most_reasons);
  return text;
}

std::string status_json(const Ledger& ledger, const SweepOutcome* outcome) {
  const LedgerCounts counts = ledger.counts();
  nlohmann::ordered_json json{
      {"model", ledger.sweep().run.model}, {"ledger", ledger.file()},    {"device", ledger.sweep().device},
      {"members", counts.members},         {"done", counts.done},        {"failed", counts.failed},
      {"running", counts.running},         {"waiting", counts.waiting()}};
  json["reasons"] = nlohmann::ordered_json::object();
  for (const auto& [reason, count] : counts.reasons) json["reasons"][reason] = count;
  if (outcome != nullptr) {
    json["ran"] = outcome->progress.ended;
    json["wall_seconds"] = outcome->progress.seconds;
    json["interrupted"] = outcome->interrupted;
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void export_csv(const Ledger& ledger, const std::string& file) {
  constexpr std::size_t enough = 1 << 16;
  Draft draft(file);
  std::string text = header(ledger);
  const auto write = [&] {
    if (draft.write(text) != text.size())
      throw std::runtime_error(fmt::format("cannot write '{}': {}", file, std::strerror(errno)));
    text.clear();
  };
  ledger.for_each([&](const LedgerRow& row) {
    text += line_of(row);
    if (text.size() > enough) write();
  });
  write();
  draft.keep();
}

}  // namespace taut
