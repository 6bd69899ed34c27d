#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace taut {

/// Messages between the processes that mpirun has started.
class Messenger {
 public:
  /// Has mpirun, or a program like it, started this process as one of several?
  static bool is_launched();

  /// Throws std::runtime_error where the program was built without MPI, or MPI cannot start.
  Messenger();
  ~Messenger();
  Messenger(const Messenger&) = delete;
  Messenger& operator=(const Messenger&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  void send(int to, const std::string& bytes) const;
  struct Message {
    int from;
    std::string bytes;
  };
  /// The next one; none after this time.
  std::optional<Message> receive(std::chrono::duration<double> patience) const;
  /// Ends all processes when this one does: some of them may never answer any more.
  void give_up() { gives_up_ = true; }

 private:
  struct Functions;
  Functions* functions_;
  int rank_ = 0, size_ = 1;
  bool gives_up_ = false;
};

}  // namespace taut
