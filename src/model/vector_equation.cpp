#include "model/vector_equation.hpp"

#include <fmt/format.h>

#include "model/scope.hpp"

namespace taut {
namespace {

yaml::PlacedText slice(const yaml::PlacedText& text, std::size_t from, std::size_t to) {
  yaml::PlacedText part;
  while (from < to && text.text[from] == ' ') ++from;
  while (to > from && text.text[to - 1] == ' ') --to;
  for (std::size_t k = from; k < to; ++k) part.append(text.text[k], text.at(k));
  return part;
}

/// How deep in brackets the text is behind a character.
int deeper(char c) { return (c == '(' || c == '[') - (c == ')' || c == ']'); }

/// The parts of a bracketed list, [A, B, C].
std::vector<yaml::PlacedText> items(const yaml::PlacedText& list) {
  std::vector<yaml::PlacedText> parts;
  int depth = 0;
  std::size_t begin = 1;
  for (std::size_t k = 1; k < list.text.size(); ++k) {
    const bool ends = k + 1 == list.text.size();
    if (ends || (list.text[k] == ',' && depth == 0)) {
      parts.push_back(slice(list, begin, k));
      begin = k + 1;
    }
    depth += deeper(list.text[k]);
  }
  return parts;
}

std::size_t equals_sign(const std::string& text) {
  int depth = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '=' && depth == 0) return k;
    depth += deeper(text[k]);
  }
  return text.npos;
}

/// BODY of point(BODY, ...).
std::string body_in(const std::string& vector) {
  const std::size_t open = vector.find('('), comma = vector.find(',');
  if (comma == vector.npos || comma < open) return "";
  std::string name = vector.substr(open + 1, comma - open - 1);
  std::erase(name, ' ');
  return name;
}

}  // namespace

std::optional<VectorEquation> vector_equation(const yaml::PlacedText& text, const std::string& file) {
  const std::size_t sign = equals_sign(text.text);
  if (sign == text.text.npos || !Scope::is_vector(text.text.substr(0, sign))) return std::nullopt;
  VectorEquation equation;
  equation.left = slice(text, 0, sign);
  equation.bodies.push_back(body_in(equation.left.text));
  equation.right = slice(text, sign + 1, text.text.size());
  if (Scope::is_vector(equation.right.text)) {
    equation.bodies.push_back(body_in(equation.right.text));
    return equation;
  }
  const std::string& right = equation.right.text;
  if (right.size() < 2 || right.front() != '[' || right.back() != ']')
    throw InputError(place_at(file, equation.right.at(0)), "a vector is to equal what is no vector",
                     "write point(BODY, [X, Y, Z]) = [A, B, C], or take one component: point(BODY, [X, Y, Z]).x = A");
  equation.components = items(equation.right);
  if (equation.components.size() != 2 && equation.components.size() != 3)
    throw InputError(place_at(file, equation.right.at(0)),
                     fmt::format("a vector is to equal a list of {}", equation.components.size()),
                     "list three components, or two in the x-y plane");
  return equation;
}

}  // namespace taut
