#include "taut/choice.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "base/nearest.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// The words of a list with commas between.
std::vector<std::string> split(std::string_view words) {
  std::vector<std::string> list;
  for (;;) {
    const auto comma = words.find(',');
    list.push_back(trimmed(std::string(words.substr(0, comma))));
    if (comma == std::string_view::npos) return list;
    words.remove_prefix(comma + 1);
  }
}

}  // namespace

Choice::Choice(const std::string& text) {
  const auto open = text.find('(');
  name = trimmed(text.substr(0, open));
  if (name.empty()) throw InputError("a name is missing in '" + text + "'", "write it as name or name(option=value)");
  if (open == std::string::npos) return;
  const auto close = text.rfind(')');
  if (close == std::string::npos || close < open || !trimmed(text.substr(close + 1)).empty())
    throw InputError("the bracket of '" + text + "' is not closed", "write it as name(option=value, option=value)");
  std::string inside = text.substr(open + 1, close - open - 1);
  while (!trimmed(inside).empty()) {
    const auto comma = inside.find(',');
    const std::string item = inside.substr(0, comma);
    const auto equals = item.find('=');
    if (equals == std::string::npos)
      throw InputError("'" + trimmed(item) + "' in '" + text + "' has no value", "write it as option=value");
    options.emplace_back(trimmed(item.substr(0, equals)), trimmed(item.substr(equals + 1)));
    inside = comma == std::string::npos ? "" : inside.substr(comma + 1);
  }
}

std::string Choice::to_string() const {
  if (options.empty()) return name;
  std::string text;
  for (const auto& [key, value] : options) text += (text.empty() ? "" : ", ") + key + "=" + value;
  return name + "(" + text + ")";
}

std::string option_text(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

void read_option(const std::string& text, double& value) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value))
    throw InputError("'" + text + "' is not a number", "write a number such as 1e-3");
}

void read_option(const std::string& text, int& value) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end)
    throw InputError("'" + text + "' is not a whole number", "write a number such as 3");
}

void read_option(const std::string& text, bool& value) {
  if (text == "on" || text == "true" || text == "yes" || text == "1") {
    value = true;
  } else if (text == "off" || text == "false" || text == "no" || text == "0") {
    value = false;
  } else {
    throw InputError("'" + text + "' is neither on nor off", "write on or off");
  }
}

bool Range::holds(double value) const {
  return (least_itself ? value >= least : value > least) && (most_itself ? value <= most : value < most);
}

bool Range::holds(const std::string& value) const {
  if (words.empty()) return true;
  const auto known = split(words);
  return std::find(known.begin(), known.end(), value) != known.end();
}

std::string Range::to_string() const {
  std::string text;
  if (!words.empty()) {
    const auto known = split(words);
    for (std::size_t k = 0; k < known.size(); ++k)
      text += (k == 0 ? "" : k + 1 == known.size() ? " or " : ", ") + known[k];
    return text;
  }
  if (std::isfinite(least)) text = (least_itself ? "at least " : "above ") + option_text(least);
  if (std::isfinite(most))
    text += (text.empty() ? "" : " and ") + std::string(most_itself ? "at most " : "below ") + option_text(most);
  return text;
}

void refuse_choice(const std::string& kind, const std::string& name, const std::vector<std::string>& known) {
  const std::string near = nearest(name, known);
  throw InputError("there is no " + kind + " '" + name + "'",
                   (near.empty() ? "" : "did you mean '" + near + "'? ") + ("there are: " + joined(known)));
}

void refuse_option(const Choice& choice, const std::string& key, const std::vector<Field>& known) {
  std::vector<std::string> names;
  for (const auto& field : known) names.push_back(field.name);
  throw InputError("'" + choice.name + "' has no option '" + key + "'",
                   names.empty() ? "it takes none" : "its options are: " + joined(names));
}

void refuse_value(const Choice& choice, const std::string& key, const std::string& value, const Range& range) {
  throw InputError("the option '" + key + "' of '" + choice.name + "' cannot be " + value,
                   "it must be " + range.to_string());
}

}  // namespace taut
