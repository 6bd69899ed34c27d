#include "reproduction/rule.hpp"

#include <fmt/format.h>

#include <cmath>

#include "taut/choice.hpp"

namespace taut {
namespace {

/// What differs by more is not reproduced, whatever one calls it.
constexpr double largest_factor = 10;

double number(const std::string& text, const Place& place) {
  double value = 0;
  try {
    read_option(text, value);
  } catch (const InputError&) {
    throw InputError(place, fmt::format("'{}' is no number", text), "write one, such as 1.05");
  }
  return value;
}

/// The place of the last digit that is printed: 1e-12 for 5.2e-11.
double last_digit(const std::string& printed) {
  const auto exponent_at = printed.find_first_of("eE");
  const std::string digits = printed.substr(0, exponent_at);
  const double exponent = exponent_at == std::string::npos ? 0 : number(printed.substr(exponent_at + 1), {});
  const auto point = digits.find('.');
  const double decimals = point == std::string::npos ? 0 : static_cast<double>(digits.size() - point - 1);
  return std::pow(10, exponent - decimals);
}

}  // namespace

Rule read_rule(const std::string& text, const Place& place) {
  struct Form {
    const char* words;
    Rule::Kind kind;
    bool may_have_factor;
  };
  static constexpr Form forms[] = {
      {"equal", Rule::Kind::equal, false},           {"within", Rule::Kind::within, true},
      {"same order", Rule::Kind::same_order, false}, {"at most", Rule::Kind::at_most, true},
      {"at least", Rule::Kind::at_least, true},
  };
  for (const auto& [words, kind, may_have_factor] : forms) {
    if (!text.starts_with(words)) continue;
    const std::string rest = text.substr(std::string(words).size());
    Rule rule{kind, 1};
    if (!rest.empty() && !may_have_factor) break;
    if (!rest.empty()) rule.factor = number(rest.substr(rest.find_first_not_of(' ')), place);
    if (kind == Rule::Kind::within && !(rule.factor > 1)) break;
    if (!(rule.factor > 0) || rule.factor > largest_factor || rule.factor < 1 / largest_factor)
      throw InputError(place, fmt::format("a factor of {:g} lets anything pass", rule.factor),
                       fmt::format("give one below {:g}, or say that it is not reproduced", largest_factor));
    return rule;
  }
  throw InputError(place, fmt::format("there is no rule '{}'", text),
                   "there are equal, within FACTOR, same order, at most [FACTOR], at least [FACTOR]");
}

std::string in_words(const Rule& rule) {
  const std::string times =
      rule.factor == 1 ? "what is printed" : fmt::format("{:g} times what is printed", rule.factor);
  switch (rule.kind) {
    case Rule::Kind::equal:
      return "equal in all printed digits";
    case Rule::Kind::within:
      return fmt::format("within a factor of {:g}", rule.factor);
    case Rule::Kind::same_order:
      return "of the same order, within a factor of 3.2";
    case Rule::Kind::at_most:
      return "at most " + times;
    case Rule::Kind::at_least:
      break;
  }
  return "at least " + times;
}

bool holds(const Rule& rule, const std::string& printed, double ours) {
  const double theirs = number(printed, {}), ratio = ours / theirs;
  const auto within = [&](double factor) { return ratio <= factor && ratio >= 1 / factor; };
  switch (rule.kind) {
    case Rule::Kind::equal:
      // Half of the last digit, and rounding of what is halfway.
      return std::abs(ours - theirs) <= 0.5000001 * last_digit(printed);
    case Rule::Kind::within:
      return within(rule.factor);
    case Rule::Kind::same_order:
      return within(std::sqrt(10.0));
    case Rule::Kind::at_most:
      return ours <= rule.factor * theirs && ours * theirs >= 0;  // a size has no sign
    case Rule::Kind::at_least:
      break;
  }
  return ours >= rule.factor * theirs;
}

}  // namespace taut
