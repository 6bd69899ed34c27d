#pragma once

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

#include "ensemble/ledger.hpp"

namespace taut {

/// Members that wait for somebody to run them. Whoever is free takes the next, so that none waits while there is work.
class HandOut {
 public:
  explicit HandOut(std::vector<MemberRange> ranges) : ranges_(std::move(ranges)) {
    for (const MemberRange& range : ranges_) left_ += range.count;
  }

  /// The next ones in order, at most so many, that stand side by side; none when all are gone.
  std::optional<MemberRange> take(std::uint64_t most) {
    const std::lock_guard lock(mutex_);
    if (next_ == ranges_.size()) return std::nullopt;
    MemberRange& range = ranges_[next_];
    const MemberRange taken{range.first, std::min(most, range.count)};
    range.first += taken.count;
    range.count -= taken.count;
    left_ -= taken.count;
    if (range.count == 0) ++next_;
    return taken;
  }
  /// Nobody gets any more.
  void close() {
    const std::lock_guard lock(mutex_);
    next_ = ranges_.size();
  }
  std::uint64_t left() const {
    const std::lock_guard lock(mutex_);
    return left_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<MemberRange> ranges_;
  std::size_t next_ = 0;
  std::uint64_t left_ = 0;
};

}  // namespace taut
