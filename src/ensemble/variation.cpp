#include "ensemble/variation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "ensemble/counter_random.hpp"
#include "expression/parser.hpp"
#include "expression/program.hpp"

namespace taut {
namespace {

constexpr auto examples = "write NAME=a:b:n, NAME=a,b,c, NAME=log(a:b:n), NAME=uniform(a, b) or NAME=normal(mean, sd)";
/// More values than this are no range but a mistake.
constexpr double most_values = 1e12;

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// At `between` outside of brackets.
std::vector<std::string> split(const std::string& text, char between) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == between && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// A number, or a formula of numbers and pi.
double number(const std::string& text) {
  Graph scratch;
  Names names;
  names.graph = &scratch;
  names.name = [](const std::string& name, const Place& place) -> Expression {
    throw InputError(place, fmt::format("'{}' is no number", name), examples);
  };
  const double value = evaluate(parse(trimmed(text), names, {}), {});
  if (!std::isfinite(value)) throw InputError(fmt::format("'{}' is no finite number", trimmed(text)), examples);
  return value;
}

std::vector<double> numbers(const std::string& text, char between) {
  std::vector<double> list;
  for (const std::string& part : split(text, between)) list.push_back(number(part));
  return list;
}

/// The words between the brackets of "word(…)"; false if it is none.
bool take_call(const std::string& text, const std::string& word, std::string& inside) {
  if (!text.starts_with(word + "(") || !text.ends_with(")")) return false;
  inside = text.substr(word.size() + 1, text.size() - word.size() - 2);
  return true;
}

std::uint64_t whole(double count) {
  if (!(count >= 1 && count <= most_values) || count != std::floor(count))
    throw InputError(fmt::format("{:g} is no number of values", count),
                     "give a whole number above 0 after the second ':'");
  return static_cast<std::uint64_t>(count);
}

void read_range(const std::string& text, SweptName& v) {
  v.numbers = numbers(text, ':');
  if (v.numbers.size() != 3)
    throw InputError(fmt::format("'{}' is no range", text), "write first:last:count, such as 0.5:2:16");
  v.count = whole(v.numbers.back());
  v.numbers.pop_back();
  if (v.count == 1 && v.numbers[0] != v.numbers[1])
    throw InputError(fmt::format("'{}' has two ends and one value", text), "give a count of at least 2");
  const bool positive = v.numbers[0] > 0 && v.numbers[1] > 0;
  if (v.kind == SweptName::Kind::log_range && !positive)
    throw InputError("even ratios need ends above 0", "give positive ends, or leave out log(…)");
}

void read_distribution(const std::string& text, SweptName& v) {
  v.numbers = numbers(text, ',');
  if (v.numbers.size() != 2) throw InputError(fmt::format("'{}' are not two numbers", text), examples);
  const bool normal = v.kind == SweptName::Kind::normal;
  if (normal && !(v.numbers[1] >= 0))
    throw InputError("a standard deviation cannot be negative", "write normal(mean, sd)");
  if (!normal && !(v.numbers[0] <= v.numbers[1]))
    throw InputError("the lower bound is above the upper one", "write uniform(lower, upper)");
  if (v.kind == SweptName::Kind::log_uniform && !(v.numbers[0] > 0))
    throw InputError("loguniform needs bounds above 0", "give positive bounds, or use uniform(…)");
}

void read_values(const std::string& text, SweptName& v) {
  using Kind = SweptName::Kind;
  std::string inside;
  const auto drawn = [&](const char* word, Kind kind) {
    if (!take_call(text, word, inside)) return false;
    v.kind = kind;
    read_distribution(inside, v);
    return true;
  };
  if (drawn("uniform", Kind::uniform) || drawn("loguniform", Kind::log_uniform) || drawn("normal", Kind::normal))
    return;
  if (take_call(text, "log", inside) && split(inside, ':').size() > 1) {
    v.kind = Kind::log_range;
    return read_range(inside, v);
  }
  if (split(text, ':').size() > 1) {
    v.kind = Kind::range;
    return read_range(text, v);
  }
  v.numbers = numbers(text, ',');
  v.count = v.numbers.size();
}

}  // namespace

/// Both ends are met exactly.
double SweptName::value(std::uint64_t k) const {
  if (kind == Kind::list) return numbers[k];
  if (k == 0) return numbers[0];
  if (k + 1 == count) return numbers[1];
  const double share = static_cast<double>(k) / static_cast<double>(count - 1);
  if (kind == Kind::range) return numbers[0] + share * (numbers[1] - numbers[0]);
  return numbers[0] * std::exp(share * std::log(numbers[1] / numbers[0]));
}

/// Rounding may have made 0 or 1 of a share that was neither.
double SweptName::quantile(double p) const {
  p = std::clamp(p, 0x1p-64, 1 - 0x1p-53);
  if (kind == Kind::normal) return numbers[0] + numbers[1] * normal_quantile(p);
  if (kind == Kind::uniform) return numbers[0] + p * (numbers[1] - numbers[0]);
  return numbers[0] * std::exp(p * std::log(numbers[1] / numbers[0]));
}

/// NAME may hold an equals sign of its own in no case, so that the first one ends it.
SweptName read_variation(const std::string& text) {
  const auto equals = text.find('=');
  SweptName v;
  if (equals != std::string::npos) v.name = trimmed(text.substr(0, equals));
  const std::string values = equals == std::string::npos ? "" : trimmed(text.substr(equals + 1));
  if (v.name.empty() || values.empty())
    throw InputError(fmt::format("--vary takes NAME=VALUES, not '{}'", text), examples);
  try {
    read_values(values, v);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--vary {}: {}", text, error.message()),
                     error.remedy().empty() ? examples : error.remedy());
  }
  return v;
}

std::string to_string(const SweptName& v) {
  using Kind = SweptName::Kind;
  const auto join = [&](const char* between) {
    std::string text;
    for (const double number : v.numbers) text += fmt::format("{}{}", text.empty() ? "" : between, number);
    return text;
  };
  switch (v.kind) {
    case Kind::range:
      return fmt::format("{}={}:{}", v.name, join(":"), v.count);
    case Kind::log_range:
      return fmt::format("{}=log({}:{})", v.name, join(":"), v.count);
    case Kind::list:
      return fmt::format("{}={}", v.name, join(","));
    case Kind::uniform:
      return fmt::format("{}=uniform({})", v.name, join(", "));
    case Kind::log_uniform:
      return fmt::format("{}=loguniform({})", v.name, join(", "));
    case Kind::normal:
      return fmt::format("{}=normal({})", v.name, join(", "));
  }
  return "";
}

}  // namespace taut
