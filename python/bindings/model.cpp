#include <limits>

#include "bindings.hpp"
#include "model/gallery.hpp"
#include "model/model_files.hpp"
#include "output/json.hpp"
#include "output/text.hpp"

namespace taut::python {
namespace {

template <class Entries>
std::vector<std::string> names(const Entries& entries) {
  std::vector<std::string> list;
  for (const auto& entry : entries) list.push_back(entry.name);
  return list;
}

/// Without the ground.
std::vector<std::string> body_names(const Model& model) {
  std::vector<std::string> list;
  for (const Body& body : model.bodies)
    if (!body.is_ground) list.push_back(body.name);
  return list;
}

py::dict parameter_values(const Model& model) {
  const InitialValues values = initial_values(model);
  py::dict by_name;
  for (std::size_t k = 0; k < model.parameters.size(); ++k)
    by_name[py::str(model.parameters[k].name)] = values.parameters[k];
  return by_name;
}

/// The least and the largest value of each input; infinite where there is no limit.
py::dict input_limits(const Model& model) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  py::dict by_name;
  for (const Input& input : model.inputs)
    by_name[py::str(input.name)] =
        py::make_tuple(input.role.lowest.value_or(-infinity), input.role.highest.value_or(infinity));
  return by_name;
}

std::shared_ptr<Model> load(const std::string& name, const Pairs& set) {
  const py::gil_scoped_release unlocked;
  return std::make_shared<Model>(load_model(name, assignments(set)));
}

std::shared_ptr<Model> read(const std::string& text, const std::string& file, const Pairs& set) {
  const py::gil_scoped_release unlocked;
  return std::make_shared<Model>(read_model(text, file, assignments(set)));
}

/// As JSON, and as people read it.
std::pair<std::string, std::string> check_model(const Model& model, const Pairs& set) {
  const py::gil_scoped_release unlocked;
  const Check found = check(model, assignments(set));
  return {to_json(found), to_text(found)};
}

}  // namespace

void bind_model(py::module_& module) {
  py::class_<Model, std::shared_ptr<Model>>(module, "Model")
      .def_readonly("name", &Model::name)
      .def_readonly("file", &Model::file)
      .def_readonly("text", &Model::text)
      .def_readonly("notes", &Model::notes)
      .def_property_readonly("coordinates", [](const Model& model) { return names(model.coordinates); })
      .def_property_readonly("speeds", [](const Model& model) { return names(model.speeds); })
      .def_property_readonly("constraints", [](const Model& model) { return names(model.constraints); })
      .def_property_readonly("inputs", [](const Model& model) { return names(model.inputs); })
      .def_property_readonly("input_limits", &input_limits)
      .def_property_readonly("outputs", [](const Model& model) { return names(model.outputs); })
      .def_property_readonly("bodies", &body_names)
      .def_property_readonly("joints", [](const Model& model) { return names(model.joints); })
      .def_property_readonly("forces", [](const Model& model) { return names(model.forces); })
      .def_property_readonly("parameters", &parameter_values);
  module.def("load", &load);
  module.def("read", &read);
  module.def("model_path", &model_path);
  module.def("files_of", &files_of);
  module.def("check", &check_model);
}

}  // namespace taut::python
