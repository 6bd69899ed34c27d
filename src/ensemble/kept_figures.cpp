#include "ensemble/kept_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/nearest.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct SummaryFigure {
  const char* name;
  double (*of)(const Summary& summary);
};

/// The one list of figures that are kept of a summary.
constexpr SummaryFigure summary_figures[] = {
    {"t_end", [](const Summary& s) { return s.t_end; }},
    {"steps", [](const Summary& s) { return static_cast<double>(s.steps); }},
    {"evaluations", [](const Summary& s) { return static_cast<double>(s.evaluations); }},
    {"max_position_violation", [](const Summary& s) { return s.max_position_violation.value_or(none); }},
    {"max_velocity_violation", [](const Summary& s) { return s.max_velocity_violation.value_or(none); }},
    {"max_energy_error", [](const Summary& s) { return s.max_energy_error.value_or(none); }},
};

/// At commas outside of brackets, without spaces around.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      words.emplace_back();
    } else if (c != ' ') {
      words.back() += c;
    }
  }
  return words;
}

}  // namespace

// ---- rows -----------------------------------------------------------------------------------------

void RowFigures::start(const std::vector<std::string>& columns) {
  columns_ = columns;
  last_.assign(columns.size(), none);
  least_ = most_ = last_;
}

void RowFigures::row(const std::vector<double>& values) {
  last_ = values;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!(values[k] >= least_[k])) least_[k] = std::isnan(values[k]) ? least_[k] : values[k];
    if (!(values[k] <= most_[k])) most_[k] = std::isnan(values[k]) ? most_[k] : values[k];
  }
}

bool keeps_trajectories(const std::string& keep) {
  const std::vector<std::string> words = words_of(keep);
  return std::ranges::find(words, "trajectories") != words.end();
}

// ---- figures --------------------------------------------------------------------------------------

KeptFigures::KeptFigures(const std::string& keep, const std::vector<std::string>& columns, const Model& model)
    : columns_(columns) {
  for (const std::string& word : words_of(keep)) add(word, model);
}

void KeptFigures::add(const std::string& word, const Model& model) {
  std::set<std::string> outputs;
  for (const Output& output : model.outputs) outputs.insert(output.name);
  const auto add_columns = [&](auto wanted, Of of, const char* format) {
    for (std::size_t k = 1; k < columns_.size(); ++k)  // the first is t
      if (wanted(columns_[k])) add_figure({of, k}, fmt::format(fmt::runtime(format), columns_[k]));
  };
  const auto all = [](const std::string&) { return true; };
  if (word == "summary") {
    for (std::size_t k = 0; k < std::size(summary_figures); ++k) add_figure({Of::summary, k}, summary_figures[k].name);
  } else if (word == "final") {
    add_columns([&](const std::string& name) { return !outputs.contains(name); }, Of::last, "{}");
  } else if (word == "outputs") {
    add_columns([&](const std::string& name) { return outputs.contains(name); }, Of::last, "{}");
  } else if (word == "extremes") {
    add_columns(all, Of::least, "min({})");
    add_columns(all, Of::most, "max({})");
  } else if (word == "trajectories") {
    needs_rows_ = true;
  } else {
    add_column(word);
  }
}

void KeptFigures::add_figure(Figure figure, const std::string& name) {
  needs_rows_ = needs_rows_ || figure.of == Of::least || figure.of == Of::most;
  if (std::ranges::find(names_, name) != names_.end()) return;
  names_.push_back(name);
  figures_.push_back(figure);
}

void KeptFigures::add_column(const std::string& word) {
  const bool least = word.starts_with("min("), most = word.starts_with("max(");
  const std::string name = (least || most) && word.ends_with(")") ? word.substr(4, word.size() - 5) : word;
  for (std::size_t k = 0; k < std::size(summary_figures); ++k)
    if (word == summary_figures[k].name) return add_figure({Of::summary, k}, word);
  const auto column = std::ranges::find(columns_, name);
  if (column == columns_.end()) {
    const std::string near = nearest(name, columns_);
    throw InputError(fmt::format("--keep: nothing in a run is named '{}'", name),
                     near.empty() ? "keep summary, final, outputs, extremes, trajectories, or columns by name"
                                  : fmt::format("did you mean '{}'?", near));
  }
  add_figure({least  ? Of::least
              : most ? Of::most
                     : Of::last,
              static_cast<std::size_t>(column - columns_.begin())},
             word);
}

std::vector<double> KeptFigures::of(const Summary& summary, const RowFigures& rows) const {
  // A member with another number of parts has other columns.
  const bool same = rows.columns() == columns_;
  const auto place = [&](std::size_t k) {
    return same ? k : static_cast<std::size_t>(std::ranges::find(rows.columns(), columns_[k]) - rows.columns().begin());
  };
  std::vector<double> values;
  for (const Figure& figure : figures_) {
    if (figure.of == Of::summary) {
      values.push_back(summary_figures[figure.index].of(summary));
      continue;
    }
    const auto& row = figure.of == Of::last ? rows.last() : figure.of == Of::least ? rows.least() : rows.most();
    const std::size_t k = place(figure.index);
    values.push_back(k < row.size() ? row[k] : none);
  }
  return values;
}

}  // namespace taut
