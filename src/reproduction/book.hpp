#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/yaml_tree.hpp"
#include "output/stroboscope.hpp"
#include "reproduction/rule.hpp"
#include "taut/model.hpp"

/// What the papers print and what is made of it here, as data: models/papers/reproduction.book. Which
/// runs an example needs, which figures are compared, what is expected, and why where it differs.
namespace taut {

/// One run of an example: a model and options.
struct RunSpec {
  std::string name, model;
  std::vector<Setting> settings;
  std::vector<Assignment> set;
  bool slow = false;      ///< left out with --quick
  bool may_fail = false;  ///< shows what goes wrong: it may end early, and need not be trusted
};

/// Where the figure that ours is compared with comes from.
enum class Source {
  printed,   ///< a number in the paper's text or tables
  read_off,  ///< a number read off a curve of the paper
  words,     ///< a claim of the paper in words
  figure,    ///< a figure of the paper
  none,      ///< the paper has nothing: this is what we find
};

/// One figure that is compared. The program gives the verdict; what is expected of it is stated, so that a change
/// shows.
struct Claim {
  std::string what;
  yaml::PlacedText value;                   ///< a formula of measurements: position(run), error(run, reference, x), …
  std::vector<yaml::PlacedText> ascending;  ///< or several, each larger than the one before
  Source source = Source::none;
  std::string published;                        ///< a number as printed or read off, or the claim in words
  std::optional<Rule> rule;                     ///< for numbers
  std::optional<double> at_most, at_least;      ///< bounds of ours: what the words mean, or what we found
  std::optional<std::array<double, 2>> varies;  ///< on other machines, since rounding has a say in it
  bool reproduced = true;                       ///< as far as we know; if not, why says why not
  std::string why;
  Place place;
};

/// A figure of a paper, drawn as printed, or one of ours. A list that goes with the runs may be shorter than they are.
struct Figure {
  std::string name;
  std::string of;     ///< which one it is in the paper: "Fig. 3"; "" for one of ours
  std::string shows;  ///< what the paper's shows, in a sentence
  std::string why;    ///< of a sketch, which has nothing to compute: what it is
  /// series: columns over time; change: the same, less their first values; xy: pairs of columns against each other, one
  /// unit as long on both axes; phase: the same with axes of their own; strobe: the mechanism at equal intervals;
  /// study: a value against the step or the evaluations of each run; sketch: nothing.
  std::string kind = "series";
  std::string title, x_label, y_label;
  std::string against = "step";  ///< of a study: step or evaluations
  std::string reference;         ///< a run whose columns are subtracted
  std::vector<std::string> runs, labels, columns;
  std::vector<std::string>
      styles;                  ///< of the runs, of a study's values: words out of solid, dashed, dots, circles, plus
  std::vector<double> divide;  ///< what the curves of each run are divided by
  std::vector<int> colours;    ///< of a study's values
  std::vector<yaml::PlacedText> values;
  bool log_x = false, log_y = false;
  std::optional<std::array<double, 2>> window;  ///< of time, in s
  int flashes = 12;
  std::optional<double> every;  ///< s between flashes, or between marks
  bool fade = true;             ///< earlier flashes are fainter
  View view;
  std::optional<double> limit;  ///< what is larger than this is not shown
  std::vector<Figure> panels;   ///< one above the other over one axis; each has what the figure has, unless it says so
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
