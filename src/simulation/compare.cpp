#include "taut/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/nearest.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

constexpr double default_rows = 200;
constexpr double coarser = 100;      ///< by how much the reference is coarsened to see how accurate it is
constexpr double enough_time = 0.2;  ///< s spent on measuring a row: one measurement of a short run says little
constexpr int most_measurements = 5;
constexpr double grid_tolerance = 1e-9;  ///< of the grid's spacing
const OptionValues reference_defaults = {{"integrator", "dop853"}, {"rtol", "1e-13"}, {"atol", "1e-15"}};

// ---- reading ----------------------------------------------------------------------------------

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

/// The parts between separators that stand outside parentheses.
std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth < 0) break;
    if (c == separator && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (depth != 0) throw InputError("the parentheses in '" + text + "' do not match", "close each that is opened, once");
  for (std::string& part : parts) part = trimmed(part);
  return parts;
}

/// "name=value". The first equals sign counts: a value may have options of its own.
std::pair<std::string, std::string> name_and_value(const std::string& text, const std::string& remedy) {
  const auto equals = text.find('=');
  const std::string name = trimmed(text.substr(0, equals));
  const std::string value = equals == std::string::npos ? "" : trimmed(text.substr(equals + 1));
  if (name.empty() || value.empty()) throw InputError("'" + text + "' is no NAME=VALUE", remedy);
  return {name, value};
}

bool contains(const OptionValues& values, const std::string& name) {
  return std::any_of(values.begin(), values.end(), [&](const auto& entry) { return entry.first == name; });
}

// ---- columns and times ------------------------------------------------------------------------

[[noreturn]] void refuse_column(const std::string& name, const std::vector<std::string>& known,
                                const std::string& who) {
  const std::string near = nearest(name, known);
  throw InputError(
      fmt::format("{} has no column '{}'", who, name),
      near.empty() ? fmt::format("there are: {}", fmt::join(known, ", ")) : "did you mean '" + near + "'?");
}

std::size_t column_of(const std::vector<std::string>& columns, const std::string& name, const std::string& who) {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) refuse_column(name, columns, who);
  return static_cast<std::size_t>(found - columns.begin());
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The chosen columns at the times of a grid, by the number of the time.
using Samples = std::map<long, std::vector<double>>;

long number_on_grid(double t, const std::optional<double>& every) { return every ? std::lround(t / *every) : 0; }

Samples samples(const Trajectory& trajectory, const std::vector<std::string>& of, const std::optional<double>& every,
                const std::string& who) {
  std::vector<std::size_t> columns;
  for (const auto& name : of) columns.push_back(column_of(trajectory.columns, name, who));
  const std::size_t t = column_of(trajectory.columns, "t", who);
  Samples list;
  for (const auto& row : trajectory.rows) {
    const long number = number_on_grid(row[t], every);
    // The end of a run that stops early lies between the times that are compared.
    if (every && std::abs(row[t] - static_cast<double>(number) * *every) > 1e-9 * *every) continue;
    auto& values = list[number];
    values.clear();
    for (const std::size_t column : columns) values.push_back(row[column]);
  }
  return list;
}

/// The largest difference at the times that both have; a value that is no number differs infinitely.
std::optional<double> largest_difference(const Samples& a, const Samples& b) {
  std::optional<double> largest;
  for (const auto& [number, values] : a) {
    const auto other = b.find(number);
    if (other == b.end()) continue;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double difference = std::abs(values[i] - other->second[i]);
      const double size = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
      largest = std::max(largest.value_or(0), size);
    }
  }
  return largest;
}

/// The spacing that the times of a table define: the smallest there is, taken from the last time, so that the
/// rounding of a short difference does not add up.
double spacing_of(const std::vector<double>& times) {
  double smallest = std::numeric_limits<double>::infinity();
  double before = 0;
  for (const double t : times) {
    if (t > before) smallest = std::min(smallest, t - before);
    before = t;
  }
  if (!std::isfinite(smallest))
    throw InputError("the reference has no time after 0", "give it rows at times of the run");
  const double last = *std::max_element(times.begin(), times.end());
  return last / std::max(1.0, std::round(last / smallest));
}

std::vector<double> times_of(const Trajectory& table) {
  const std::size_t t = column_of(table.columns, "t", "the reference");
  std::vector<double> times;
  for (const auto& row : table.rows) times.push_back(row[t]);
  return times;
}

void require_on_grid(const std::vector<double>& times, double every) {
  for (const double t : times) {
    if (t >= 0 && std::abs(t - std::round(t / every) * every) <= grid_tolerance * std::max(every, t)) continue;
    throw InputError(fmt::format("the reference has a row at t = {:.17g}, which is no multiple of {:.12g}", t, every),
                     "give rows at equal distances, with all their digits, or the distance itself with --every");
  }
}

// ---- the comparison ---------------------------------------------------------------------------

/// Hands progress on, and remembers that somebody asked to end.
class Watcher : public Observer {
 public:
  explicit Watcher(ComparisonObserver* observer) : observer_(observer) {}
  bool progress(double t, double until, double) override {
    if (observer_ && !observer_->progress(t, until)) stopped_ = true;
    return !stopped_;
  }
  bool stopped() const { return stopped_; }

 private:
  ComparisonObserver* observer_;
  bool stopped_ = false;
};

class Comparing {
 public:
  Comparing(const Model& model, const std::vector<RunSetting>& settings, const CompareOptions& options,
            ComparisonObserver* observer)
      : model_(model),
        settings_(settings.empty() ? all_methods() : settings),
        drop_wrong_(settings.empty()),
        options_(options),
        observer_(observer),
        watcher_(observer) {}

  Comparison run() {
    prepare();
    make_reference();
    for (const RunSetting& setting : settings_) {
      for (const std::string& value : values_) {
        if (!watcher_.stopped()) add_row(setting, value);
      }
    }
    result_.interrupted = watcher_.stopped();
    fill_orders();
    drop_methods_that_cannot();
    fill_time_ratios();
    return std::move(result_);
  }

 private:
  void prepare() {
    if (options_.run.start_time != 0)
      throw InputError(
          fmt::format("the runs would begin at t = {:g}, and are compared from t = 0 on", options_.run.start_time),
          "leave start-time out");
    result_.model = model_.name;
    result_.until = options_.run.until;
    result_.sweep = options_.sweep;
    if (options_.sweep) values_ = options_.sweep->values;
    // The initial state alone tells the columns, and refuses input that is wrong for every row.
    const Run run = simulate(model_, {.until = 0, .assemble = true, .set = options_.run.set});
    choose_columns(run);
    choose_grid();
    runs_ = settings_.size() * values_.size() + (options_.table ? 0 : 2);
  }

  void choose_columns(const Run& run) {
    const auto& columns = run.trajectory.columns;
    for (const auto& name : options_.of) column_of(columns, name, "the model");
    result_.of = options_.of;
    if (!result_.of.empty()) return;
    const auto known = [&](const std::string& name) { return !options_.table || has(options_.table->columns, name); };
    for (const auto& [name, value] : run.summary.final_coordinates)
      if (known(name)) result_.of.push_back(name);
    // A table without any coordinate is compared in whatever else it has.
    for (std::size_t i = 1; i < columns.size() && options_.table && result_.of.empty(); ++i)
      if (known(columns[i])) result_.of.push_back(columns[i]);
    if (result_.of.empty() && options_.table)
      throw InputError(
          "the reference has no column of the model",
          fmt::format("name its columns t and any of: {}", fmt::join(columns.begin() + 1, columns.end(), ", ")));
  }

  void choose_grid() {
    result_.every = options_.run.every;
    if (options_.table) {
      const auto times = times_of(*options_.table);
      if (!result_.every) result_.every = spacing_of(times);
      require_on_grid(times, *result_.every);
    } else if (!result_.every && result_.until > 0) {
      result_.every = result_.until / default_rows;
    }
    if (result_.until > 0 && *result_.every > result_.until * (1 + grid_tolerance))
      throw InputError(fmt::format("the run ends at t = {:g}, before the first time to compare, {:g}", result_.until,
                                   *result_.every),
                       "let it run for longer, or give a smaller --every");
  }

  void begin(const std::string& what) {
    if (observer_) observer_->begin(what, ++run_, runs_);
  }

  Run recorded(Options options) {
    options.every = result_.every;
    options.record = true;
    return simulate(model_, options, &watcher_);
  }

  // ---- the reference --------------------------------------------------------------------------

  void make_reference() {
    if (options_.table) {
      reference_ = samples(*options_.table, result_.of, result_.every, "the reference");
      const std::size_t rows = options_.table->rows.size();
      result_.reference.about = fmt::format("a table of {} {}", rows, rows == 1 ? "row" : "rows");
      return;
    }
    if (no_row_can_be_run()) {
      result_.reference.problem = "there is nothing to compare with it";
      return;
    }
    const Options options = reference_options();
    try {
      compute_reference(options);
    } catch (const InputError& error) {
      result_.reference.problem = error.what();
    }
  }

  /// Whether every row names something that does not exist: no reason to compute a reference first.
  bool no_row_can_be_run() const {
    const auto wrong = [this](const RunSetting& setting) {
      try {
        row_options(setting, values_.front());
        return false;
      } catch (const InputError&) {
        return true;
      }
    };
    return std::all_of(settings_.begin(), settings_.end(), wrong);
  }

  /// Nothing of what the rows are run with, but for what makes it the same motion.
  Options reference_options() const {
    Options options;
    options.until = options_.run.until;
    options.set = options_.run.set;
    options.start = options_.run.start;
    options.assemble = true;  // a motion on the constraints, wherever the rows start
    apply_options(reference_defaults, options);
    set_option(options, "method", options_.reference.method);
    apply_options(options_.reference.options, options);
    return options;
  }

  void compute_reference(const Options& options) {
    begin("reference");
    const Run run = recorded(options);
    reference_ = samples(run.trajectory, result_.of, result_.every, "the model");
    result_.reference.about = describe(run.summary);
    result_.reference.problem = run.summary.reason;
    if (watcher_.stopped()) return;
    begin("reference, more coarsely");
    const Run coarse = recorded(coarsened(options));
    result_.reference.coarser = describe(coarse.summary);
    result_.reference.accuracy =
        largest_difference(samples(coarse.trajectory, result_.of, result_.every, "the model"), reference_);
  }

  static Options coarsened(Options options) {
    if (options.step) *options.step *= 2;
    options.rtol *= coarser;
    if (options.atol) *options.atol *= coarser;
    return options;
  }

  static std::string describe(const Summary& summary) {
    if (summary.step) return fmt::format("{}, {} with step {:g}", summary.method, summary.integrator, *summary.step);
    const std::string words =
        fmt::format("{}, {} to rtol {:g}", summary.method, summary.integrator, summary.rtol.value_or(0));
    return summary.atol ? fmt::format("{}, atol {:g}", words, *summary.atol) : words;
  }

  // ---- the rows -------------------------------------------------------------------------------

  void add_row(const RunSetting& setting, const std::string& value) {
    ComparisonRow row;
    row.setting = setting.text;
    row.value = value;
    begin(value.empty() ? setting.text : setting.text + ", " + options_.sweep->option + " = " + value);
    try {
      measure(row_options(setting, value), row);
    } catch (const InputError& error) {
      row.summary.reset();
      row.error.reset();
      row.message = error.what();
    }
    result_.rows.push_back(std::move(row));
  }

  Options row_options(const RunSetting& setting, const std::string& value) const {
    Options options = options_.run;
    set_option(options, "method", setting.method);
    if (contains(setting.options, "every"))
      throw InputError("'every' is the grid that all rows share", "give it once, as --every");
    apply_options(setting.options, options);
    if (!value.empty()) apply_options({{options_.sweep->option, value}}, options);
    return options;
  }

  void measure(const Options& options, ComparisonRow& row) {
    row.summary = cheapest(options);
    if (watcher_.stopped() || reference_.empty()) return;
    const Run run = recorded(options);
    // A run that ends before the first time of the grid has only its beginning to compare, which says nothing.
    const Samples found = samples(run.trajectory, result_.of, result_.every, "the model");
    if (result_.every && options.until > 0 && found.size() < 2) return;
    row.error = largest_difference(found, reference_);
  }

  /// The run with next to nothing recorded; a short one is repeated and the shortest time counts.
  Summary cheapest(Options options) {
    options.record = false;
    options.every = options.until > 0 ? std::optional(options.until) : std::nullopt;
    Summary best = simulate(model_, options, &watcher_).summary;
    double spent = best.wall_seconds;
    for (int i = 1; i < most_measurements && spent < enough_time && !watcher_.stopped(); ++i) {
      const double seconds = simulate(model_, options, &watcher_).summary.wall_seconds;
      best.wall_seconds = std::min(best.wall_seconds, seconds);
      spent += seconds;
    }
    return best;
  }

  // ---- what needs all rows --------------------------------------------------------------------

  /// Where every method was asked for, one that cannot run the model is no fault of the user's, unless none can.
  void drop_methods_that_cannot() {
    auto& rows = result_.rows;
    const auto wrong = [](const ComparisonRow& row) { return !row.summary; };
    if (!drop_wrong_ || std::all_of(rows.begin(), rows.end(), wrong)) return;
    for (const ComparisonRow& row : rows) {
      if (wrong(row)) result_.left_out.push_back(row.setting + ": " + row.message);
    }
    std::erase_if(rows, wrong);
  }

  void fill_time_ratios() {
    auto& rows = result_.rows;
    const auto base = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.went_through(); });
    if (base == rows.end() || !(base->summary->wall_seconds > 0)) return;
    result_.time_base = base->value.empty() ? base->setting : base->setting + ", " + base->value;
    const double unit = base->summary->wall_seconds;
    for (ComparisonRow& row : rows) {
      if (row.summary) row.time_ratio = row.summary->wall_seconds / unit;
    }
  }

  void fill_orders() {
    if (!options_.sweep || options_.sweep->option != "step") return;
    for (std::size_t i = 1; i < result_.rows.size(); ++i) {
      const ComparisonRow& before = result_.rows[i - 1];
      ComparisonRow& row = result_.rows[i];
      if (i % values_.size() == 0 || !row.went_through() || !before.went_through()) continue;
      const double steps = std::log(*before.summary->step / *row.summary->step);
      const double order = std::log(before.error.value_or(0) / row.error.value_or(0)) / steps;
      if (std::isfinite(order)) row.order = order;
    }
  }

  const Model& model_;
  std::vector<RunSetting> settings_;
  bool drop_wrong_;
  const CompareOptions& options_;
  ComparisonObserver* observer_;
  Watcher watcher_;
  std::vector<std::string> values_{""};
  Samples reference_;
  Comparison result_;
  std::size_t run_ = 0, runs_ = 0;
};

}  // namespace

void apply_options(const OptionValues& values, Options& options, const std::string& prefix) {
  if ((contains(values, "rtol") || contains(values, "atol")) && !contains(values, "step")) unset_step(options);
  for (const auto& [name, value] : values) {
    try {
      set_option(options, name, value, prefix.empty() ? "" : prefix + name + " " + value);
    } catch (const InputError& error) {
      throw InputError(error.place(), prefix + name + ": " + error.message(), error.remedy());
    }
  }
}

RunSetting read_setting(const std::string& text) {
  const auto parts = split(text, '/');
  RunSetting setting{trimmed(text), parts.front(), {}};
  if (setting.method.empty())
    throw InputError("a method is missing in '" + text + "'",
                     "write it as NAME, NAME(option=value) or NAME/option=value");
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto option =
        name_and_value(parts[i], "after a slash stands an option of the run, for example /control=euler");
    if (option.first == "method")
      throw InputError("'" + text + "' names two methods", "the method stands before the first slash");
    setting.options.push_back(option);
  }
  return setting;
}

std::vector<RunSetting> read_settings(const std::string& text) {
  std::vector<RunSetting> settings;
  for (const auto& part : split(text, ',')) settings.push_back(read_setting(part));
  return settings;
}

std::vector<RunSetting> all_methods() {
  std::vector<RunSetting> settings;
  for (const auto& entry : list_methods()) settings.push_back({entry.name, entry.name, {}});
  return settings;
}

OptionSweep read_sweep(const std::string& text) {
  const std::string remedy = "write for example step=1e-2,5e-3 or rtol=1e-4,1e-6";
  const auto [name, values] = name_and_value(text, remedy);
  OptionSweep sweep{name, split(values, ',')};
  if (name == "method" || name == "every" || has(sweep.values, ""))
    throw InputError("'" + text + "' is no option with values", remedy);
  Options trial;
  for (const auto& value : sweep.values) apply_options({{name, value}}, trial);
  return sweep;
}

bool ComparisonRow::went_through() const {
  if (!summary || summary->limit_broken) return false;
  return summary->outcome == Outcome::done || summary->outcome == Outcome::stopped;
}

Comparison compare(const Model& model, const std::vector<RunSetting>& settings, const CompareOptions& options,
                   ComparisonObserver* observer) {
  return Comparing(model, settings, options, observer).run();
}

}  // namespace taut
