#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "output/json_object.hpp"
#include "output/row_formulas.hpp"
#include "output/run_writer.hpp"
#include "output/scene.hpp"
#include "output/thinning.hpp"

namespace taut {

/// A run as a page shows it: figures as JSON, columns as binary numbers in base64. web/README.md says what stands
/// there.
struct RecordedRun {
  JsonObject json;
  std::string data;
};

/// How much of a page a run may take, in bytes before encoding.
struct RecordSize {
  std::size_t plots = 8U << 20U, frames = 7U << 20U;
};

/// Keeps of a run what a page shows of it, thinned as it comes, so that a run of any length opens quickly.
class RunRecord : public Observer {
 public:
  explicit RunRecord(RecordSize size = {}) : size_(size) {}

  void describe(const RunDescription& description, const Model& model);
  /// As above, for a run whose model can no longer be read: the page then has no animation and says why.
  void describe(const RunDescription& description, const std::string& no_model);

  /// Which columns of the rows to plot; called before the run starts. The animation shows the same.
  void choose(ColumnChoice choice) { choice_ = std::move(choice); }

  Detail detail() const override { return Detail::constraints; }
  void start(const std::vector<std::string>& columns) override;
  void row(const std::vector<double>& values) override;
  void start_steps(const std::vector<std::string>& columns) override;
  void step(const std::vector<double>& values) override;

  bool started() const { return rows_table_.values != nullptr; }
  /// What was seen so far, without a summary and without forces; the run may go on.
  RecordedRun so_far() const { return content("", Frames(1)); }
  /// Called once, at the end, with the summary as JSON; "" where there is none.
  RecordedRun finish(const std::string& summary);

 private:
  struct Table {
    std::vector<std::string> columns;
    std::unique_ptr<Extremes> values;
  };
  std::size_t rows_for(std::size_t columns) const;
  void describe_forces(const Model& model, const std::vector<double>& parameters);
  void keep_last();
  Frames forces();
  RecordedRun content(const std::string& summary, const Frames& forces) const;

  RecordSize size_;
  ColumnChoice choice_;
  RunDescription description_;
  std::string no_model_;
  std::vector<std::pair<std::string, int>> constraint_lines_;
  std::vector<std::array<std::string, 3>> output_words_;  ///< name, unit and group of outputs that have them
  Scene scene_;
  std::optional<RowFormulas> places_, energies_, forces_;
  std::size_t force_columns_ = 0;
  std::vector<std::string> energy_names_;
  Table rows_table_, steps_table_;
  std::optional<Frames> frames_;
  std::size_t most_frames_ = 0;
  /// Rows as they came and multipliers of steps, for forces: a row does not have the multipliers.
  std::optional<Frames> states_, multipliers_;
  std::optional<std::pair<double, std::vector<double>>> last_state_, last_lambda_;
  std::vector<std::size_t> multiplier_columns_;  ///< of a step
  std::vector<std::string> state_columns_;
  std::vector<double> last_, drawn_, energy_, extended_, lambda_;
};

}  // namespace taut
