#include "model/import/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace taut::robot {
namespace {

constexpr std::size_t most_faults = 40;

std::string counts(const std::map<std::string, int>& list) {
  std::string text;
  for (const auto& [what, count] : list) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  return text;
}

}  // namespace

void Findings::note(const std::string& text) {
  if (std::ranges::find(notes_, text) == notes_.end()) notes_.push_back(text);
}

void Findings::pass(const std::string& why, const std::string& what) {
  auto reason = std::ranges::find(passed_, why, [](const auto& entry) { return entry.first; });
  if (reason == passed_.end()) reason = passed_.insert(passed_.end(), {why, {}});
  ++reason->second[what];
}

bool Findings::leaves_out(const std::string& subject) {
  if (switched_off_.contains(subject)) return true;
  if (!options_.ignore.contains(subject)) return false;
  ++left_out_[subject];
  return true;
}

void Findings::unsupported(const std::string& subject, const Place& place, const std::string& message) {
  if (leaves_out(subject)) return;
  add(InputError(place, message, fmt::format("take it out, or leave it out by --ignore {}", subject)));
}

void Findings::add(const InputError& fault) {
  const auto is_same = [&](const InputError& other) { return std::string(other.what()) == fault.what(); };
  if (std::ranges::none_of(faults_, is_same)) faults_.push_back(fault);
}

void Findings::raise() const {
  if (faults_.empty()) return;
  if (faults_.size() == 1) throw InputError(faults_.front());
  const InputError& first = faults_.front();
  std::string text = first.message() + (first.remedy().empty() ? "" : "; " + first.remedy());
  for (std::size_t k = 1; k < std::min(faults_.size(), most_faults); ++k)
    text += fmt::format("\n{}", faults_[k].what());
  if (faults_.size() > most_faults) text += fmt::format("\nand {} more", faults_.size() - most_faults);
  throw InputError(first.place(), text);
}

std::vector<std::string> Findings::notes() const {
  std::vector<std::string> list = notes_;
  for (const auto& [why, what] : passed_) list.push_back(fmt::format("{}: {}", why, counts(what)));
  for (const auto& [subject, count] : left_out_)
    list.push_back(
        fmt::format("left out because of --ignore {}, although it acts on the motion: {} times", subject, count));
  return list;
}

}  // namespace taut::robot
