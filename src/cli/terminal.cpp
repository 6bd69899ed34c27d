#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/printable.hpp"
#include "output/folding.hpp"

namespace taut::cli {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
}

/// How wide the terminal behind a file is, if it is one and knows.
std::optional<std::size_t> columns_of(int file) {
  winsize size{};
  if (!isatty(file) || ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

bool terminal_is_dumb() {
  const char* terminal = std::getenv("TERM");
  return terminal && std::string_view(terminal) == "dumb";
}

}  // namespace

Colour output_colour() {
  const bool wanted = isatty(STDOUT_FILENO) && !is_set("NO_COLOR") && !terminal_is_dumb();
  return wanted ? Colour::on : Colour::off;
}

bool errors_go_to_terminal() { return isatty(STDERR_FILENO) && !terminal_is_dumb(); }

std::size_t columns_of_errors() { return columns_of(STDERR_FILENO).value_or(80); }

void tell(const std::string& text) {
  const auto columns = columns_of(STDOUT_FILENO);
  print(columns ? folded(text, *columns) : text);
}

void print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written || errno == EPIPE) return;
  throw std::system_error(errno, std::generic_category(), "cannot write to standard output");
}

void complain(const std::string& message) { std::fprintf(stderr, "taut: %s\n", printable(message).c_str()); }

}  // namespace taut::cli
