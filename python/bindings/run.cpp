#include <memory>
#include <optional>

#include "bindings.hpp"
#include "output/json.hpp"
#include "output/page.hpp"
#include "output/report.hpp"
#include "output/run_writer.hpp"
#include "output/text.hpp"
#include "table.hpp"

namespace taut::python {
namespace {

/// A finished run: what it recorded, what it says of itself, and enough to make its page.
struct FinishedRun {
  Summary summary;
  RunDescription description;
  std::shared_ptr<Table> rows = std::make_shared<Table>();
  std::shared_ptr<Table> steps = std::make_shared<Table>();
};

/// What is to be kept of a run beside its rows.
struct Keeping {
  std::string output, report, columns, command;
  bool steps = false;
  bool reproducible = false;
};

/// Keeps rows in memory, passes them on to files, and ends the run on Ctrl-C or where a file cannot be written.
class Recording : public Observer {
 public:
  Recording(const Keeping& keeping, FinishedRun& run) : keeps_steps_(keeping.steps), run_(run) {
    if (!keeping.output.empty()) writers_.push_back(make_writer(keeping.output));
    if (!keeping.report.empty()) writers_.push_back(std::make_unique<ReportWriter>(keeping.report));
    for (const auto& writer : writers_) writer->choose(ColumnChoice(keeping.columns));
  }

  void describe(const Model& model) {
    for (const auto& writer : writers_) writer->describe(run_.description, model);
  }
  Detail detail() const override {
    Detail most = keeps_steps_ ? Detail::constraints : Detail::none;
    for (const auto& writer : writers_) most = std::max(most, writer->detail());
    return most;
  }
  void start(const std::vector<std::string>& columns) override {
    run_.rows->start(columns);
    for (const auto& writer : writers_) writer->start(columns);
  }
  void row(const std::vector<double>& values) override {
    run_.rows->add(values);
    for (const auto& writer : writers_) writer->row(values);
  }
  void start_steps(const std::vector<std::string>& columns) override {
    if (keeps_steps_) run_.steps->start(columns);
    for (const auto& writer : writers_) writer->start_steps(columns);
  }
  void step(const std::vector<double>& values) override {
    if (keeps_steps_) run_.steps->add(values);
    for (const auto& writer : writers_) writer->step(values);
  }
  bool progress(double t, double until, double violation) override {
    bool files_are_well = true;
    for (const auto& writer : writers_) files_are_well &= writer->progress(t, until, violation);
    return files_are_well && !interruption_.is_asked();
  }

  /// Ends the files. What could not be written stands in the summary as the reason.
  void finish() {
    tell_failures();
    const std::string json = to_json(run_.summary);
    for (const auto& writer : writers_) writer->finish(json);
    tell_failures();
    run_.rows->finish();
    run_.steps->finish();
  }
  const Interruption& interruption() const { return interruption_; }

 private:
  void tell_failures() {
    for (const auto& writer : writers_)
      if (!writer->failure().empty()) {
        run_.summary.outcome = Outcome::failed;
        run_.summary.verdict = Verdict::failed;
        run_.summary.reason = run_.summary.verdict_reason = writer->failure();
      }
  }

  bool keeps_steps_;
  FinishedRun& run_;
  std::vector<std::unique_ptr<RunWriter>> writers_;
  Interruption interruption_;
};

std::shared_ptr<FinishedRun> run(const Model& model, const Pairs& given, const Pairs& set, const Keeping& keeping) {
  const auto run = std::make_shared<FinishedRun>();
  Recording recording(keeping, *run);
  const Options options = options_for(model, given, set);
  run->description = describe(model, options, keeping.command);
  run->description.reproducible = keeping.reproducible;
  {
    const py::gil_scoped_release unlocked;
    recording.describe(model);
    run->summary = simulate(model, options, &recording).summary;
    recording.finish();
  }
  recording.interruption().rethrow();
  return run;
}

/// A column as NumPy sees it: where it stands, kept alive by the array, not to be written to.
py::array column(const std::shared_ptr<Table>& table, const std::string& name) {
  const auto& columns = table->columns();
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) throw py::key_error(name);
  const double* values = table->column(static_cast<std::size_t>(found - columns.begin()));
  py::array_t<double> array(static_cast<py::ssize_t>(table->rows()), values, py::cast(table));
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

/// A table as Python has it: names, and a column for each.
struct Columns {
  std::vector<std::string> names;
  std::vector<py::array_t<double, py::array::c_style | py::array::forcecast>> values;
};

void replay(const Columns& table, auto&& take) {
  std::vector<const double*> columns;
  for (const auto& values : table.values) columns.push_back(values.data());
  std::vector<double> row(columns.size());
  const py::ssize_t rows = table.values.empty() ? 0 : table.values.front().size();
  for (py::ssize_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = columns[c][r];
    take(row);
  }
}

/// The page of a run that is over, as `--report` writes it.
std::string page(const Model& model, const RunDescription& description, const Columns& rows, const Columns& steps,
                 const std::string& summary) {
  const py::gil_scoped_release unlocked;
  require_page("page.html");
  RunRecord record;
  record.describe(description, model);
  record.start(rows.names);
  if (!steps.names.empty()) record.start_steps(steps.names);
  replay(rows, [&](const std::vector<double>& row) { record.row(row); });
  replay(steps, [&](const std::vector<double>& step) { record.step(step); });
  const RecordedRun shown = record.finish(summary);
  return filled_page(shown.json.text(), shown.data);
}

}  // namespace

void bind_run(py::module_& module) {
  py::class_<Table, std::shared_ptr<Table>>(module, "Table")
      .def_property_readonly("columns", &Table::columns)
      .def("__len__", &Table::rows)
      .def("column", &column);
  py::class_<FinishedRun, std::shared_ptr<FinishedRun>>(module, "FinishedRun")
      .def_readonly("rows", &FinishedRun::rows)
      .def_readonly("steps", &FinishedRun::steps)
      .def_property_readonly("json", [](const FinishedRun& run) { return to_json(run.summary); })
      .def_property_readonly("text", [](const FinishedRun& run) { return to_text(run.summary); })
      .def_property_readonly("trusted", [](const FinishedRun& run) { return is_trusted(run.summary.verdict); })
      .def_property_readonly("went_through",
                             [](const FinishedRun& run) {
                               return run.summary.outcome == Outcome::done || run.summary.outcome == Outcome::stopped;
                             })
      .def_property_readonly("limit_broken", [](const FinishedRun& run) { return run.summary.limit_broken; });
  py::class_<Keeping>(module, "Keeping")
      .def(py::init<>())
      .def_readwrite("output", &Keeping::output)
      .def_readwrite("report", &Keeping::report)
      .def_readwrite("columns", &Keeping::columns)
      .def_readwrite("command", &Keeping::command)
      .def_readwrite("steps", &Keeping::steps)
      .def_readwrite("reproducible", &Keeping::reproducible);
  module.def("run", &run);
  py::class_<Columns>(module, "Columns")
      .def(py::init<>())
      .def_readwrite("names", &Columns::names)
      .def_readwrite("values", &Columns::values);
  module.def("page", [](const Model& model, const Pairs& given, const Pairs& set, const std::string& command,
                        const Columns& rows, const Columns& steps, const std::string& summary) {
    return page(model, describe(model, options_for(model, given, set), command), rows, steps, summary);
  });
}

}  // namespace taut::python
