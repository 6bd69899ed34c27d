#include "bindings.hpp"

namespace taut::python {
namespace {

/// As an instance of Python's class, with what the C++ one tells.
void raise_input_error(const InputError& error) {
  const py::object type = py::module_::import("taut.errors").attr("InputError");
  const Place& place = error.place();
  const bool known = !place.file.empty() || place.line > 0 || place.column > 0;
  const py::object where =
      known ? py::module_::import("taut.errors").attr("Place")(place.file.text(), place.line, place.column)
            : py::object(py::none());
  PyErr_SetObject(type.ptr(), type(error.message(), where, error.remedy()).ptr());
}

}  // namespace

void bind_errors() {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      raise_input_error(error);
    } catch (const SimulationFailure& failure) {
      const py::object type = py::module_::import("taut.errors").attr("SimulationError");
      PyErr_SetString(type.ptr(), failure.what());
    }
  });
}

bool Interruption::is_asked() {
  if (asked_) return true;
  const py::gil_scoped_acquire lock;
  asked_ = PyErr_CheckSignals() != 0;
  return asked_;
}

}  // namespace taut::python
