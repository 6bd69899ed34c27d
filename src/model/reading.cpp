#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "model/assignments.hpp"
#include "model/bodies/sanity.hpp"
#include "model/body_reading.hpp"
#include "model/constraint_reading.hpp"
#include "model/controller_reading.hpp"
#include "model/coordinate_reading.hpp"
#include "model/drawing.hpp"
#include "model/energy_reading.hpp"
#include "model/event_reading.hpp"
#include "model/force_reading.hpp"
#include "model/input_reading.hpp"
#include "model/reader.hpp"
#include "model/sections.hpp"
#include "model/start_reading.hpp"
#include "model/state_reading.hpp"
#include "model/unit_reading.hpp"

namespace taut {
namespace {

/// Lists have been given room for more to come, which now will not.
void shrink(Model& model) {
  const auto fit = [](auto&... lists) { (lists.shrink_to_fit(), ...); };
  fit(model.parameters, model.inputs, model.coordinates, model.speeds, model.retractions, model.loads,
      model.constraints, model.bodies, model.joints, model.forces, model.outputs, model.events, model.drawing,
      model.controllers, model.functions, model.switchables);
  model.graph->shrink();
}

}  // namespace

/// The sections in the order in which they are read, whatever their order in the file, and what is done with each.
struct Reader::Step {
  std::string_view section;
  void (*act)(Reader&);
};

constexpr Reader::Step Reader::steps[] = {
    {"include", nullptr},  // the tree has what the file includes
    {"import", nullptr},   // robots were read by it
    {"model", [](Reader& r) { r.read_header(); }},
    {"parameters", [](Reader& r) { r.parts_.expand(r.in_.root, nullptr); }},
    {"repeat", nullptr},  // with the parameters, which are counted with
    // every name
    {"coordinates", [](Reader& r) { read_coordinates(r.in_); }},
    {"bodies", [](Reader& r) { read_bodies(r.in_); }},
    {"parts", [](Reader& r) { r.parts_.check_placements(); }},
    {"gravity", [](Reader& r) { read_gravity(r.in_); }},
    {"coordinates", [](Reader& r) { r.check_unknowns(); }},
    {"speeds", [](Reader& r) { read_speeds(r.in_); }},
    {"states", [](Reader& r) { declare_states(r.in_); }},
    {"definitions", [](Reader& r) { declare_definitions(r.in_); }},
    {"constraints", [](Reader& r) { declare_constraints(r.in_); }},
    {"events", [](Reader& r) { declare_events(r.in_); }},
    {"joints", [](Reader& r) { r.joints_.read(); }},
    // every formula
    {"inputs", [](Reader& r) { read_inputs(r.in_); }},
    {"controllers", [](Reader& r) { declare_controllers(r.in_); }},
    {"fmus", [](Reader& r) { declare_units(r.in_); }},
    {"definitions", [](Reader& r) { read_definitions(r.in_); }},
    {"joints", [](Reader& r) { r.joints_.read_on_moving_planes(); }},
    {"joints", [](Reader& r) { r.joints_.read_motors(); }},
    {"rates", [](Reader& r) { read_rates(r.in_); }},
    {"states", [](Reader& r) { read_state_rates(r.in_); }},
    {"kinetic_energy", [](Reader& r) { read_kinetic_energy(r.in_); }},
    {"potential_energy", [](Reader& r) { read_potential_energy(r.in_); }},
    {"mass_matrix", [](Reader& r) { read_mass_matrix(r.in_); }},
    {"energy", [](Reader& r) { read_energy(r.in_); }},
    {"kinetic_energy", [](Reader& r) { check_mass(r.in_); }},
    {"forces", [](Reader& r) { read_forces(r.in_); }},
    {"loads", [](Reader& r) { read_loads(r.in_); }},
    {"outputs", [](Reader& r) { r.outputs_.name_outputs(); }},
    {"constraints", [](Reader& r) { read_constraints(r.in_); }},
    {"states", [](Reader& r) { r.found_driving_ = states_that_drive(r.in_); }},
    {"bodies", [](Reader& r) { r.check_bodies(); }},
    {"outputs", [](Reader& r) { r.outputs_.read(); }},
    {"events", [](Reader& r) { read_events(r.in_); }},
    {"controllers", [](Reader& r) { read_controllers(r.in_); }},
    {"inputs", [](Reader& r) { read_function_arguments(r.in_); }},
    {"fmus", [](Reader& r) { read_units(r.in_); }},
    {"conserve", [](Reader& r) { read_conserve(r.in_); }},
    {"draw", [](Reader& r) { read_drawing(r.in_); }},
    {"starts", [](Reader& r) { read_starts(r.in_); }},
    {"simulate", [](Reader& r) { read_simulate(r.in_); }},
};

Model Reader::read() {
  static_assert(std::ranges::all_of(sections,
                                    [](const Section& section) {
                                      return std::ranges::any_of(
                                          steps, [&](const Step& step) { return step.section == section.name; });
                                    }),
                "a section is listed that nothing reads");
  for (const Step& step : steps)
    if (step.act != nullptr) step.act(*this);
  check_assignments(in_.model, in_.set);
  parts_.check_settings();
  shrink(in_.model);
  return std::move(in_.model);
}

void Reader::read_header() {
  if (in_.root.kind == yaml::Node::Kind::null) {
    throw InputError({in_.file, 1, 1}, "the file holds no model", "begin with 'coordinates:' and 'kinetic_energy:'");
  }
  check_sections(expect_mapping(in_.root, "a model", in_.file), in_.file);
  const yaml::Node* name = in_.root.find("model");
  in_.model.name =
      name != nullptr ? expect_scalar(*name, "model", in_.file).text : std::filesystem::path(in_.file).stem().string();
  const auto has = [&](const char* section) { return in_.root.find(section) != nullptr; };
  if (!has("coordinates") && !has("bodies") && !has("repeat") && !has("parts") && !has("states")) {
    throw InputError({in_.file, 1, 1}, "the model has no coordinates and no bodies",
                     "declare them, such as 'coordinates: {x: [1, 0]}'");
  }
}

void Reader::check_unknowns() const {
  if (!in_.model.coordinates.empty() || in_.first_of("states") != nullptr) return;
  const yaml::Node* section = in_.first_of("coordinates");
  throw InputError(section != nullptr ? in_.place(*section) : Place{in_.file, 1, 1}, "the model has no coordinates",
                   "declare them, such as 'coordinates: {x: [1, 0]}'");
}

void Reader::check_bodies() const {
  if (in_.first_of("kinetic_energy") == nullptr) refuse_uncarried_bodies(in_.model);
}

Model read_model(const std::string& text, const std::string& file_name, const std::vector<Assignment>& set) {
  Reader reader(text, file_name, set);
  Model model = reader.read();
  if (reader.found_driving().empty()) return model;
  // A state that drives coordinates is another kind of unknown, and formulas have to be read with it.
  return Reader(text, file_name, set, reader.found_driving()).read();
}

}  // namespace taut
