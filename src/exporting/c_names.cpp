#include "exporting/c_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace taut {
namespace {

constexpr std::array words = {
    "alignas",  "alignof",   "and",    "asm",     "auto",     "bool",     "break",   "case",
    "catch",    "char",      "class",  "compl",   "const",    "continue", "default", "delete",
    "do",       "double",    "else",   "enum",    "explicit", "export",   "extern",  "false",
    "float",    "for",       "friend", "goto",    "if",       "inline",   "int",     "long",
    "mutable",  "namespace", "new",    "not",     "operator", "or",       "private", "public",
    "register", "restrict",  "return", "short",   "signed",   "sizeof",   "static",  "struct",
    "switch",   "template",  "this",   "throw",   "true",     "try",      "typedef", "typename",
    "union",    "unsigned",  "using",  "virtual", "void",     "volatile", "while",   "xor"};

bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 0x80;
}

}  // namespace

std::string c_identifier(std::string_view name) {
  std::string text;
  for (const char c : name) text += c == '\'' ? std::string("_rate") : std::string(1, is_plain(c) ? c : '_');
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) != 0) text.insert(0, "_");
  return std::ranges::find(words, text) == words.end() ? text : text + "_";
}

std::string c_constant(std::string_view name) {
  std::string text = c_identifier(name);
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string file_name(std::string_view name) {
  std::string text;
  for (const char c : name) text += is_plain(c) || c == '-' || c == '_' ? c : '_';
  return text.empty() || text.front() == '-' ? "model" + text : text;
}

std::string CNames::take(const std::string& name) {
  std::string unique = name;
  for (int k = 2; !taken_.insert(unique).second; ++k) unique = name + "_" + std::to_string(k);
  return unique;
}

}  // namespace taut
