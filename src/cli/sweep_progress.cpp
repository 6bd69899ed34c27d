#include "cli/sweep_progress.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "cli/terminal.hpp"

namespace taut::cli {
namespace {

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.1f} days", seconds / 86400);
}

}  // namespace

std::string sweep_progress_line(const SweepProgress& p, std::size_t columns) {
  std::string line = fmt::format("{} of {} members", p.ended, p.of);
  if (p.failed > 0) line += fmt::format(", {} failed", p.failed);
  if (p.ended > 0 && p.seconds > 0) {
    const double rate = static_cast<double>(p.ended) / p.seconds;
    line += fmt::format(", {:.3g} a second, {} left", rate, duration(static_cast<double>(p.of - p.ended) / rate));
  }
  return line.size() > columns ? line.substr(0, columns) : line;
}

SweepProgressLine::~SweepProgressLine() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

void SweepProgressLine::progress(const SweepProgress& progress) {
  if (!visible_) return;
  // A terminal whose last column is written to may go on to the next line.
  fmt::print(stderr, "\r{}\x1b[K", sweep_progress_line(progress, columns_of_errors() - 1));
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace taut::cli
