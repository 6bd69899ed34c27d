#pragma once

#include <string>

#include "taut/error.hpp"

/// By what a figure of ours is taken to be one of a paper's: stated in the book, shown beside the verdict.
namespace taut {

struct Rule {
  enum class Kind {
    equal,       ///< rounded to as many digits as are printed
    within,      ///< a factor, either way
    same_order,  ///< nearer to it than to ten times as much or a tenth
    at_most,     ///< as printed, or a factor of it
    at_least,
  };
  Kind kind = Kind::equal;
  double factor = 1;
};

/// A rule as it stands in the book: `equal`, `within 1.05`, `same order`, `at most`, `at most 3`, `at least`. Throws
/// InputError for what is none, and for factors that would let anything pass.
Rule read_rule(const std::string& text, const Place& place);

/// In words, for a table.
std::string in_words(const Rule& rule);

/// `printed` is the figure as the paper prints it, with its digits.
bool holds(const Rule& rule, const std::string& printed, double ours);

}  // namespace taut
