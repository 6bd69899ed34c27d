#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reproduction/book.hpp"
#include "taut/simulation.hpp"

/// Runs what the book asks for and measures it.
namespace taut {

/// The outcome of one check.
struct Finding {
  std::string paper, example, what;
  Source source = Source::none;
  std::string published;       ///< as printed or read off, or the claim in words
  std::optional<double> ours;  ///< none where there is no such figure
  std::string rule;            ///< by which the verdict is given
  std::string verdict;         ///< given by the program
  std::string trouble;         ///< why the check failed; "" if it did not
  std::string varies;          ///< the range on other machines, in words; "" if all print the same
  std::string why;
  bool holds = false;     ///< the verdict is the one that the book expects
  bool left_out = false;  ///< with --quick
};

struct Picture {
  std::string paper, example, name;
  std::string of;  ///< which one it is in the paper; "" for one of ours
  std::string title;
  std::string shows;  ///< what the paper's shows
  std::string svg;
};

struct Reproduction {
  std::vector<Finding> findings;
  std::vector<Picture> pictures;
  bool all_hold() const;
};

struct ReproductionOptions {
  std::vector<std::string> papers;  ///< empty: all
  bool quick = false;
  /// Told before each example: "000 pendulum". Returns false to stop.
  std::function<bool(const std::string& what)> progress;
};

/// Runs the examples of the papers asked for. Throws InputError for a paper that is not in the book, and
/// for mistakes in the book itself.
Reproduction reproduce(const Book& book, const ReproductionOptions& options);

}  // namespace taut
