#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

#include "ensemble/member_runner.hpp"

namespace taut {

/// From those who run members to the one who writes them down. It holds so many at most: who runs ahead of the writer
/// waits, and memory stays what it is.
class ResultQueue {
 public:
  explicit ResultQueue(std::size_t most) : most_(most) {}

  void add(MemberResult result) {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [this] { return results_.size() < most_ || closed_; });
    if (closed_) return;
    results_.push_back(std::move(result));
    if (results_.size() == most_) has_news_.notify_one();
  }
  /// One of those who add is gone.
  void leave() {
    const std::lock_guard lock(mutex_);
    ++gone_;
    has_news_.notify_one();
  }
  /// What came, after this time, or sooner if there is much or so many have left.
  std::vector<MemberResult> take(std::chrono::milliseconds patience, int workers) {
    std::unique_lock lock(mutex_);
    has_news_.wait_for(lock, patience, [&] { return results_.size() >= most_ || gone_ == workers; });
    std::vector<MemberResult> taken = std::exchange(results_, {});
    has_room_.notify_all();
    return taken;
  }
  bool all_gone(int workers) {
    const std::lock_guard lock(mutex_);
    return gone_ == workers && results_.empty();
  }
  /// Nothing is taken any more.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    has_room_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable has_room_, has_news_;
  std::vector<MemberResult> results_;
  std::size_t most_;
  int gone_ = 0;
  bool closed_ = false;
};

}  // namespace taut
