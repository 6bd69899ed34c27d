#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <unordered_map>

#include "expression/derivative.hpp"
#include "model/assignments.hpp"
#include "model/bodies/sanity.hpp"
#include "model/declare.hpp"
#include "model/inclusion.hpp"
#include "model/model_tree.hpp"
#include "model/noting.hpp"
#include "model/reader.hpp"
#include "model/sections.hpp"

namespace taut {
namespace {

/// The names that a formula uses, whatever they mean.
std::vector<std::string> names_in(const yaml::PlacedText& text) {
  std::vector<std::string> used;
  Graph scratch;
  Names names;
  names.graph = &scratch;
  names.name = [&](const std::string& name, const Place&) -> Expression {
    used.push_back(name);
    return 1.0;
  };
  try {
    parse(text.text, names, {});
  } catch (const InputError&) {
    // What is wrong with the formula is said when its turn comes; here the names before that count.
  }
  return used;
}

/// The shortest way along which an entry of a mapping is given by itself, or empty if it is not.
std::vector<std::string> circle(const yaml::Node& entries, const std::string& name) {
  std::unordered_map<std::string, const yaml::Node*> formulas;
  for (std::size_t k = 0; k < entries.keys.size(); ++k) formulas[entries.keys[k].text.text] = &entries.items[k];
  std::unordered_map<std::string, std::string> used_by;
  std::deque<std::string> open{name};
  while (!open.empty() && !used_by.contains(name)) {
    const std::string user = open.front();
    open.pop_front();
    for (const std::string& used : names_in(formulas.at(user)->text)) {
      if (formulas.contains(used) && used_by.emplace(used, user).second) open.push_back(used);
    }
  }
  if (!used_by.contains(name)) return {};
  std::vector<std::string> way{name};
  do way.push_back(used_by.at(way.back()));
  while (way.back() != name);
  std::ranges::reverse(way);
  return way;
}

/// Do the entries of a section bring new names?
bool declares_names(const std::string& section) {
  return section == "coordinates" || section == "speeds" || section == "definitions" || section == "bodies" ||
         section == "joints";
}

/// Lists have been given room for more to come, which now will not.
void shrink(Model& model) {
  const auto fit = [](auto&... lists) { (lists.shrink_to_fit(), ...); };
  fit(model.parameters, model.coordinates, model.speeds, model.retractions, model.loads, model.constraints,
      model.bodies, model.joints, model.forces, model.outputs, model.events, model.drawing);
  model.graph->shrink();
}

}  // namespace

Reader::Reader(const std::string& text, const std::string& file, const std::vector<Assignment>& set,
               std::set<std::string> driving)
    : driving_(std::move(driving)),
      file_(file),
      set_(set),
      root_(with_inclusions(read_tree(text, file, &notes_), file, files_, &notes_)),
      scope_(model_, file),
      repetition_(model_, file,
                  [this](const std::string& name, const Place& place) { return structural_value(name, place); }) {
  model_.file = file;
  model_.text = text;
  model_.notes = notes_;
}

Model Reader::read() {
  read_header();
  expand(root_, nullptr);
  declare_names();
  read_definitions();
  read_joints_on_moving_planes();
  read_motors();
  read_rates();
  read_state_rates();
  read_energies();
  read_mass_matrix();
  read_energy();
  check_mass();
  read_forces();
  read_loads();
  name_outputs();
  read_constraints();
  found_driving_ = states_that_drive();
  if (first_of("kinetic_energy") == nullptr) refuse_uncarried_bodies(model_);
  read_outputs();
  read_events();
  read_conserve();
  read_drawing();
  read_simulate();
  check_assignments(model_, set_);
  check_settings();
  shrink(model_);
  return std::move(model_);
}

void Reader::read_header() {
  if (root_.kind == Node::Kind::null) {
    throw InputError({file_, 1, 1}, "the file holds no model", "begin with 'coordinates:' and 'kinetic_energy:'");
  }
  check_sections(expect_mapping(root_, "a model", file_), file_);
  const Node* name = root_.find("model");
  model_.name =
      name != nullptr ? expect_scalar(*name, "model", file_).text : std::filesystem::path(file_).stem().string();
  const auto has = [&](const char* section) { return root_.find(section) != nullptr; };
  if (!has("coordinates") && !has("bodies") && !has("repeat") && !has("parts") && !has("states")) {
    throw InputError({file_, 1, 1}, "the model has no coordinates and no bodies",
                     "declare them, such as 'coordinates: {x: [1, 0]}'");
  }
}

void Reader::read_parameters(const Part& part) {
  const Node& root = *part.body;
  // Names that come later, so that using one too early gets a message of its own.
  using Section = std::pair<std::string, std::string>;
  for (const auto& [section, what] :
       {Section{"coordinates", "a coordinate"}, Section{"speeds", "a speed"}, Section{"states", "a state"},
        Section{"definitions", "a definition"}, Section{"parameters", "a parameter"}}) {
    const Node* node = root.find(section);
    if (node == nullptr) continue;
    for (const Node& key : node->keys) scope_.expect(part.indices.full(key.text.text), what);
  }
  const Node* parameters = root.find("parameters");
  if (parameters == nullptr) return;
  expect_mapping(*parameters, "parameters", file_);
  for (std::size_t k = 0; k < parameters->keys.size(); ++k) {
    const Node& key = parameters->keys[k];
    try {
      read_parameter(part.indices.full(key.text.text), parameters->items[k], place(key), part);
    } catch (const InputError& error) {
      explain_parameter(error, *parameters, key.text.text);
      throw;
    }
  }
}

void Reader::read_parameter(const std::string& name, const Node& node, const Place& place_of_name, const Part& part) {
  Parameter& parameter = add_parameter(model_, name, place_of_name);
  const std::string what = fmt::format("parameter '{}'", name);
  const auto value = assigned(name, context::parameter);
  parameter.value = value ? *value : formula(node, what, context::parameter, part);
  parameter_values_.resize(model_.graph->symbols(), 0.0);
  parameter_values_[parameter.symbol] = finite_value(parameter.value, parameter_values_, what, place(node));
  scope_.add(parameter);
}

/// A parameter that uses one after it may be part of a circle; then moving it would not help.
void Reader::explain_parameter(const InputError& error, const Node& parameters, const std::string& name) const {
  std::vector<std::string> way = circle(parameters, name);
  if (way.empty()) return;
  constexpr std::size_t longest = 8;
  if (way.size() > longest) way = {way[0], way[1], way[2], "...", way.back()};
  throw InputError(error.place(), fmt::format("parameter '{}' is given by itself: {}", name, fmt::join(way, " -> ")),
                   "give one of them as a number");
}

double Reader::structural_value(const std::string& name, const Place& at) {
  const auto is_named = [&](const Parameter& parameter) { return parameter.name == name; };
  const auto parameter = std::ranges::find_if(model_.parameters, is_named);
  if (parameter != model_.parameters.end()) {
    mark_structural(parameter->symbol);
    return parameter_values_[parameter->symbol];
  }
  std::vector<std::string> known;
  for (const Parameter& other : model_.parameters) known.push_back(other.name);
  const std::string near = nearest(name, known);
  throw InputError(at, fmt::format("'{}' is no index and no parameter, and a repetition counts with these only", name),
                   near.empty() ? "use numbers, parameters and the index" : fmt::format("did you mean '{}'?", near));
}

void Reader::mark_structural(SymbolId symbol) {
  Parameter& parameter = model_.parameters[model_.graph->info(symbol).index];
  if (parameter.structural) return;
  parameter.structural = true;
  for (const SymbolId used : symbols_of(parameter.value)) mark_structural(used);
}

std::optional<Expression> Reader::assigned(const std::string& name, const Context& context) {
  const Assignment* assignment = find_assignment(set_, name);
  if (assignment == nullptr) {
    const auto given = settings_.find(name);
    if (given == settings_.end()) return std::nullopt;
    return formula(*given->second.value, fmt::format("the value of '{}'", name), context, given->second.scope);
  }
  yaml::PlacedText text;
  for (const char c : assignment->value) text.append(c, {0, 0});
  try {
    return scope_.formula(text, context, {});
  } catch (const InputError& error) {
    refuse_assignment(*assignment, error);
  }
}

void Reader::refuse(const Node& node, const std::string& message, const std::string& remedy) const {
  throw InputError(place(node), message, remedy);
}

Expression Reader::formula(const Node& node, const std::string& what, const Context& context, const Part& part) const {
  const yaml::PlacedText& text = expect_scalar(node, what, file_);
  return scope_.formula(repetition_.filled(text, part.indices), context, part.indices);
}

std::vector<Expression> Reader::vector(const Node& node, const std::string& what, const Context& context,
                                       const Part& part) const {
  std::vector<Expression> components;
  if (node.kind == Node::Kind::scalar && Scope::is_vector(node.text.text)) {
    const auto [x, y, z] = scope_.vector(repetition_.filled(node.text, part.indices), context, part.indices);
    return {x, y, z};
  }
  for (const Node& item : expect_list(node, what, file_).items) {
    components.push_back(formula(item, fmt::format("a component of {}", what), context, part));
  }
  return components;
}

std::optional<Expression> Reader::sum(const std::string& section, const Context& context) const {
  std::optional<Expression> total;
  each_part(section, [&](const Node& node, const Part& part) {
    const Expression term = formula(node, section, context, part);
    total = total ? *total + term : term;
  });
  return total;
}

void Reader::each_part(const std::string& section, const std::function<void(const Node&, const Part&)>& action) const {
  for (const Part& part : parts_) {
    const Node* node = part.body->find(section);
    if (node == nullptr) continue;
    noting(part.indices, [&] { action(*node, part); });
  }
}

void Reader::each_entry(const std::string& section, const std::function<void(const Entry&)>& action) const {
  each_part(section, [&](const Node& node, const Part& part) {
    expect_mapping(node, section, file_);
    for (std::size_t k = 0; k < node.keys.size(); ++k) {
      const std::string name = repetition_.filled(node.keys[k].text, part.indices).text;
      if (declares_names(section)) refuse_name_of_part(name, place(node.keys[k]), part);
      action({part.indices.full(name), place(node.keys[k]), node.items[k], part});
    }
  });
}

const Part& Reader::own_part() const { return *std::ranges::find(parts_, &root_, &Part::body); }

const yaml::Node* Reader::first_of(const std::string& section) const {
  const auto [first, is_new] = firsts_.try_emplace(section, nullptr);
  if (!is_new) return first->second;
  for (const Part& part : parts_) {
    first->second = part.body->find(section);
    if (first->second != nullptr) break;
  }
  return first->second;
}

Model read_model(const std::string& text, const std::string& file_name, const std::vector<Assignment>& set) {
  Reader reader(text, file_name, set);
  Model model = reader.read();
  if (reader.found_driving().empty()) return model;
  // A state that drives coordinates is another kind of unknown, and formulas have to be read with it.
  return Reader(text, file_name, set, reader.found_driving()).read();
}

}  // namespace taut
