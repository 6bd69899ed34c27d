#include "simulation/run_log.hpp"

namespace taut {
namespace {

constexpr std::size_t most_events = 1000;

}  // namespace

void RunLog::stop(Outcome outcome, const std::string& reason) {
  if (!goes_on()) return;
  summary_.outcome = outcome;
  summary_.reason = reason;
}

void RunLog::event(double t, const char* kind, const std::string& name, const std::string& message) {
  if (summary_.events.size() < most_events) {
    summary_.events.push_back({t, kind, name, message});
  } else {
    ++unlisted_events_;
  }
}

}  // namespace taut
