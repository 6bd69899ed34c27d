#include "expression/formula_text.hpp"

#include <algorithm>
#include <utility>

namespace taut {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::size_t shown = std::min(text.size(), longest);
  while (shown < text.size() && shown > 0 && is_continuation(text[shown])) --shown;
  std::string result = "'";
  result += text.substr(0, shown);
  result += shown < text.size() ? "…'" : "'";
  return result;
}

std::string replacement(std::string_view character) {
  constexpr std::pair<std::string_view, std::string_view> table[] = {
      {"−", "write -"},
      {"–", "write -"},
      {"—", "write -"},
      {"·", "write *"},
      {"×", "write *"},
      {"∙", "write *"},
      {"÷", "write /"},
      {"²", "write ^2"},
      {"³", "write ^3"},
      {"π", "write pi"},
      {"′", "write '"},
      {"’", "write '"},
      {"″", "write ''"},
      {"[", "write ("},
      {"]", "write )"},
      {"{", "write ("},
      {"}", "write )"},
      {";", "write one formula only"},
      {"<", "comparisons stand in if(x < 1, a, b)"},
      {">", "comparisons stand in if(x > 1, a, b)"},
      {"?", "write if(x < 1, a, b)"},
      {"\"", "a second derivative has two single primes: x''"},
  };
  for (const auto& [wrong, right] : table) {
    if (wrong == character) return std::string(right);
  }
  const bool is_foreign = static_cast<unsigned char>(character.front()) >= 0x80;
  return is_foreign ? "names are made of the letters a-z, A-Z, digits, '_' and '.'" : "remove it";
}

}  // namespace taut
