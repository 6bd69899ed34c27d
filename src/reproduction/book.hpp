#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/yaml_tree.hpp"
#include "taut/model.hpp"

/// What the papers print and what is made of it here, as data: models/papers/reproduction.book. Which
/// runs an example needs, which figures are compared, what is expected, and why where it differs.
namespace taut {

/// One run of an example: a model and options.
struct RunSpec {
  std::string name, model;
  std::vector<Setting> settings;
  std::vector<Assignment> set;
  bool slow = false;  ///< left out with --quick
};

/// One figure that is compared. All conditions that are given must hold.
struct Claim {
  std::string what;
  yaml::PlacedText value;  ///< a formula of measurements: position(run), error(run, reference, x), …
  std::string published;   ///< as printed, "" if nothing is
  std::optional<double> published_value;
  std::optional<double> within;  ///< ours and theirs differ by at most this factor
  std::optional<double> at_most, at_least;
  std::string verdict;  ///< in words, if the conditions hold: reproduced, better, not reproducible
  std::string why;
  Place place;
};

/// One picture that stands for a figure of a paper.
struct Figure {
  std::string name, title, kind = "series", x_label, y_label;
  std::string against = "step";  ///< of a study: step or evaluations
  std::vector<std::string> runs, columns;
  std::vector<yaml::PlacedText> values;
  bool log_x = false, log_y = false;
  int flashes = 12;
  std::optional<double> limit;  ///< what is larger than this is not shown
  Place place;
};

struct Example {
  std::string name, about;
  std::vector<RunSpec> runs;
  std::vector<Claim> claims;
  std::vector<Figure> figures;
};

struct Paper {
  std::string name, title;
  std::vector<Example> examples;
};

struct Book {
  std::string file;
  std::vector<Paper> papers;
};

/// Throws InputError with the figure's place where it cannot be drawn as it stands.
void check_figure(const Figure& figure);

/// Reads the book. Throws InputError with the place of what is wrong.
Book read_book(const std::string& file);
/// The book that comes with the gallery.
std::string book_path();

}  // namespace taut
