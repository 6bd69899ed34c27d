#include "exporting/c_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace taut {
namespace {

/// Words of C and C++, and what compilers and headers define besides.
constexpr std::array words = {
    "alignas",  "alignof",  "and",      "asm",      "auto",     "bool",     "break",     "case",     "catch",
    "char",     "class",    "compl",    "const",    "continue", "default",  "delete",    "do",       "double",
    "else",     "enum",     "explicit", "export",   "extern",   "false",    "float",     "for",      "friend",
    "goto",     "if",       "inline",   "int",      "long",     "mutable",  "namespace", "new",      "not",
    "operator", "or",       "private",  "public",   "register", "restrict", "return",    "short",    "signed",
    "sizeof",   "static",   "struct",   "switch",   "template", "this",     "throw",     "true",     "try",
    "typedef",  "typename", "union",    "unsigned", "using",    "virtual",  "void",      "volatile", "while",
    "xor",      "linux",    "unix",     "errno",    "stdin",    "stdout",   "stderr",    "NULL",     "NAN",
    "INFINITY", "HUGE_VAL", "EOF",      "BUFSIZ",   "DOMAIN",   "SING",     "OVERFLOW",  "UNDERFLOW"};

/// Functions and types of the headers that exported code includes, and names of its own example.
constexpr std::array library = {"main",       "run",         "print_row",  "largest_difference",
                                "model",      "is_expected", "expected_q", "expected_v",
                                "H",          "SLIVER",      "acos",       "acosh",
                                "asin",       "asinh",       "atan",       "atan2",
                                "atanh",      "cbrt",        "ceil",       "copysign",
                                "cos",        "cosh",        "erf",        "erfc",
                                "exp",        "exp2",        "expm1",      "fabs",
                                "fdim",       "floor",       "fma",        "fmax",
                                "fmin",       "fmod",        "frexp",      "gamma",
                                "hypot",      "ilogb",       "j0",         "j1",
                                "jn",         "ldexp",       "lgamma",     "llrint",
                                "llround",    "log",         "log10",      "log1p",
                                "log2",       "logb",        "lrint",      "lround",
                                "modf",       "nan",         "nearbyint",  "nextafter",
                                "nexttoward", "pow",         "remainder",  "remquo",
                                "rint",       "round",       "scalb",      "scalbln",
                                "scalbn",     "significand", "sin",        "sinh",
                                "sqrt",       "tan",         "tanh",       "tgamma",
                                "trunc",      "y0",          "y1",         "yn",
                                "size_t",     "ptrdiff_t",   "wchar_t",    "memchr",
                                "memcmp",     "memcpy",      "memmove",    "memset",
                                "strcat",     "strchr",      "strcmp",     "strcoll",
                                "strcpy",     "strcspn",     "strerror",   "strlen",
                                "strncat",    "strncmp",     "strncpy",    "strpbrk",
                                "strrchr",    "strspn",      "strstr",     "strtok",
                                "strxfrm",    "abort",       "abs",        "atexit",
                                "atof",       "atoi",        "atol",       "bsearch",
                                "calloc",     "div",         "div_t",      "exit",
                                "free",       "getenv",      "labs",       "ldiv",
                                "malloc",     "mblen",       "qsort",      "rand",
                                "random",     "realloc",     "select",     "srand",
                                "strtod",     "strtof",      "strtol",     "strtoul",
                                "system",     "index",       "clearerr",   "fclose",
                                "feof",       "ferror",      "fflush",     "fgetc",
                                "fopen",      "fprintf",     "fputc",      "fputs",
                                "fread",      "freopen",     "fscanf",     "fseek",
                                "ftell",      "fwrite",      "getc",       "getchar",
                                "gets",       "perror",      "printf",     "putc",
                                "putchar",    "puts",        "remove",     "rename",
                                "rewind",     "scanf",       "setbuf",     "snprintf",
                                "sprintf",    "sscanf",      "tmpfile",    "tmpnam",
                                "ungetc",     "vprintf",     "drem",       "finite",
                                "dremf",      "signgam",     "alloca",     "getline",
                                "dprintf",    "renameat",    "int8_t",     "int16_t",
                                "int32_t",    "int64_t",     "uint8_t"};

/// Beginnings of the names that exported code uses itself.
constexpr std::array own = {"taut", "fmu", "fmi", "TAUT", "FMU", "FMI"};

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
  std::string lower = text;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool is_own = lower == "main" || lower == "fmi2_unit" || lower == "fmi3_unit";
  return text.empty() || text.front() == '-' || is_own ? "model_" + text : text;
}

std::string c_type(std::string_view name) {
  const std::string text = c_identifier(name);
  const bool is_own = std::ranges::any_of(own, [&](const char* start) { return text.starts_with(start); });
  return is_own || std::ranges::find(library, text) != library.end() ? "model_" + text : text;
}

CNames::CNames(std::set<std::string> taken) : taken_(std::move(taken)) {}

std::string CNames::take(const std::string& name) {
  std::string unique = name;
  for (int k = 2; !taken_.insert(unique).second; ++k) unique = name + "_" + std::to_string(k);
  return unique;
}

}  // namespace taut
