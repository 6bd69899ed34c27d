#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "output/plot.hpp"
#include "reproduction/book.hpp"
#include "taut/simulation.hpp"

/// Runs what the book asks for and measures it.
namespace taut {

/// The outcome of one check.
struct Finding {
  std::string paper, example, what, published, verdict, why;
  double ours = 0;
  bool holds = false;     ///< the conditions that the book states are met
  bool left_out = false;  ///< with --quick
};

struct Picture {
  std::string paper, example, name, title, svg;
};

struct Reproduction {
  std::vector<Finding> findings;
  std::vector<Picture> pictures;
  bool all_hold() const;
};

struct ReproductionOptions {
  std::vector<std::string> papers;  ///< empty: all
  bool quick = false;
  bool pictures = false;
  /// Told before each example: "000 pendulum". Returns false to stop.
  std::function<bool(const std::string& what)> progress;
};

/// Runs the examples of the papers asked for. Throws InputError for a paper that is not in the book, and
/// for mistakes in the book itself.
Reproduction reproduce(const Book& book, const ReproductionOptions& options);

}  // namespace taut
