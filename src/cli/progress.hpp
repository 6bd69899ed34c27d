#pragma once

#include <chrono>

namespace taut::cli {

/// A line on standard error that is rewritten in place while a run takes long, and erased at the end.
class ProgressBar {
 public:
  ProgressBar() : begin_(Clock::now()), drawn_(begin_) {}
  ~ProgressBar() { erase(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(double t, double until, double violation);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_;
  Clock::time_point drawn_;
  bool visible_ = false;
};

}  // namespace taut::cli
