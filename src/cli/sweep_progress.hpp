#pragma once

#include <string>

#include "ensemble/sweep.hpp"

namespace taut::cli {

/// "1234 of 10000 members, 3 failed, 512 a second, 17 s left", in at most so many columns.
std::string sweep_progress_line(const SweepProgress& progress, std::size_t columns);

/// A line on standard error that tells how a sweep goes, rewritten in place, and erased at the end.
class SweepProgressLine : public SweepObserver {
 public:
  explicit SweepProgressLine(bool visible) : visible_(visible) {}
  ~SweepProgressLine() override;
  void progress(const SweepProgress& progress) override;

 private:
  bool visible_, shown_ = false;
};

}  // namespace taut::cli
