#include "model/function_reading.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/assignments.hpp"
#include "model/functions.hpp"

namespace taut {
namespace {

/// The texts between the commas of function(…), each with its places.
std::vector<yaml::PlacedText> texts_in(const yaml::PlacedText& text) {
  std::vector<yaml::PlacedText> parts(1);
  bool has_words = false;
  int depth = 0;
  for (std::size_t k = text.text.find('('); k < text.text.size(); ++k) {
    const char c = text.text[k];
    const bool opens = c == '(' || c == '[', closes = c == ')' || c == ']';
    if (closes && --depth == 0) break;
    if (c == ',' && depth == 1)
      parts.emplace_back();
    else if (depth > 0)
      parts.back().append(c, text.at(k));
    has_words = has_words || (depth > 0 && c != ' ');
    if (opens) ++depth;
  }
  if (!has_words) parts.clear();
  return parts;
}

/// Where the bracket closes, nothing may follow.
void check_end(const ReadingContext& in, const yaml::PlacedText& text) {
  int depth = 0;
  std::size_t k = text.text.find('(');
  for (; k < text.text.size(); ++k) {
    if (text.text[k] == '(') ++depth;
    if (text.text[k] == ')' && --depth == 0) break;
  }
  if (k < text.text.size() && text.text.find_first_not_of(" \t\n", k + 1) == std::string::npos) return;
  throw InputError(place_at(in.file, text.at(std::min(k + 1, text.text.size()))),
                   "function(…) stands alone: it is the value of an input, and no part of a formula",
                   "compute with the input where it is used");
}

std::optional<yaml::PlacedText> scalar_of(const Value& value) {
  if (value.node().kind != yaml::Node::Kind::scalar || !is_function_text(value.node().text.text)) return std::nullopt;
  return value.filled();
}

}  // namespace

std::vector<Expression> FunctionText::arguments(const ReadingContext& in) const {
  std::vector<Expression> found;
  try {
    check_end(in, text);
    for (const yaml::PlacedText& one : texts_in(text))
      found.push_back(in.scope.formula(one, context::argument, indices ? *indices : Indices{}));
  } catch (const InputError& error) {
    if (assigned) refuse_assignment(*assigned, error);
    throw;
  }
  return found;
}

std::optional<FunctionText> function_of_input(const ReadingContext& in, const std::string& name,
                                              const std::optional<Value>& given) {
  if (const Assignment* assigned = find_assignment(in.set, name)) {
    if (!is_function_text(assigned->value)) return std::nullopt;
    FunctionText function{.text = {}, .assigned = assigned};
    for (const char c : assigned->value) function.text.append(c, {0, 0});
    return function;
  }
  if (const auto outer = in.settings.find(name); outer != in.settings.end()) {
    const Value value{in, *outer->second.value, fmt::format("the value of '{}'", name), outer->second.scope};
    const auto text = scalar_of(value);
    return text ? std::optional(FunctionText{.text = *text, .indices = &outer->second.scope.indices}) : std::nullopt;
  }
  if (!given) return std::nullopt;
  const auto text = scalar_of(*given);
  return text ? std::optional(FunctionText{.text = *text, .indices = &given->part().indices}) : std::nullopt;
}

}  // namespace taut
