#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace taut::cli {
namespace {

using namespace std::chrono_literals;
constexpr auto patience = 500ms;  // a run that ends sooner needs no bar
constexpr auto interval = 100ms;
constexpr int bar_width = 20;

/// Time left in the unit a person would use.
std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

std::string progress_line(double t, double until, double violation, double seconds) {
  const double share = until > 0 ? std::clamp(t / until, 0.0, 1.0) : 1.0;
  const int filled = static_cast<int>(share * bar_width);
  const std::string bar = std::string(filled, '=') + std::string(bar_width - filled, ' ');
  const double rate = seconds > 0 ? t / seconds : 0;
  const std::string left = rate > 0 ? duration((until - t) / rate) : "?";
  return fmt::format("t = {:.4g} of {:.4g} [{}] {:3.0f} %  {:.3g} s/s  violation {:.1e}  {} left", t, until, bar,
                     100 * share, rate, violation, left);
}

void ProgressBar::update(double t, double until, double violation) {
  const auto now = Clock::now();
  if (now - begin_ < patience || (visible_ && now - drawn_ < interval)) return;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  // The carriage return and "erase to the end of the line" leave no rests of a longer line.
  fmt::print(stderr, "\r{}\x1b[K", progress_line(t, until, violation, seconds));
  std::fflush(stderr);
  drawn_ = now;
  visible_ = true;
}

void ProgressBar::erase() {
  if (!visible_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  visible_ = false;
}

}  // namespace taut::cli
