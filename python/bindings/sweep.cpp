#include <pybind11/numpy.h>

#include <atomic>
#include <memory>

#include "bindings.hpp"
#include "ensemble/ledger_report.hpp"
#include "ensemble/member_bytes.hpp"

namespace taut::python {
namespace {

/// What varies and what is kept, in the words of the command line.
struct Words {
  std::vector<std::string> vary;
  std::string sampling, keep;
  std::uint64_t samples = 0, seed = 0;
  bool paired = false;
  double time_limit = 0;  ///< s; 0: none
};

SweepPlan plan_of(const Words& words) {
  SweepPlan plan;
  for (const std::string& text : words.vary) plan.variations.push_back(read_variation(text));
  plan.paired = words.paired;
  if (!words.sampling.empty()) plan.sampling = read_sampling(words.sampling);
  plan.samples = words.samples;
  plan.seed = words.seed;
  return plan;
}

std::shared_ptr<Ledger> begin_sweep(const Model& model, const Pairs& given, const Pairs& set, const Words& words,
                                    const std::string& file) {
  SweepDescription sweep = describe_sweep(model, options_for(model, given, set), plan_of(words));
  if (!words.keep.empty()) sweep.keep = words.keep;
  if (words.time_limit > 0) sweep.time_limit = words.time_limit;
  const KeptFigures keep(sweep.keep, columns_of(sweep, model), model);
  return std::make_shared<Ledger>(file, sweep, keep.names());
}

/// Looks for Ctrl-C whenever it is told how the sweep goes, and passes that on.
class SweepWatch : public SweepObserver {
 public:
  SweepWatch(py::function progress, std::atomic<bool>& end_asked)
      : progress_(std::move(progress)), end_asked_(end_asked) {}

  void progress(const SweepProgress& progress) override {
    const py::gil_scoped_acquire lock;
    if (error_) return;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      progress_(progress.ended, progress.failed, progress.of, progress.seconds);
    } catch (py::error_already_set& error) {
      error_ = std::make_unique<py::error_already_set>(std::move(error));
      end_asked_ = true;
    }
  }
  void rethrow() const {
    if (error_) throw py::error_already_set(*error_);
  }

 private:
  py::function progress_;
  std::atomic<bool>& end_asked_;
  std::unique_ptr<py::error_already_set> error_;
};

void run_waiting(Ledger& ledger, int threads, bool retry_failed, const py::function& progress) {
  std::atomic<bool> end_asked = false;
  SweepWatch watch(progress, end_asked);
  SweepOutcome outcome;
  {
    const py::gil_scoped_release unlocked;
    outcome = run_sweep(ledger, {threads, retry_failed, end_asked}, &watch);
  }
  watch.rethrow();
  if (!outcome.failure.empty()) throw SimulationFailure(outcome.failure);
}

/// Who runs members of a sweep in this thread; kept, for its equations are derived and compiled once.
struct Worker {
  Worker(const std::string& text, const std::string& ledger)
      : description(text),
        sweep(read_description(text)),
        model(model_of(sweep, {})),
        keep(sweep.keep, columns_of(sweep, model), model),
        shared{sweep, model, keep, keeps_trajectories(sweep.keep) ? TrajectoryFiles(ledger) : TrajectoryFiles(),
               interruption()},
        runner(shared, static_cast<double>(sweep.size())) {}

  std::string description;
  SweepDescription sweep;
  Model model;
  KeptFigures keep;
  MemberRunner::Sweep shared;
  MemberRunner runner;
};

/// Runs members, in whatever process this is, and returns what the ledger's record() takes.
py::bytes run_members(const std::string& description, const std::string& ledger, std::uint64_t first,
                      std::uint64_t count) {
  std::vector<MemberResult> results;
  {
    const py::gil_scoped_release unlocked;
    thread_local std::unique_ptr<Worker> worker;
    if (!worker || worker->description != description) worker = std::make_unique<Worker>(description, ledger);
    for (std::uint64_t member = first; member < first + count; ++member)
      if (auto result = worker->runner.run(member)) results.push_back(std::move(*result));
  }
  return to_bytes(results);
}

void record(Ledger& ledger, const py::bytes& results, const std::vector<std::pair<std::uint64_t, std::uint64_t>>& out) {
  std::vector<MemberResult> read = read_results(results);
  std::vector<MemberRange> running;
  for (const auto& [first, count] : out) running.push_back({first, count});
  for (const MemberResult& result : read)
    if (!result.not_kept.empty()) throw SimulationFailure(result.not_kept);
  ledger.record(read, running);
}

/// Every member in the order of their numbers: columns of numbers by name, and of texts.
py::dict table(const Ledger& ledger) {
  const std::vector<std::string> names = ledger.sweep().names();
  std::vector<std::vector<double>> columns(names.size() + ledger.figures().size());
  py::list states, reasons;
  const auto number = [](const std::optional<double>& value) { return value ? *value : std::nan(""); };
  ledger.for_each([&](const LedgerRow& row) {
    for (std::size_t k = 0; k < names.size(); ++k) columns[k].push_back(number(row.values[k]));
    for (std::size_t k = 0; k < row.figures.size(); ++k) columns[names.size() + k].push_back(number(row.figures[k]));
    states.append(row.state);
    reasons.append(row.reason);
  });
  py::dict found;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::string& name = k < names.size() ? names[k] : ledger.figures()[k - names.size()];
    found[py::str(name)] = py::array_t<double>(static_cast<py::ssize_t>(columns[k].size()), columns[k].data());
  }
  return py::dict(py::arg("columns") = found, py::arg("state") = states, py::arg("reason") = reasons);
}

}  // namespace

void bind_sweep(py::module_& module) {
  py::class_<Words>(module, "SweepWords")
      .def(py::init<>())
      .def_readwrite("vary", &Words::vary)
      .def_readwrite("sampling", &Words::sampling)
      .def_readwrite("keep", &Words::keep)
      .def_readwrite("samples", &Words::samples)
      .def_readwrite("seed", &Words::seed)
      .def_readwrite("paired", &Words::paired)
      .def_readwrite("time_limit", &Words::time_limit);
  py::class_<Ledger, std::shared_ptr<Ledger>>(module, "Ledger")
      .def_property_readonly("file", &Ledger::file)
      .def_property_readonly("description", [](const Ledger& ledger) { return to_json(ledger.sweep()); })
      .def_property_readonly("names", [](const Ledger& ledger) { return ledger.sweep().names(); })
      .def_property_readonly("figures", &Ledger::figures)
      .def("trajectory",
           [](const Ledger& ledger, std::uint64_t member) {
             const TrajectoryFiles files = ledger.trajectories();
             return files.are_kept() && files.has(member) ? files.file(member) : std::string();
           })
      .def("unfinished",
           [](const Ledger& ledger, bool failed_too) {
             std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
             for (const MemberRange& range : ledger.unfinished(failed_too))
               ranges.emplace_back(range.first, range.count);
             return ranges;
           })
      .def("run", &run_waiting)
      .def("record", &record)
      .def("status", [](const Ledger& ledger) { return status_json(ledger); })
      .def("status_text", [](const Ledger& ledger) { return status_text(ledger); })
      .def("table", &table);
  module.def("begin_sweep", &begin_sweep);
  module.def("open_ledger", [](const std::string& file, bool writes) {
    return std::make_shared<Ledger>(file, writes ? Ledger::Use::write : Ledger::Use::read);
  });
  module.def("run_members", &run_members);
}

}  // namespace taut::python
