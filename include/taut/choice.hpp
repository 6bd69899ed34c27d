#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "taut/visibility.hpp"

/// A method, integrator, kernel or energy law by name, with its options: `baumgarte(alpha=12, beta=40)`.
///
/// The options of each are a plain struct with a `name` and a `visit` that shows every field once,
/// with its unit and meaning. Reading, writing, help, tables and tests all come from that.
namespace taut TAUT_PUBLIC {

struct Choice {
  std::string name = "auto";
  std::vector<std::pair<std::string, std::string>> options;

  Choice() = default;
  Choice(const char* text) : Choice(std::string(text)) {}
  /// Reads "name" or "name(key=value, …)". Throws InputError.
  Choice(const std::string& text);
  /// From a struct of options: every field that differs from its default is written out.
  template <class Options>
  requires requires { Options::name; }
  Choice(const Options& given);

  std::string to_string() const;
};

/// The values that an option may have: numbers within bounds, or one of some words. Any, if nothing is said.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool least_itself = true, most_itself = true;  ///< are the bounds allowed, too?
  std::string_view words = {};                   ///< with commas between: "mass, identity"

  bool holds(double value) const;
  bool holds(const std::string& value) const;
  /// "at least 1", "above 0 and below 1", "mass or identity"; "" where any value will do.
  std::string to_string() const;
};
constexpr Range at_least(double least) { return {.least = least}; }
constexpr Range above(double least) { return {.least = least, .least_itself = false}; }
/// 0 is allowed, 1 is not.
constexpr Range fraction() { return {.least = 0, .most = 1, .most_itself = false}; }
constexpr Range positive_fraction() { return {.least = 0, .most = 1, .least_itself = false, .most_itself = false}; }
constexpr Range one_of(std::string_view words) { return {.words = words}; }

/// One field of an options struct, for lists and help.
struct Field {
  std::string name, default_value, unit, meaning, range = "";
};

std::string option_text(double value);
inline std::string option_text(int value) { return std::to_string(value); }
inline std::string option_text(bool value) { return value ? "on" : "off"; }
inline std::string option_text(const std::string& value) { return value; }
void read_option(const std::string& text, double& value);
void read_option(const std::string& text, int& value);
void read_option(const std::string& text, bool& value);
inline void read_option(const std::string& text, std::string& value) { value = text; }

/// The fields of an options struct with their defaults.
template <class Options>
std::vector<Field> fields() {
  std::vector<Field> list;
  Options options;
  options.visit([&](std::string_view name, auto& value, std::string_view unit, std::string_view meaning,
                    const Range& range = {}) {
    list.push_back({std::string(name), option_text(value), std::string(unit), std::string(meaning), range.to_string()});
  });
  return list;
}

/// "there is no kernel 'qrr'; did you mean 'qr'? there are: …". The names are all there are, `auto` among them if it is
/// one.
[[noreturn]] void refuse_choice(const std::string& kind, const std::string& name,
                                const std::vector<std::string>& known);
[[noreturn]] void refuse_option(const Choice& choice, const std::string& key, const std::vector<Field>& known);
/// "the option 'iterations' of 'augmented-lagrangian' cannot be 0; it must be at least 1".
[[noreturn]] void refuse_value(const Choice& choice, const std::string& key, const std::string& value,
                               const Range& range);

/// The struct a Choice stands for. Throws InputError for an unknown key, an unreadable value, or one out of its range.
template <class Options>
Options read_options(const Choice& choice) {
  Options options;
  for (const auto& [key, text] : choice.options) {
    bool found = false;
    options.visit([&, &key = key, &text = text](std::string_view name, auto& value, std::string_view, std::string_view,
                                                const Range& range = {}) {
      if (name != key) return;
      read_option(text, value);
      if (!range.holds(value)) refuse_value(choice, key, text, range);
      found = true;
    });
    if (!found) refuse_option(choice, key, fields<Options>());
  }
  return options;
}

template <class Options>
requires requires { Options::name; }
Choice::Choice(const Options& given) : name(Options::name) {
  Options copy = given;
  const auto defaults = fields<Options>();
  std::size_t k = 0;
  copy.visit([&](std::string_view key, auto& value, std::string_view, std::string_view, const Range& = {}) {
    if (option_text(value) != defaults[k++].default_value) options.emplace_back(key, option_text(value));
  });
}

}  // namespace TAUT_PUBLIC
