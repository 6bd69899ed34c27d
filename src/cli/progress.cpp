#include "cli/progress.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "cli/terminal.hpp"
#include "output/folding.hpp"

namespace taut::cli {
namespace {

using namespace std::chrono_literals;
constexpr auto patience = 500ms;  // a run that ends sooner needs no bar
constexpr auto interval = 100ms;

}  // namespace

void ProgressBar::update(double t, double until, double violation) {
  const auto now = Clock::now();
  if (now - begin_ < patience || (visible_ && now - drawn_ < interval)) return;
  const std::size_t columns = columns_of_errors();
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  // A terminal whose last column is written to may go on to the next line. The carriage return and "erase to the end of
  // the line" leave no rests of a longer line.
  fmt::print(stderr, "\r{}\x1b[K", progress_line(t, until, violation, seconds, columns - 1));
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
