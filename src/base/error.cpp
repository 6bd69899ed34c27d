#include "taut/error.hpp"

#include <mutex>
#include <string_view>
#include <unordered_set>

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

/// Never given back: a set of nodes, so that a text stays where it is.
const std::string* held_once(const std::string& text) {
  static std::mutex mutex;
  static auto& texts = *new std::unordered_set<std::string>;
  const std::scoped_lock lock(mutex);
  return &*texts.insert(text).first;
}

}  // namespace

Word::Word() {
  static const std::string* const none = held_once("");
  text_ = none;
}

Word::Word(const std::string& text) : text_(held_once(text)) {}

InputError::InputError(const Place& place, const std::string& message, const std::string& remedy)
    : std::runtime_error(full(place, message, remedy)), place_(place), message_(message), remedy_(remedy) {}

}  // namespace taut
