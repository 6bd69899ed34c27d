#include "bindings.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace taut::python;
  module.doc() = "The compiled part of taut. Use the module taut.";
  module.attr("version") = TAUT_VERSION;
  bind_errors();
  bind_lists(module);
  bind_model(module);
  bind_run(module);
  bind_compare(module);
  bind_functions(module);
  bind_simulation(module);
  bind_equations(module);
  bind_sweep(module);
  bind_questions(module);
}
