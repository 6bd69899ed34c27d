#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "taut/compare.hpp"
#include "taut/model.hpp"
#include "taut/simulation.hpp"

/// The Python module taut._core: what taut's own Python files build upon. They make arguments plain (text and numbers)
/// and results comfortable; here nothing is decided that the library does not decide.
namespace taut::python {

namespace py = pybind11;

/// Names with values as text, as the command line would have them.
using Pairs = std::vector<std::pair<std::string, std::string>>;

/// The simulation cannot go on; becomes taut.SimulationError.
struct SimulationFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void bind_errors();
void bind_lists(py::module_& module);
void bind_model(py::module_& module);
void bind_run(py::module_& module);
void bind_compare(py::module_& module);
void bind_functions(py::module_& module);
void bind_simulation(py::module_& module);
void bind_equations(py::module_& module);
void bind_sweep(py::module_& module);
void bind_questions(py::module_& module);

std::vector<Assignment> assignments(const Pairs& set);
/// Defaults, then the model's own section, then what was given. Errors name an option as Python does: NAME=VALUE.
Options options_for(const Model& model, const Pairs& given, const Pairs& set);

/// Looks for Ctrl-C without the interpreter's lock being held, and remembers that there was one.
class Interruption {
 public:
  bool is_asked();
  /// Throws what the interpreter has to say about it.
  void rethrow() const {
    if (asked_) throw py::error_already_set();
  }

 private:
  bool asked_ = false;
};

/// A copy for the caller to keep.
py::array_t<double> to_array(const Vector& values);
py::array_t<double> to_array(const Matrix& values);

}  // namespace taut::python
