#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/interruption.hpp"
#include "ensemble/ledger.hpp"

namespace taut {

struct SweepProgress {
  std::uint64_t ended = 0, failed = 0, of = 0;  ///< of those that this call runs
  double seconds = 0;
};

/// Told now and then how a sweep goes.
class SweepObserver {
 public:
  virtual ~SweepObserver() = default;
  virtual void progress(const SweepProgress& /*progress*/) {}
};

struct SweepSettings {
  int threads = 1;
  bool retry_failed = false;
  const std::atomic<bool>& end_asked = interruption();  ///< somebody wants the sweep to end
};

/// What one call has done.
struct SweepOutcome {
  SweepProgress progress;
  bool interrupted = false;
  std::string failure;  ///< why results could not be kept; "" if they were
};

/// Runs every member that waits, and keeps each in the ledger as it ends. Members that fail are results like others. A
/// user who asks for the end, or a ledger that cannot be written any more, ends it; what was recorded is kept. Throws
/// InputError where no member could run.
SweepOutcome run_sweep(Ledger& ledger, const SweepSettings& settings, SweepObserver* observer = nullptr);

}  // namespace taut
