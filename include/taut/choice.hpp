#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// A method, integrator, kernel or energy law by name, with its options: `baumgarte(alpha=12, beta=40)`.
///
/// The options of each are a plain struct with a `name` and a `visit` that shows every field once,
/// with its unit and meaning. Reading, writing, help, tables and tests all come from that.
namespace taut {

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
  Choice(const Options& options);

  std::string to_string() const;
};

/// One field of an options struct, for lists and help.
struct Field {
  std::string name, default_value, unit, meaning;
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
  options.visit([&](std::string_view name, auto& value, std::string_view unit, std::string_view meaning) {
    list.push_back({std::string(name), option_text(value), std::string(unit), std::string(meaning)});
  });
  return list;
}

/// "there is no kernel 'qrr'; did you mean 'qr'? there are: …". The names are all there are, `auto` among them if it is
/// one.
[[noreturn]] void refuse_choice(const std::string& kind, const std::string& name,
                                const std::vector<std::string>& known);
[[noreturn]] void refuse_option(const Choice& choice, const std::string& key, const std::vector<Field>& known);

/// The struct a Choice stands for. Throws InputError for an unknown key or an unreadable value.
template <class Options>
Options read_options(const Choice& choice) {
  Options options;
  for (const auto& [key, text] : choice.options) {
    bool found = false;
    options.visit(
        [&, &key = key, &text = text](std::string_view name, auto& value, std::string_view, std::string_view) {
          if (name != key) return;
          read_option(text, value);
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
  copy.visit([&](std::string_view key, auto& value, std::string_view, std::string_view) {
    if (option_text(value) != defaults[k++].default_value) options.emplace_back(key, option_text(value));
  });
}

}  // namespace taut
