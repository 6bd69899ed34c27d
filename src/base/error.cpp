#include "taut/error.hpp"

#include <string_view>

namespace taut {
namespace {

std::string prefix(const Place& place) {
  std::string text = place.file;
  const auto append = [&text](std::string_view separator, int number) {
    if (!text.empty()) text += separator;
    text += std::to_string(number);
  };
  if (place.line > 0) append(":", place.line);
  if (place.column > 0 && place.line > 0) append(":", place.column);
  if (place.column > 0 && place.line == 0) {
    text += text.empty() ? "column " : ": column ";
    append("", place.column);
  }
  if (!text.empty()) text += ": ";
  return text;
}

std::string full(const Place& place, const std::string& message, const std::string& remedy) {
  return prefix(place) + message + (remedy.empty() ? "" : "; " + remedy);
}

}  // namespace

InputError::InputError(const Place& place, const std::string& message, const std::string& remedy)
    : std::runtime_error(full(place, message, remedy)), place_(place), message_(message), remedy_(remedy) {}

}  // namespace taut
