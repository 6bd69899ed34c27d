#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "taut/simulation.hpp"
#include "taut/visibility.hpp"

/// One model under several methods and settings, side by side: `compare(model, read_settings("auto,perturbation"))`.
namespace taut TAUT_PUBLIC {

/// Options by name, as text: the names are those of option_list().
using OptionValues = std::vector<std::pair<std::string, std::string>>;

/// Applies options by name. A tolerance asks for error control, whatever step stood there before, unless a
/// step is among the options too. With a prefix, such as "--", messages name an option as PREFIX NAME VALUE. Throws
/// InputError.
void apply_options(const OptionValues& values, Options& options, const std::string& prefix = "");

/// What one row of a comparison is run with: a method, and options of a run that hold for this row only.
struct RunSetting {
  std::string text;    ///< as given
  std::string method;  ///< with its options in parentheses
  OptionValues options;
};
/// Reads "baumgarte(omega=20)/control=euler/step=1e-2". Throws InputError where the form is wrong; whether the
/// names exist is known when the row is run.
RunSetting read_setting(const std::string& text);
/// Reads settings with commas between them; those inside parentheses do not separate.
std::vector<RunSetting> read_settings(const std::string& text);
/// Every method of the list, each with nothing of its own.
std::vector<RunSetting> all_methods();

/// The values that one option takes in turn.
struct OptionSweep {
  std::string option;
  std::vector<std::string> values;
};
/// Reads "step=1e-2,5e-3". Throws InputError for an option that is not in the list.
OptionSweep read_sweep(const std::string& text);

struct CompareOptions {
  Options run;                       ///< what all rows share; `every` is the grid of the comparison, until/200 if none
  std::vector<std::string> of;       ///< coordinates, rates as x', speeds, outputs; empty: every coordinate
  std::optional<OptionSweep> sweep;  ///< every setting at each of these values
  std::optional<Trajectory> table;   ///< the reference, if it is known beforehand: t and columns of the model
  RunSetting reference{"auto", "auto", {}};  ///< how the reference is computed if it is not
};

/// What the rows are compared with, and how far it can be trusted.
struct ComparisonReference {
  std::string about;               ///< "auto, dop853 to rtol 1e-13, atol 1e-15"; "a table of 201 rows"
  std::string coarser;             ///< the same, computed a hundred times more coarsely; "" for a table
  std::optional<double> accuracy;  ///< how much the coarser one differs: the reference itself is better than that
  std::string problem;             ///< why there is none, or where it ends early; "" if all is well
};

struct ComparisonRow {
  std::string setting;             ///< as given
  std::string value;               ///< of the option swept, "" if none is
  std::optional<Summary> summary;  ///< none: the combination is wrong
  std::string message;             ///< what is wrong with the combination
  std::optional<double> error;     ///< largest difference from the reference at the common times
  std::optional<double> order;     ///< of the error in the step, against the row before, where the step is swept
  std::optional<double> time_ratio;

  /// Did it reach its end, or an event at which the model asks to stop?
  bool went_through() const;
  /// … with a result that can be used?
  bool is_trusted() const { return went_through() && taut::is_trusted(summary->verdict); }
};

struct Comparison {
  std::string model;
  double until = 0;
  std::optional<double> every;  ///< s between the times compared; none where nothing is integrated
  std::vector<std::string> of;
  std::optional<OptionSweep> sweep;
  ComparisonReference reference;
  std::vector<ComparisonRow> rows;    ///< in the order of the settings; the values of a sweep follow one another
  std::string time_base;              ///< the row whose time is 1, "" if no row went through
  std::vector<std::string> left_out;  ///< methods that cannot run this model, and why, where all were asked for
  bool interrupted = false;
};

/// Told which run is under way.
class ComparisonObserver {
 public:
  virtual ~ComparisonObserver() = default;
  virtual void begin(const std::string& /*what*/, std::size_t /*number*/, std::size_t /*of*/) {}
  /// Called now and then; false ends the comparison.
  virtual bool progress(double /*t*/, double /*until*/) { return true; }
};

/// Runs the model under every setting and compares it with the reference on a common grid of times. No settings:
/// every method that can run the model. A setting that is wrong says so in its row; input that is wrong for all of
/// them throws InputError.
///
/// A row is run more than once: to measure its cost with nothing recorded, so that dense output and outputs do not
/// count, and to record it on the grid.
Comparison compare(const Model& model, const std::vector<RunSetting>& settings, const CompareOptions& options = {},
                   ComparisonObserver* observer = nullptr);

}  // namespace TAUT_PUBLIC
