#include "bindings.hpp"
#include "model/gallery.hpp"
#include "output/json.hpp"

namespace taut::python {
namespace {

/// All lists of `taut list` in one JSON object.
std::string lists() {
  return to_json(std::vector<NamedList>{{"options", list_options()},
                                        {"methods", list_methods()},
                                        {"integrators", list_integrators()},
                                        {"kernels", list_kernels()},
                                        {"energy", list_energy_laws()},
                                        {"control", list_controls()}});
}

std::vector<std::pair<std::string, std::string>> gallery_models() {
  std::vector<std::pair<std::string, std::string>> models;
  for (const GalleryModel& model : gallery()) models.emplace_back(model.name, model.about);
  return models;
}

}  // namespace

std::vector<Assignment> assignments(const Pairs& set) {
  std::vector<Assignment> list;
  for (const auto& [name, value] : set) list.emplace_back(name, value);
  return list;
}

Options options_for(const Model& model, const Pairs& given, const Pairs& set) {
  Options options = options_of(model);
  apply_options(given, options);
  for (const auto& [name, value] : given) {
    const std::string& known = find_option(name).name;
    std::erase_if(options.sources, [&](const OptionSource& source) { return source.name == known; });
    options.sources.push_back({known, name + "=" + value, {}});
  }
  for (const Assignment& one : assignments(set)) options.set.push_back(one);
  options.record = false;
  return options;
}

void bind_lists(py::module_& module) {
  module.def("lists", &lists);
  module.def("gallery", &gallery_models);
  module.def("find_option", [](const std::string& name) { return find_option(name).name; });
}

}  // namespace taut::python
