#pragma once

#include <algorithm>
#include <chrono>

namespace taut {

/// When a loop should look up from its work: about every fiftieth of a second, however long its turns take, without
/// asking for the time more than once in 64 short ones.
class Attention {
 public:
  bool is_due() {
    if (--left_ > 0) return false;
    const auto now = std::chrono::steady_clock::now();
    stride_ = now - last_ < interval ? std::min(2 * stride_, most) : std::max(stride_ / 2, 1);
    left_ = stride_;
    last_ = now;
    return true;
  }

 private:
  static constexpr std::chrono::milliseconds interval{20};
  static constexpr int most = 64;

  int stride_ = 1, left_ = 1;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace taut
