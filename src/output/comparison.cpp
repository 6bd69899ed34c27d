#include "output/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>

#include "model/file_text.hpp"
#include "output/json.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

using Figure = std::optional<double>;
constexpr std::size_t names_shown = 8;

// ---- the columns ------------------------------------------------------------------------------

enum class Format { error, count, ratio, order };

/// A column of figures: its heading in a table, its name in CSV and JSON, and where the figure comes from.
struct Column {
  std::string heading, name;
  Format format;
  Figure (*figure)(const ComparisonRow&);
};

template <auto member>
Figure of_summary(const ComparisonRow& row) {
  return row.summary ? Figure((*row.summary).*member) : std::nullopt;
}

const std::vector<Column>& all_columns() {
  static const std::vector<Column> list = {
      {"max |Phi|", "max_position_violation", Format::error, of_summary<&Summary::max_position_violation>},
      {"max |chi|", "max_velocity_violation", Format::error, of_summary<&Summary::max_velocity_violation>},
      {"energy", "max_energy_error", Format::error, of_summary<&Summary::max_energy_error>},
      {"error", "error", Format::error, [](const ComparisonRow& row) { return row.error; }},
      {"order", "observed_order", Format::order, [](const ComparisonRow& row) { return row.order; }},
      {"steps", "steps", Format::count, of_summary<&Summary::steps>},
      {"rejected", "rejected_steps", Format::count, of_summary<&Summary::rejected_steps>},
      {"evaluations", "evaluations", Format::count, of_summary<&Summary::evaluations>},
      {"time", "time_ratio", Format::ratio, [](const ComparisonRow& row) { return row.time_ratio; }},
  };
  return list;
}

bool step_is_swept(const Comparison& comparison) { return comparison.sweep && comparison.sweep->option == "step"; }

/// All columns, but the order of convergence only where the step is swept.
std::vector<Column> columns_of(const Comparison& comparison) {
  std::vector<Column> columns = all_columns();
  if (!step_is_swept(comparison)) std::erase_if(columns, [](const Column& c) { return c.format == Format::order; });
  return columns;
}

std::string outcome_word(const ComparisonRow& row) { return row.summary ? to_string(row.summary->outcome) : "wrong"; }
std::string reason_of(const ComparisonRow& row) { return row.summary ? row.summary->reason : row.message; }

// ---- text -------------------------------------------------------------------------------------

std::string bold(Colour colour, const std::string& text) {
  return colour == Colour::on ? "\x1b[1m" + text + "\x1b[0m" : text;
}

/// Three significant digits; counts in full.
std::string figure_text(Format format, const Figure& figure) {
  if (!figure) return "-";
  switch (format) {
    case Format::error:
      return *figure == 0 ? "0" : fmt::format("{:.2e}", *figure);
    case Format::count:
      return fmt::format("{:.0f}", *figure);
    case Format::ratio:
      return std::abs(*figure) < 99.95 ? fmt::format("{:#.3g}", *figure) : fmt::format("{:.0f}", *figure);
    case Format::order:
      return fmt::format("{:.2f}", *figure);
  }
  return "-";
}

/// The smallest figure of a column among rows that went through; none where they do not differ.
Figure best_of(const Column& column, const std::vector<ComparisonRow>& rows) {
  if (column.format == Format::order) return std::nullopt;
  Figure best, worst;
  for (const ComparisonRow& row : rows) {
    const Figure figure = column.figure(row);
    if (!row.went_through() || !figure || std::isnan(*figure)) continue;
    best = std::min(best.value_or(*figure), *figure);
    worst = std::max(worst.value_or(*figure), *figure);
  }
  return best == worst ? std::nullopt : best;
}

/// What a row's result is worth.
std::string verdict_word(const ComparisonRow& row) {
  const bool judged = row.summary && row.summary->outcome != Outcome::interrupted;
  return judged ? to_string(row.summary->verdict) : outcome_word(row);
}

std::string verdict_text(const ComparisonRow& row) {
  const std::string word = verdict_word(row), reason = reason_of(row);
  if (reason.empty()) return word;
  return reason.starts_with(word) ? reason : word + ": " + reason;
}

/// A table of rows: a first column on the left, figures on the right of theirs, the outcome last.
class Table {
 public:
  Table(const Comparison& comparison, Colour colour) : columns_(columns_of(comparison)), colour_(colour) {
    for (const Column& column : columns_) {
      best_.push_back(best_of(column, comparison.rows));
      widths_.push_back(width_of(column, comparison.rows));
    }
  }

  /// The first column's heading and entries, and the rows that they stand before.
  std::string operator()(const std::string& heading, const std::vector<std::string>& firsts,
                         std::span<const ComparisonRow> rows) const {
    std::size_t width = heading.size();
    for (const auto& first : firsts) width = std::max(width, first.size());
    std::string text = fmt::format("  {:<{}}{}", heading, width, headings());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      text += fmt::format("  {:<{}}{}  {}\n", firsts[i], width, figures(rows[i]), verdict_text(rows[i]));
    }
    return text;
  }

 private:
  static std::size_t width_of(const Column& column, const std::vector<ComparisonRow>& rows) {
    std::size_t width = column.heading.size();
    for (const auto& row : rows) width = std::max(width, figure_text(column.format, column.figure(row)).size());
    return width;
  }

  std::string headings() const {
    std::string text;
    for (std::size_t i = 0; i < columns_.size(); ++i) text += fmt::format("  {:>{}}", columns_[i].heading, widths_[i]);
    return text + "  outcome\n";
  }

  std::string figures(const ComparisonRow& row) const {
    std::string text;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Figure figure = columns_[i].figure(row);
      const bool best = row.went_through() && figure && figure == best_[i];
      const std::string cell = fmt::format("  {:>{}}", figure_text(columns_[i].format, figure), widths_[i]);
      text += best ? bold(colour_, cell) : cell;
    }
    return text;
  }

  std::vector<Column> columns_;
  Colour colour_;
  std::vector<std::size_t> widths_;
  std::vector<Figure> best_;
};

std::string settings_table(const Comparison& comparison, Colour colour) {
  std::vector<std::string> settings;
  for (const ComparisonRow& row : comparison.rows) settings.push_back(row.setting);
  return Table(comparison, colour)("method", settings, comparison.rows);
}

/// One past the last row of the setting that begins at `begin`: a setting has at most one row for each value.
std::size_t end_of_setting(const Comparison& comparison, std::size_t begin) {
  const auto& rows = comparison.rows;
  const std::size_t most = std::min(rows.size(), begin + comparison.sweep->values.size());
  std::size_t end = begin;
  while (end < most && rows[end].setting == rows[begin].setting) ++end;
  return end;
}

/// One table per setting.
std::string sweep_tables(const Comparison& comparison, Colour colour) {
  const Table table(comparison, colour);
  const std::span<const ComparisonRow> rows(comparison.rows);
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    end = end_of_setting(comparison, begin);
    std::vector<std::string> values;
    for (std::size_t i = begin; i < end; ++i) values.push_back(rows[i].value);
    text += fmt::format("{}{}\n", begin > 0 ? "\n" : "", bold(colour, rows[begin].setting));
    text += table(comparison.sweep->option, values, rows.subspan(begin, end - begin));
  }
  return text;
}

/// The names compared, the first few of many.
std::string compared_text(const std::vector<std::string>& of) {
  if (of.size() <= names_shown + 1) return fmt::format("{}", fmt::join(of, ", "));
  return fmt::format("{} and {} more", fmt::join(of.begin(), of.begin() + names_shown, ", "), of.size() - names_shown);
}

std::string reference_text(const ComparisonReference& reference) {
  if (reference.about.empty()) return "none: " + reference.problem;
  std::string text = reference.about;
  if (reference.accuracy) text += fmt::format("; {:.2g} away from {}", *reference.accuracy, reference.coarser);
  return reference.problem.empty() ? text : text + "; it ends early: " + reference.problem;
}

std::string grid_text(const Comparison& comparison) {
  return comparison.every ? fmt::format(", compared every {:.6g} s", *comparison.every) : "";
}

std::string note(const std::string& label, const std::string& text) {
  return fmt::format("  {:<10} {}\n", label, text);
}

std::string legend(const Comparison& comparison) {
  std::string text = note("error", "largest difference of " + compared_text(comparison.of) + " from the reference");
  text += note("reference", reference_text(comparison.reference));
  if (step_is_swept(comparison)) text += note("order", "of the error in the step, against the line above");
  if (!comparison.time_base.empty())
    text += note("time", "ratio to that of '" + comparison.time_base + "', measured together");
  for (const auto& method : comparison.left_out) text += note("left out", method);
  return text;
}

// ---- CSV --------------------------------------------------------------------------------------

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell.append(c == '"' ? 2 : 1, c);
  return cell + '"';
}

std::string csv_figure(const Figure& figure) {
  return figure && std::isfinite(*figure) ? fmt::format("{:.17g}", *figure) : "";
}

// ---- JSON -------------------------------------------------------------------------------------

using Json = nlohmann::ordered_json;

Json number(const Figure& figure) { return figure && std::isfinite(*figure) ? Json(*figure) : Json(nullptr); }
Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
Json figure_json(Format format, const Figure& figure) {
  return format == Format::count && figure ? Json(static_cast<long>(*figure)) : number(figure);
}

Json reference_json(const ComparisonReference& reference) {
  return {{"about", text_or_null(reference.about)},
          {"coarser", text_or_null(reference.coarser)},
          {"accuracy", number(reference.accuracy)},
          {"problem", text_or_null(reference.problem)}};
}

Json row_json(const Comparison& comparison, const ComparisonRow& row) {
  Json json = {{"method", row.setting}};
  if (comparison.sweep) json[comparison.sweep->option] = row.value;
  for (const Column& column : columns_of(comparison))
    json[column.name] = figure_json(column.format, column.figure(row));
  json["t_end"] = row.summary ? number(row.summary->t_end) : Json(nullptr);
  json["outcome"] = outcome_word(row);
  json["reason"] = text_or_null(reason_of(row));
  json["verdict"] = verdict_word(row);
  json["verdict_reason"] = text_or_null(row.summary ? row.summary->verdict_reason : row.message);
  // What was chosen where the setting left a choice.
  json["run"] = nullptr;
  if (const auto& s = row.summary)
    json["run"] = {{"method", s->method},     {"integrator", s->integrator}, {"linear", s->linear},
                   {"control", s->control},   {"energy", s->energy},         {"step", number(s->step)},
                   {"rtol", number(s->rtol)}, {"atol", number(s->atol)}};
  return json;
}

Json sweep_json(const Comparison& comparison) {
  if (!comparison.sweep) return nullptr;
  return {{"option", comparison.sweep->option}, {"values", comparison.sweep->values}};
}

// ---- tables -----------------------------------------------------------------------------------

/// The cells of a line of CSV; quotes keep commas together, and two of them stand for one.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      if (inside && i + 1 < line.size() && line[i + 1] == '"')
        cells.back() += line[++i];
      else
        inside = !inside;
    } else if (line[i] == ',' && !inside) {
      cells.emplace_back();
    } else if (line[i] != '\r') {
      cells.back() += line[i];
    }
  }
  for (std::string& cell : cells) {
    cell.erase(0, cell.find_first_not_of(" \t"));
    cell.erase(cell.find_last_not_of(" \t") + 1);
  }
  return cells;
}

double cell_value(const std::string& cell, const Place& place) {
  double value = 0;
  const char* end = cell.data() + cell.size();
  const auto result = std::from_chars(cell.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end)
    throw InputError(place, "'" + cell + "' is not a number", "every line but the first holds numbers");
  return value;
}

std::vector<double> row_values(const std::string& line, std::size_t columns, const Place& place) {
  const auto cells = cells_of(line);
  if (cells.size() != columns)
    throw InputError(place, fmt::format("this line has {} cells and the first has {}", cells.size(), columns),
                     "give every line as many");
  std::vector<double> values;
  for (const auto& cell : cells) values.push_back(cell_value(cell, place));
  return values;
}

}  // namespace

std::string to_text(const Comparison& comparison, Colour colour) {
  const std::string title = fmt::format("{}: until t = {:.6g}{}\n\n", bold(colour, comparison.model), comparison.until,
                                        grid_text(comparison));
  const std::string table = comparison.sweep ? sweep_tables(comparison, colour) : settings_table(comparison, colour);
  return title + table + "\n" + legend(comparison);
}

std::string to_csv(const Comparison& comparison) {
  const auto columns = columns_of(comparison);
  const std::string swept = comparison.sweep ? comparison.sweep->option + "," : "";
  std::string text = "method," + swept;
  for (const Column& column : columns) text += column.name + ",";
  text += "t_end,outcome,reason\n";
  for (const ComparisonRow& row : comparison.rows) {
    text += quoted(row.setting) + ",";
    if (comparison.sweep) text += quoted(row.value) + ",";
    for (const Column& column : columns) text += csv_figure(column.figure(row)) + ",";
    text += csv_figure(of_summary<&Summary::t_end>(row)) + ",";
    text += outcome_word(row) + "," + quoted(reason_of(row)) + "\n";
  }
  return text;
}

std::string to_json(const Comparison& comparison) {
  Json json = {{"model", comparison.model},
               {"until", number(comparison.until)},
               {"every", number(comparison.every)},
               {"of", comparison.of}};
  json["reference"] = reference_json(comparison.reference);
  json["sweep"] = sweep_json(comparison);
  json["time_base"] = text_or_null(comparison.time_base);
  json["left_out"] = comparison.left_out;
  json["interrupted"] = comparison.interrupted;
  json["rows"] = Json::array();
  for (const ComparisonRow& row : comparison.rows) json["rows"].push_back(row_json(comparison, row));
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Trajectory read_table(const std::string& file) {
  require_readable(file);
  std::ifstream stream(file);
  if (!stream) throw InputError("cannot read '" + file + "'", "name a CSV file that exists");
  Trajectory table;
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (table.columns.empty()) {
      table.columns = cells_of(line);
    } else {
      table.rows.push_back(row_values(line, table.columns.size(), {file, number, 1}));
    }
  }
  if (table.rows.empty()) throw InputError("'" + file + "' has no rows", "give a header line, then lines of numbers");
  return table;
}

}  // namespace taut
