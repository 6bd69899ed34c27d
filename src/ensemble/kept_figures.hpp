#pragma once

#include <optional>
#include <string>
#include <vector>

#include "taut/simulation.hpp"

namespace taut {

/// What is kept of a member's rows: the last of them, and the extremes of every column.
class RowFigures : public Observer {
 public:
  /// A run that is told from its start once more counts anew.
  void start(const std::vector<std::string>& columns) override;
  void row(const std::vector<double>& values) override;

  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<double>& last() const { return last_; }
  const std::vector<double>& least() const { return least_; }
  const std::vector<double>& most() const { return most_; }

 private:
  std::vector<std::string> columns_;
  std::vector<double> last_, least_, most_;
};

/// Which figures of each member a sweep keeps, by words with commas between:
///   summary        t_end, steps, evaluations, the largest violations and energy error
///   final          coordinates and rates at the end
///   outputs        the model's outputs at the end
///   extremes       min(NAME) and max(NAME) of all these over the recorded rows
///   trajectories   all recorded rows, in a file of their own
///   NAME, min(NAME), max(NAME)   one of them
class KeptFigures {
 public:
  /// Throws InputError for a word that means nothing. `columns` are those of a run's rows.
  KeptFigures(const std::string& keep, const std::vector<std::string>& columns, const Model& model);

  /// In the order in which they stand in a ledger; each once.
  const std::vector<std::string>& names() const { return names_; }
  bool needs_rows() const { return needs_rows_; }  ///< those between start and end
  /// A value for each name; not a number where there is none.
  std::vector<double> of(const Summary& summary, const RowFigures& rows) const;

 private:
  enum class Of { summary, last, least, most };
  struct Figure {
    Of of;
    std::size_t index;  ///< of the summary's list, or of the column
  };
  void add(const std::string& word, const Model& model);
  void add_figure(Figure figure, const std::string& name);
  void add_column(const std::string& word);

  std::vector<std::string> columns_, names_;
  std::vector<Figure> figures_;
  bool needs_rows_ = false;
};

/// Are trajectories among these words?
bool keeps_trajectories(const std::string& keep);

}  // namespace taut
