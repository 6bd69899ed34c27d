#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bindings.hpp"

/// Functions of Python as forces.
namespace taut::python {
namespace {

/// A function that threads may copy and let go of without the interpreter's lock.
class SharedFunction {
 public:
  explicit SharedFunction(py::object function)
      : function_(new py::object(std::move(function)), [](py::object* last) {
          const py::gil_scoped_acquire lock;
          delete last;
        }) {}
  const py::object& operator*() const { return *function_; }

 private:
  std::shared_ptr<py::object> function_;
};

py::array_t<double> copy_of(std::span<const double> values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

/// f(t, q, v), or f(a, b, …) of its arguments.
py::object result_of(const py::object& function, const FunctionCall& call) {
  if (call.arguments.empty()) return function(call.t, copy_of(call.q), copy_of(call.v));
  py::tuple arguments(call.arguments.size());
  for (std::size_t k = 0; k < call.arguments.size(); ++k) arguments[k] = py::float_(call.arguments[k]);
  return function(*arguments);
}

void take(const py::object& value, const std::vector<std::string>& names, std::span<double> results) {
  if (results.size() == 1 && !py::isinstance<py::list>(value) && !py::isinstance<py::tuple>(value)) {
    results[0] = py::float_(value);
    return;
  }
  std::size_t count = 0;
  for (const py::handle one : value) {
    if (count < results.size()) results[count] = py::float_(py::reinterpret_borrow<py::object>(one));
    ++count;
  }
  if (count != results.size())
    throw InputError(
        fmt::format("the function of {} gave {} values for {} inputs", fmt::join(names, ", "), count, results.size()),
        "let it return one for each input, in their order");
}

}  // namespace

void bind_functions(py::module_& module) {
  module.def("drive", [](Model& model, const std::vector<std::string>& names, py::object function) {
    model.drive(names, [function = SharedFunction(std::move(function)), names](const FunctionCall& call,
                                                                               std::span<double> results) {
      const py::gil_scoped_acquire lock;
      take(result_of(*function, call), names, results);
    });
  });
}

}  // namespace taut::python
