#pragma once

#include <memory>
#include <string>
#include <vector>

#include "output/draft.hpp"
#include "output/run_record.hpp"

namespace taut {

/// Writes a run as one self-contained page: verdict, animation, plots, the model's text.
class ReportWriter : public RunWriter {
 public:
  /// Throws InputError if the name does not end in .html, or this build has no page.
  explicit ReportWriter(std::string file);

  Detail detail() const override { return record_.detail(); }
  void describe(const RunDescription& description, const Model& model) override {
    record_.describe(description, model);
  }
  /// As above, for a run whose model can no longer be read: the page then has no animation and says why.
  void describe(const RunDescription& description, const std::string& no_model) {
    record_.describe(description, no_model);
  }
  /// Throws InputError if the file cannot be written, before the run has cost anything.
  void start(const std::vector<std::string>& columns) override;
  void row(const std::vector<double>& values) override;
  void start_steps(const std::vector<std::string>& columns) override { record_.start_steps(columns); }
  void step(const std::vector<double>& values) override { record_.step(values); }
  void finish(const std::string& summary) override;

 private:
  std::unique_ptr<Draft> draft_;  ///< an earlier report stays until there is a new one
  RunRecord record_;
};

}  // namespace taut
