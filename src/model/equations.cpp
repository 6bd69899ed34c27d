#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "expression/derivative.hpp"
#include "model/bodies/present.hpp"
#include "model/declare.hpp"
#include "model/reader.hpp"
#include "model/sections.hpp"

/// The sections that say what the motion obeys.
namespace taut {
namespace {

template <class Things>
std::vector<std::string> names_of(const Things& things) {
  std::vector<std::string> names;
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

}  // namespace

void Reader::declare_names() {
  each_entry("coordinates", [&](const Entry& entry) { read_coordinate(entry); });
  given_coordinates_ = model_.coordinates.size();
  read_bodies();
  if (model_.coordinates.empty() && first_of("states") == nullptr) {
    const Node* section = first_of("coordinates");
    throw InputError(section != nullptr ? place(*section) : Place{file_, 1, 1}, "the model has no coordinates",
                     "declare them, such as 'coordinates: {x: [1, 0]}'");
  }
  each_entry("speeds", [&](const Entry& entry) { read_speed(entry); });
  if (const Node* speeds = first_of("speeds"); speeds != nullptr && model_.speeds.empty()) {
    refuse(*speeds, "the section 'speeds' declares none", "declare speeds, or leave the section out");
  }
  each_entry("states", [&](const Entry& entry) { read_state(entry); });
  each_entry("definitions", [&](const Entry& entry) {
    claim_name(model_, entry.name, "a definition", entry.place);
    scope_.expect(entry.name, "a definition");
  });
  each_entry("constraints", [&](const Entry& entry) {
    for (const std::string& name : row_names(entry)) {
      if (scope_.has_constraint(name)) {
        throw InputError(entry.place, fmt::format("two constraints are named '{}'", name),
                         "choose another name; in a repetition, put {i} into it");
      }
      scope_.add(add_constraint(model_, name, entry.place));
      give_rows(model_.constraints.size() - 1, entry.part);
    }
  });
  read_joints();
}

/// An angle of a joint becomes a coordinate when it is first asked for.
Coordinate* Reader::find_coordinate(const std::string& name) {
  if (name.ends_with(".angle")) scope_.derive(name);
  const auto found = coordinates_.find(name);
  return found == coordinates_.end() ? nullptr : &model_.coordinates[found->second];
}

Speed* Reader::find_speed(const std::string& name) {
  const auto found = speeds_.find(name);
  return found == speeds_.end() ? nullptr : &model_.speeds[found->second];
}

void Reader::read_coordinate(const Entry& entry) {
  Coordinate& x = add_coordinate(model_, entry.name, entry.place);
  const std::string what = fmt::format("the initial value of '{}'", x.name);
  const Node& node = entry.value;
  x.initial_claim = InitialClaim::given;
  if (node.kind == Node::Kind::mapping) {
    read_start(entry, x);
  } else if (node.kind == Node::Kind::list) {
    if (node.items.empty() || node.items.size() > 2) {
      refuse(node, fmt::format("coordinate '{}' has {}", x.name, counted(node.items.size(), "initial value")),
             "give a value, or [value, rate]");
    }
    x.initial = formula(node.items[0], what, context::initial, entry.part);
    if (node.items.size() == 2) read_initial_rate(node.items[1], what, entry.part, x);
  } else {
    x.initial = formula(node, what, context::initial, entry.part);
  }
  if (const auto value = assigned(x.name + "(0)", context::initial)) x.initial = *value;
  if (const auto value = assigned(x.name + "'(0)", context::initial)) x.initial_rate = *value;
  scope_.add(x);
  coordinates_[x.name] = model_.coordinates.size() - 1;
}

/// {value: …, rate: …, fixed: true}: fixed is what stands beside it.
void Reader::read_start(const Entry& entry, Coordinate& x) {
  const std::string what = fmt::format("the initial value of '{}'", x.name);
  check_keys(entry.value, fmt::format("coordinate '{}'", x.name), {"value", "rate", "fixed"});
  const Node* value = entry.value.find("value");
  const Node* rate = entry.value.find("rate");
  const Node* fixed = entry.value.find("fixed");
  if (value != nullptr) x.initial = formula(*value, what, context::initial, entry.part);
  if (rate != nullptr) read_initial_rate(*rate, what, entry.part, x);
  x.initial_claim = value != nullptr ? InitialClaim::given : InitialClaim::none;
  if (fixed == nullptr || !flag(*fixed, fmt::format("'fixed' of coordinate '{}'", x.name))) return;
  if (value == nullptr && rate == nullptr)
    refuse(*fixed, fmt::format("coordinate '{}' is fixed without a value", x.name),
           "give value:, rate: or both beside it");
  if (value != nullptr) x.initial_claim = InitialClaim::fixed;
  if (rate != nullptr) x.rate_claim = InitialClaim::fixed;
}

void Reader::read_initial_rate(const Node& node, const std::string& what, const Part& part, Coordinate& x) {
  if (first_of("speeds") != nullptr)
    refuse(node, fmt::format("coordinate '{}' has an initial rate, but the model declares speeds", x.name),
           "give the initial values of the speeds instead");
  x.initial_rate = formula(node, what, context::initial, part);
  x.rate_claim = InitialClaim::given;
}

void Reader::read_speed(const Entry& entry) {
  Speed& u = add_speed(model_, entry.name, entry.place);
  u.claim = InitialClaim::given;
  const Node* value = &entry.value;
  if (entry.value.kind == Node::Kind::mapping) value = &read_fixed_speed(entry, u);
  u.initial = formula(*value, fmt::format("the initial value of '{}'", u.name), context::initial, entry.part);
  if (const auto value = assigned(u.name + "(0)", context::initial)) u.initial = *value;
  scope_.add(u);
  speeds_[u.name] = model_.speeds.size() - 1;
}

/// {value: …, fixed: true}; returns the value.
const Reader::Node& Reader::read_fixed_speed(const Entry& entry, Speed& u) {
  const std::string what = fmt::format("speed '{}'", u.name);
  check_keys(entry.value, what, {"value", "fixed"});
  const Node* value = entry.value.find("value");
  if (value == nullptr) refuse(entry.value, what + " lacks 'value'", "write {value: NUMBER, fixed: true}");
  if (const Node* fixed = entry.value.find("fixed"); fixed != nullptr && flag(*fixed, "'fixed' of " + what))
    u.claim = InitialClaim::fixed;
  return *value;
}

void Reader::read_definitions() {
  each_entry("definitions", [&](const Entry& entry) {
    const std::string what = fmt::format("definition '{}'", entry.name);
    scope_.add_definition(entry.name, formula(entry.value, what, context::definition, entry.part));
  });
}

void Reader::read_rates() {
  const Node* section = first_of("rates");
  if (first_of("speeds") == nullptr) {
    if (section == nullptr) return;
    refuse(*section, "rates are given, but the model declares no speeds", "declare the speeds under 'speeds'");
  }
  each_entry("rates", [&](const Entry& entry) {
    Coordinate* x = find_coordinate(entry.name);
    if (x == nullptr) {
      throw InputError(entry.place, fmt::format("a rate is given for '{}', which is no coordinate", entry.name),
                       did_you_mean(entry.name, names_of(model_.coordinates)));
    }
    x->kinematics = formula(entry.value, fmt::format("the rate of '{}'", entry.name), context::rate, entry.part);
  });
  for (std::size_t k = 0; k < given_coordinates_; ++k) {
    const Coordinate& x = model_.coordinates[k];
    if (x.kinematics) continue;
    throw InputError(x.place, fmt::format("the model declares speeds, but the rate of '{}' is not given", x.name),
                     fmt::format("give it under 'rates', such as '{}: {}'", x.name, model_.speeds[0].name));
  }
}

void Reader::read_energies() {
  const auto add = [](std::optional<Expression>& total, const std::optional<Expression>& more) {
    if (more) total = total ? *total + *more : *more;
  };
  add(model_.kinetic_energy, sum("kinetic_energy", context::kinetic_energy));
  add(model_.potential_energy, sum("potential_energy", context::potential_energy));
}

void Reader::read_mass_matrix() {
  const Node* matrix = root_.find("mass_matrix");
  if (matrix == nullptr) return;
  if (!model_.bodies.empty())
    refuse(*matrix, "mass_matrix cannot stand beside bodies, which bring their own mass",
           "give the kinetic_energy of the coordinates instead");
  const std::size_t n = mechanical_count();
  const char* const unknowns = first_of("speeds") == nullptr ? "coordinates" : "speeds";
  const std::string size = fmt::format("there are {} {}, so give {} rows of {}", n, unknowns, n, n);
  expect_list(*matrix, "mass_matrix", file_);
  if (matrix->items.size() != n)
    refuse(*matrix, fmt::format("mass_matrix has {}", counted(matrix->items.size(), "row")), size);
  for (const Node& row : matrix->items) {
    expect_list(row, "a row of mass_matrix", file_);
    if (row.items.size() != n) {
      refuse(row, fmt::format("a row of mass_matrix has {}", counted(row.items.size(), "component")), size);
    }
    model_.mass_matrix.push_back(vector(row, "mass_matrix", context::mass_matrix, own_part()));
  }
}

void Reader::read_energy() {
  model_.energy = sum("energy", context::energy);
  if (!model_.energy || !model_.mass_matrix.empty()) return;
  refuse(*first_of("energy"), "the energy is given, but there is no mass_matrix",
         "leave it out: it is the sum of kinetic_energy and potential_energy");
}

/// Mass comes from the kinetic energy or from a matrix, and from one of them only.
void Reader::check_mass() const {
  if (!model_.mass_matrix.empty()) {
    for (const std::string section : {"kinetic_energy", "potential_energy"}) {
      const Node* node = first_of(section);
      if (node == nullptr) continue;
      refuse(*node, fmt::format("{} and mass_matrix are both given", section),
             "with mass_matrix, put everything else under forces; 'energy' is for the energy law");
    }
    return;
  }
  if (!model_.bodies.empty() && first_of("kinetic_energy") == nullptr) return;
  if (mechanical_count() == 0) return;
  if (!model_.kinetic_energy) {
    throw InputError({file_, 1, 1}, "the model has no mass: neither kinetic_energy nor mass_matrix is given",
                     "give one of them, such as 'kinetic_energy: m/2*x'^2'");
  }
  const auto is_rate = [&](SymbolId id) { return model_.graph->info(id).kind == SymbolKind::rate; };
  if (std::ranges::any_of(symbols_of(*model_.kinetic_energy), is_rate)) return;
  refuse(*first_of("kinetic_energy"), "the model has no mass: the kinetic energy depends on no rate",
         "write it in the rates of the coordinates, such as x'");
}

/// Four numbers that stand for three turns: a force on one of them means nothing that anyone would mean.
void Reader::refuse_force_on_quaternion(const Coordinate& x, const Entry& entry) const {
  const auto normalises = [&](const Retraction& r) { return r.coordinate == x.symbol && !r.derived; };
  if (std::ranges::none_of(model_.retractions, normalises)) return;
  throw InputError(entry.place, fmt::format("a force acts on '{}', which is a part of a quaternion", x.name),
                   "give a torque: {type: torque, body: BODY, value: [x, y, z]}");
}

void Reader::read_forces() {
  const bool coordinates_only = first_of("speeds") == nullptr;
  each_entry("forces", [&](const Entry& entry) {
    if (entry.value.kind == Node::Kind::mapping) return read_force_element(entry);
    const Expression value =
        formula(entry.value, fmt::format("the force on '{}'", entry.name), context::force, entry.part);
    Coordinate* x = find_coordinate(entry.name);
    if (Speed* u = find_speed(entry.name)) {
      u->force += value;
    } else if (x != nullptr && coordinates_only) {
      refuse_force_on_quaternion(*x, entry);
      x->force += value;
    } else {
      throw InputError(
          entry.place,
          fmt::format("a force acts on '{}', which is no {}", entry.name, coordinates_only ? "coordinate" : "speed"),
          did_you_mean(entry.name, coordinates_only ? names_of(model_.coordinates) : names_of(model_.speeds)));
    }
  });
}

void Reader::read_loads() {
  each_part("loads", [&](const Node& node, const Part& part) {
    if (node.kind == Node::Kind::list) {
      for (const Node& item : node.items) read_load(item, fmt::format("load{}", model_.loads.size() + 1), part);
      return;
    }
    expect_mapping(node, "loads", file_);
    for (std::size_t k = 0; k < node.keys.size(); ++k) {
      read_load(node.items[k], part.indices.full(repetition_.filled(node.keys[k].text, part.indices).text), part);
    }
  });
}

void Reader::read_load(const Node& node, const std::string& name, const Part& part) {
  const std::string what = fmt::format("load '{}'", name);
  expect_mapping(node, what, file_);
  for (const Node& key : node.keys) {
    if (key.text.text == "at" || key.text.text == "force") continue;
    refuse(key, fmt::format("{} has no '{}'", what, key.text.text), "give 'at' and 'force' only");
  }
  const Node* at = node.find("at");
  const Node* force = node.find("force");
  if (at == nullptr || force == nullptr) {
    refuse(node, fmt::format("{} lacks '{}'", what, at == nullptr ? "at" : "force"),
           "write {at: [x, y], force: [fx, fy]}");
  }
  Load load{name, vector(*at, "the point of a load", context::load_point, part),
            vector(*force, "the force of a load", context::force, part), place(node)};
  // point() always has three components, a force in the plane may have two.
  if (at->kind == Node::Kind::scalar && load.force.size() == 2) load.force.emplace_back(0);
  if (load.at.size() != load.force.size() || load.at.empty()) {
    refuse(*force,
           fmt::format("{} has {} components of force at a point of {}", what, load.force.size(), load.at.size()),
           "give point and force the same number of components");
  }
  model_.loads.push_back(std::move(load));
}

void Reader::read_constraints() {
  std::size_t next = 0;
  each_entry("constraints", [&](const Entry& entry) {
    if (const auto vectors = vector_equation(equation_text(entry), file_)) {
      read_vector_rows(entry, *vectors, next);
      next += row_names(entry).size();
      return;
    }
    Constraint& constraint = model_.constraints[next++];
    const Node& equation = entry.value.kind == Node::Kind::mapping ? read_softness(entry, constraint) : entry.value;
    const yaml::PlacedText& text = expect_scalar(equation, fmt::format("constraint '{}'", entry.name), file_);
    const Indices& indices = entry.part.indices;
    const Expression residual = scope_.equation(repetition_.filled(text, indices), context::constraint, indices);
    set_residual(model_, constraint, residual, place(equation));
    read_friction(entry, constraint);
  });
}

yaml::PlacedText Reader::equation_text(const Entry& entry) const {
  const bool in_mapping = entry.value.kind == Node::Kind::mapping;
  const Node* equation = in_mapping ? entry.value.find("equation") : &entry.value;
  if (equation == nullptr || equation->kind != Node::Kind::scalar) return {};
  return repetition_.filled(equation->text, entry.part.indices);
}

std::vector<std::string> Reader::row_names(const Entry& entry) const {
  const auto equation = vector_equation(equation_text(entry), file_);
  if (!equation) return {entry.name};
  const auto stays_in_plane = [&](const std::string& name) {
    return model_.bodies.empty() ||
           model_.bodies[find_body(model_, entry.part.indices.full_body(name), place(entry.value))].planar;
  };
  const bool planar = std::ranges::all_of(equation->bodies, stays_in_plane);
  std::vector<std::string> names{entry.name + ".x", entry.name + ".y"};
  if (!planar && equation->size() == 3) names.push_back(entry.name + ".z");
  return names;
}

void Reader::read_vector_rows(const Entry& entry, const VectorEquation& equation, std::size_t first) {
  const Indices& indices = entry.part.indices;
  const auto vector = [&](const yaml::PlacedText& text) { return scope_.vector(text, context::constraint, indices); };
  const Vector3 left = vector(equation.left);
  Vector3 right;
  if (equation.components.empty()) right = vector(equation.right);
  for (std::size_t k = 0; k < equation.components.size(); ++k)
    right[static_cast<int>(k)] = scope_.formula(equation.components[k], context::constraint, indices);
  const std::size_t rows = row_names(entry).size();
  for (std::size_t k = 0; k < rows; ++k) {
    Constraint& constraint = model_.constraints[first + k];
    if (entry.value.kind == Node::Kind::mapping) read_softness(entry, constraint);
    set_residual(model_, constraint, left[static_cast<int>(k)] - right[static_cast<int>(k)], place(entry.value));
  }
  if (rows == equation.size()) return;
  // Bodies that stay in the plane have to meet the third component by themselves.
  const Expression third = left.z - right.z;
  const bool moves = std::ranges::any_of(
      symbols_of(third), [&](SymbolId id) { return model_.graph->info(id).kind != SymbolKind::parameter; });
  if (!moves && std::abs(present_value(model_, third)) < 1e-6) return;
  refuse(entry.value, fmt::format("constraint '{}' asks planar bodies to leave their plane", entry.name),
         "give the z at which they are, or the x and y components only");
}

void Reader::read_friction(const Entry& entry, const Constraint& constraint) {
  const Node* friction = entry.value.kind == Node::Kind::mapping ? entry.value.find("friction") : nullptr;
  if (friction == nullptr) return;
  const std::string what = fmt::format("the friction of constraint '{}'", entry.name);
  add_friction(model_, constraint, constraint_friction(*friction, what, entry.part));
}

/// {equation: …, softness: …}; returns the equation.
const Reader::Node& Reader::read_softness(const Entry& entry, Constraint& constraint) {
  const std::string what = fmt::format("constraint '{}'", entry.name);
  const std::string remedy =
      "write an equation, or {equation: EQUATION, softness: NUMBER, friction: {coefficient: NUMBER}}";
  for (const Node& key : entry.value.keys) {
    if (key.text.text == "equation" || key.text.text == "softness" || key.text.text == "friction") continue;
    refuse(key, fmt::format("{} has no '{}'", what, key.text.text), remedy);
  }
  const Node* equation = entry.value.find("equation");
  if (equation == nullptr) refuse(entry.value, fmt::format("{} lacks 'equation'", what), remedy);
  if (const Node* softness = entry.value.find("softness"); softness != nullptr)
    constraint.softness =
        formula(*softness, fmt::format("the softness of '{}'", entry.name), context::softness, entry.part);
  return *equation;
}

}  // namespace taut
