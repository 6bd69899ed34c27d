#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace taut {

/// A thread that does one thing with batches of numbers, one batch after the other, while whoever gives them goes on.
/// It owns the batch it works on, and promises that what was given is done before wait() or the destructor returns. Who
/// gives is one thread; the work must not throw.
class BatchThread {
 public:
  using Batch = std::vector<double>;

  explicit BatchThread(std::function<void(const Batch&)> work);
  ~BatchThread();
  BatchThread(const BatchThread&) = delete;
  BatchThread& operator=(const BatchThread&) = delete;

  /// Takes the batch and leaves an empty one that has room; waits while the one before is being worked on.
  void give(Batch& batch);
  /// Until all that was given is done.
  void wait();

 private:
  void run();

  const std::function<void(const Batch&)> work_;
  std::mutex mutex_;  ///< guards the following
  std::condition_variable changed_;
  Batch batch_;
  bool busy_ = false, ending_ = false;
  std::thread thread_;  ///< the last member: it uses the others
};

}  // namespace taut
