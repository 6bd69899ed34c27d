#include "taut/questions.hpp"

#include <optional>
#include <tuple>

#include "bindings.hpp"
#include "output/answers/answers.hpp"
#include "taut/error.hpp"

namespace taut::python {
namespace {

/// As JSON, as people read it, and why it cannot be used: "" where it can.
using Answer = std::tuple<std::string, std::string, std::string>;
using Names = std::vector<std::string>;
using Bounds = std::vector<std::tuple<std::string, std::optional<double>, std::optional<double>>>;

/// The interpreter goes on elsewhere while a question is answered.
template <class Ask>
Answer answered(const Ask& ask) {
  const py::gil_scoped_release unlocked;
  const auto answer = ask();
  std::string reason;
  if constexpr (requires { answer.reason; }) reason = answer.reason;
  return {to_json(answer), to_text(answer), reason};
}

QuestionOptions common(const Pairs& set, const std::string& coordinates, bool assemble) {
  Options run;
  if (!coordinates.empty()) set_option(run, "coordinates", coordinates, "coordinates");
  return {assignments(set), run.coordinates, assemble};
}

std::vector<Variable> variables(const Bounds& bounds) {
  std::vector<Variable> list;
  for (const auto& [name, least, most] : bounds) list.push_back({name, least, most});
  return list;
}

LinearizeOptions linearization(const QuestionOptions& options, const std::string& at, const Names& inputs,
                               const Names& outputs) {
  if (at != "start" && at != "equilibrium")
    throw InputError("at='" + at + "' is neither 'start' nor 'equilibrium'", "leave it out, or give one of them");
  return {options, at == "start" ? LinearizedAt::start : LinearizedAt::equilibrium, inputs, outputs};
}

SensitivityBy way_of(const std::string& by) {
  if (by == "forward") return SensitivityBy::forward;
  if (by == "adjoint") return SensitivityBy::adjoint;
  if (by == "both") return SensitivityBy::both;
  throw InputError("by='" + by + "' is no way to find sensitivities", "give 'forward', 'adjoint' or 'both'");
}

void bind_positions(py::module_& module) {
  module.def("equilibrium",
             [](const Model& model, const QuestionOptions& options, bool all, int starts, unsigned seed) {
               return answered([&] { return find_equilibria(model, {options, all, starts, seed}); });
             });
  module.def("trim", [](const Model& model, const QuestionOptions& options, const Bounds& over, const Names& steady) {
    return answered([&] { return trim(model, {options, variables(over), steady}); });
  });
  module.def("path",
             [](const Model& model, const QuestionOptions& options, const std::string& over, double from, double to) {
               return answered([&] { return follow_equilibria(model, {options, over, from, to}); });
             });
}

void bind_small_motions(py::module_& module) {
  py::class_<LinearizeOptions>(module, "LinearizeOptions").def(py::init(&linearization));
  module.def("linearize", [](const Model& model, const LinearizeOptions& options) {
    return answered([&] { return linearize(model, options); });
  });
  module.def("frequency_response",
             [](const Model& model, const LinearizeOptions& options, const std::vector<double>& frequencies) {
               return answered([&] { return frequency_response(linearize(model, options), frequencies); });
             });
  module.def("modes", [](const Model& model, const LinearizeOptions& options) {
    return answered([&] { return find_modes(model, options); });
  });
  module.def("root_locus", [](const Model& model, const LinearizeOptions& options, const std::string& over,
                              const std::vector<double>& values) {
    return answered([&] { return root_locus(model, {options, over, values}); });
  });
}

void bind_results(py::module_& module) {
  module.def("sensitivity", [](const Model& model, const Pairs& given, const Pairs& set, const Names& of,
                               const Names& to, const std::string& by) {
    const SensitivityOptions options{options_for(model, given, set), of, to, {}, way_of(by)};
    return answered([&] { return find_sensitivity(model, options); });
  });
  module.def("inverse", [](const Model& model, const Pairs& given, const Pairs& set, const Pairs& follow,
                           const Names& actuators, const std::vector<double>& weights, bool kinematic) {
    InverseOptions options{options_for(model, given, set), {}, actuators, weights, kinematic};
    for (const auto& [name, formula] : follow) options.follow.push_back({name, formula});
    return answered([&] { return inverse_dynamics(model, options); });
  });
  module.def("certify", [](const Model& model, const Pairs& given, const Pairs& set) {
    CertifyOptions options{options_for(model, given, set)};
    for (const auto& [name, value] : given)
      if (name == "rtol") options.rtol = options.run.rtol;
    return answered([&] { return certify(model, options); });
  });
}

/// How a search goes about it.
struct Searching {
  bool most = false;
  int starts = 1;
  unsigned seed = 1;
  int steps = 200;
  double confidence = 0.95;
};

void bind_searches(py::module_& module) {
  py::class_<Searching>(module, "Searching")
      .def(py::init([](bool most, int starts, unsigned seed, int steps, double confidence) {
        return Searching{most, starts, seed, steps, confidence};
      }));
  module.def("optimize", [](const Model& model, const Pairs& given, const Pairs& set, const std::string& of,
                            const Bounds& over, const Searching& how) {
    const OptimizeOptions options{
        options_for(model, given, set), of, how.most, variables(over), how.starts, how.seed, how.steps};
    return answered([&] { return optimize(model, options); });
  });
  module.def("fit", [](const Model& model, const Pairs& given, const Pairs& set, const Bounds& over,
                       const std::vector<std::pair<std::string, std::vector<double>>>& columns, double confidence) {
    FitOptions options{options_for(model, given, set), {}, {}, {}, variables(over), confidence};
    for (const auto& [name, values] : columns)
      if (name == "t") options.times = values;
    options.data.resize(options.times.size());
    for (const auto& [name, values] : columns) {
      if (name == "t") continue;
      if (values.size() != options.times.size())
        throw InputError("column '" + name + "' is not as long as 't'", "give a value for each time, nan for none");
      options.columns.push_back(name);
      for (std::size_t k = 0; k < values.size(); ++k) options.data[k].push_back(values[k]);
    }
    return answered([&] { return fit(model, options); });
  });
}

}  // namespace

void bind_questions(py::module_& module) {
  py::class_<QuestionOptions>(module, "QuestionOptions").def(py::init(&common));
  bind_positions(module);
  bind_small_motions(module);
  bind_results(module);
  bind_searches(module);
}

}  // namespace taut::python
