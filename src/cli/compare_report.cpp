#include "cli/compare_report.hpp"

#include <algorithm>

#include "output/comparison_page.hpp"
#include "output/json.hpp"

namespace taut::cli {
namespace {

/// One run of a comparison, recorded; the user may end it.
class Recording : public RunRecord {
 public:
  Recording(RecordSize size, ComparisonObserver& observer) : RunRecord(size), observer_(observer) {}
  bool progress(double t, double until, double /*violation*/) override { return observer_.progress(t, until); }

 private:
  ComparisonObserver& observer_;
};

Options options_of_row(const CompareOptions& options, const ComparisonRow& row) {
  const RunSetting setting = read_setting(row.setting);
  Options run = options.run;
  set_option(run, "method", setting.method);
  apply_options(setting.options, run);
  if (options.sweep && !row.value.empty()) apply_options({{options.sweep->option, row.value}}, run);
  // A page shows the motion between the times compared, too.
  run.every.reset();
  run.record = false;
  return run;
}

/// All runs together may take as much of a page as one run alone.
RecordSize size_of_each(std::size_t runs) {
  const RecordSize whole;
  return {whole.plots / std::max<std::size_t>(runs, 1), whole.frames / std::max<std::size_t>(runs, 1)};
}

}  // namespace

std::string comparison_report(const Model& model, const CompareOptions& options, const Comparison& comparison,
                              const std::string& command, ComparisonObserver& observer) {
  const RecordSize size = size_of_each(comparison.rows.size());
  std::vector<RecordedRun> runs(comparison.rows.size());
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const ComparisonRow& row = comparison.rows[k];
    if (!row.summary) continue;
    observer.begin("page, " + row.setting, k + 1, runs.size());
    if (!observer.progress(0, 1)) break;
    const Options run_options = options_of_row(options, row);
    Recording recording(size, observer);
    recording.describe(describe(model, run_options, command), model);
    const Summary summary = simulate(model, run_options, &recording).summary;
    if (recording.started()) runs[k] = recording.finish(to_json(summary));
  }
  return comparison_page(comparison, describe(model, options.run, command), runs);
}

}  // namespace taut::cli
