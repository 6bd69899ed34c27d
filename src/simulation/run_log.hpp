#pragma once

#include <string>

#include "taut/simulation.hpp"

namespace taut {

/// What a run has to say of itself, as it comes: how it ended, events, notes. All else in the summary is filled in at
/// the end.
class RunLog {
 public:
  Summary& summary() { return summary_; }
  const Summary& summary() const { return summary_; }

  /// Is there no reason yet to end?
  bool goes_on() const { return summary_.outcome == Outcome::done; }
  /// The first reason to end is the one that counts.
  void stop(Outcome outcome, const std::string& reason);
  void note(std::string sentence) { summary_.notes.push_back(std::move(sentence)); }
  /// Of very many events the first are listed, and the others counted.
  void event(double t, const char* kind, const std::string& name, const std::string& message);
  long unlisted_events() const { return unlisted_events_; }

 private:
  Summary summary_;
  long unlisted_events_ = 0;
};

}  // namespace taut
