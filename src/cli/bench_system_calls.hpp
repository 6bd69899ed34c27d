#pragma once

#include <optional>
#include <string>

/// Was the kernel called? Linux can hand every system call of a thread to a signal handler instead, and back again, as
/// a byte in memory says.
namespace taut::cli {

class SystemCallWatch {
 public:
  SystemCallWatch();
  ~SystemCallWatch();
  SystemCallWatch(const SystemCallWatch&) = delete;
  SystemCallWatch& operator=(const SystemCallWatch&) = delete;

  /// From here on, the next system call is counted. Neither of the two is one itself, so that begin() may be called in
  /// every step of a loop.
  void begin();
  void end();
  /// How many were counted; none if this kernel or processor cannot tell.
  std::optional<long> count() const;
  /// The number of the last one, as the kernel counts them; −1 if there was none.
  int last() const;

 private:
  bool works_ = false;
};

}  // namespace taut::cli
