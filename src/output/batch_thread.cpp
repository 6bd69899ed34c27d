#include "output/batch_thread.hpp"

#include <utility>

namespace taut {

BatchThread::BatchThread(std::function<void(const Batch&)> work) : work_(std::move(work)), thread_([this] { run(); }) {}

BatchThread::~BatchThread() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void BatchThread::give(Batch& batch) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !busy_; });
  std::swap(batch_, batch);
  batch.clear();
  busy_ = true;
  lock.unlock();
  changed_.notify_all();
}

void BatchThread::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !busy_; });
}

void BatchThread::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return busy_ || ending_; });
    if (!busy_) return;
    lock.unlock();
    work_(batch_);  // nobody touches it while busy
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace taut
