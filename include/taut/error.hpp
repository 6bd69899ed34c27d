#pragma once

#include <ostream>
#include <stdexcept>
#include <string>

#include "taut/visibility.hpp"

namespace taut TAUT_PUBLIC {

/// One of few texts that are said again and again, such as the name of a file in every place of it. Each text is held
/// once, for as long as the program runs; a Word is as small as a pointer to it.
class Word {
 public:
  Word();
  Word(const std::string& text);
  Word(const char* text) : Word(std::string(text)) {}

  const std::string& text() const { return *text_; }
  operator const std::string&() const { return *text_; }
  bool empty() const { return text_->empty(); }

  friend bool operator==(const Word& a, const Word& b) { return a.text_ == b.text_; }
  friend bool operator==(const Word& a, const std::string& b) { return *a.text_ == b; }
  friend bool operator==(const Word& a, const char* b) { return *a.text_ == b; }
  friend std::ostream& operator<<(std::ostream& out, const Word& word) { return out << *word.text_; }

 private:
  const std::string* text_;
};

/// Where in a text something stands; line and column count from 1, 0 means unknown.
struct Place {
  Word file;
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

}  // namespace TAUT_PUBLIC
