#include "taut/compare.hpp"

#include <optional>

#include "bindings.hpp"
#include "output/comparison.hpp"

namespace taut::python {
namespace {

class Watch : public ComparisonObserver {
 public:
  bool progress(double, double) override { return !interruption.is_asked(); }
  Interruption interruption;
};

/// As JSON, as people read it, and as CSV.
struct FinishedComparison {
  std::string json, text, csv;
};

FinishedComparison compare_methods(const Model& model, const std::string& methods, const Pairs& given, const Pairs& set,
                                   const std::vector<std::string>& of, const std::string& sweep,
                                   const std::string& reference) {
  CompareOptions options;
  // Rows are compared at the same few times, however many the model would have recorded.
  options.run = options_of(model);
  options.run.every.reset();
  apply_options(given, options.run);
  for (const Assignment& one : assignments(set)) options.run.set.push_back(one);
  options.of = of;
  if (!sweep.empty()) options.sweep = read_sweep(sweep);
  if (!reference.empty()) options.reference = read_setting(reference);
  const auto settings = methods.empty() ? std::vector<RunSetting>{} : read_settings(methods);
  Watch watch;
  FinishedComparison finished;
  {
    const py::gil_scoped_release unlocked;
    const Comparison comparison = compare(model, settings, options, &watch);
    finished = {to_json(comparison), to_text(comparison), to_csv(comparison)};
  }
  watch.interruption.rethrow();
  return finished;
}

}  // namespace

void bind_compare(py::module_& module) {
  py::class_<FinishedComparison>(module, "FinishedComparison")
      .def_readonly("json", &FinishedComparison::json)
      .def_readonly("text", &FinishedComparison::text)
      .def_readonly("csv", &FinishedComparison::csv);
  module.def("compare", &compare_methods);
}

}  // namespace taut::python
