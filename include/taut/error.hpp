#pragma once

#include <stdexcept>
#include <string>

namespace taut {

/// Where in a text something stands; line and column count from 1, 0 means unknown.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
};

/// The user's input is wrong: what, where, and what would mend it.
/// what() reads "four_bar.yaml:17:9: joint 'crank' names body 'rodd'; did you mean 'rod'?".
class InputError : public std::runtime_error {
 public:
  InputError(const Place& place, const std::string& message, const std::string& remedy = "");
  explicit InputError(const std::string& message, const std::string& remedy = "")
      : InputError(Place{}, message, remedy) {}

  const Place& place() const { return place_; }
  /// The message without its place, so that a caller who knows better may add one.
  const std::string& message() const { return message_; }
  const std::string& remedy() const { return remedy_; }

 private:
  Place place_;
  std::string message_;
  std::string remedy_;
};

}  // namespace taut
