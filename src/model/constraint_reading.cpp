#include "model/constraint_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "expression/derivative.hpp"
#include "model/bodies/present.hpp"
#include "model/declare.hpp"
#include "model/friction_reading.hpp"
#include "model/keys.hpp"
#include "model/vector_equation.hpp"
#include "taut/mechanism.hpp"

namespace taut {
namespace {

/// {equation: …, softness: …, friction: …}, or an equation alone.
struct GivenConstraint {
  std::optional<Value> equation, softness, friction;
};

constexpr const char* write_a_constraint =
    "write an equation, or {equation: EQUATION, softness: NUMBER, friction: {coefficient: NUMBER}}";
const Keys<GivenConstraint> constraint_keys{
    {{"equation", [](const Value& v, GivenConstraint& given) { given.equation = v; }, write_a_constraint},
     {"softness", [](const Value& v, GivenConstraint& given) { given.softness = v; }},
     {"engaged", [](const Value& v, GivenConstraint&) { v.flag(); }},  // which is read where events are declared
     {"friction", [](const Value& v, GivenConstraint& given) { given.friction = v; }}},
    KeyWords::plain,
    write_a_constraint};

/// Reads the softness, too.
GivenConstraint given_constraint(const Entry& entry, Constraint& constraint) {
  GivenConstraint given;
  const Value value = entry.value.called(fmt::format("constraint '{}'", entry.name));
  if (value.is_mapping())
    read_keys(value, constraint_keys, given);
  else
    given.equation = value;
  if (given.softness)
    constraint.softness =
        given.softness->called(fmt::format("the softness of '{}'", entry.name)).formula(context::softness);
  return given;
}

/// The equation of a constraint, which may stand in a mapping beside other things; "" where it is none.
yaml::PlacedText equation_text(const Entry& entry) {
  const yaml::Node* equation = entry.value.is_mapping() ? entry.value.node().find("equation") : &entry.value.node();
  if (equation == nullptr || equation->kind != yaml::Node::Kind::scalar) return {};
  return entry.value.beside(*equation, "").filled();
}

/// The rows of a constraint on a vector, fewer where its bodies cannot leave the plane.
std::vector<std::string> row_names(const ReadingContext& in, const Entry& entry) {
  const auto equation = vector_equation(equation_text(entry), in.file);
  if (!equation) return {entry.name};
  const auto stays_in_plane = [&](const std::string& name) {
    return in.model.bodies.empty() ||
           in.model.bodies[find_body(in.model, entry.part().indices.full_body(name), entry.value.place())].planar;
  };
  const bool planar = std::ranges::all_of(equation->bodies, stays_in_plane);
  std::vector<std::string> names{entry.name + ".x", entry.name + ".y"};
  if (!planar && equation->size() == 3) names.push_back(entry.name + ".z");
  return names;
}

void read_vector_rows(ReadingContext& in, const Entry& entry, const VectorEquation& equation, std::size_t first) {
  const Indices& indices = entry.part().indices;
  const auto vector = [&](const yaml::PlacedText& text) { return in.scope.vector(text, context::constraint, indices); };
  const Vector3 left = vector(equation.left);
  Vector3 right;
  if (equation.components.empty()) right = vector(equation.right);
  for (std::size_t k = 0; k < equation.components.size(); ++k)
    right[static_cast<int>(k)] = in.scope.formula(equation.components[k], context::constraint, indices);
  const std::size_t rows = row_names(in, entry).size();
  for (std::size_t k = 0; k < rows; ++k) {
    Constraint& constraint = in.model.constraints[first + k];
    if (entry.value.is_mapping()) given_constraint(entry, constraint);
    set_residual(in.model, constraint, left[static_cast<int>(k)] - right[static_cast<int>(k)], entry.value.place());
  }
  if (rows == equation.size()) return;
  // Bodies that stay in the plane have to meet the third component by themselves.
  const Expression third = left.z - right.z;
  const bool moves = std::ranges::any_of(
      symbols_of(third), [&](SymbolId id) { return in.model.graph->info(id).kind != SymbolKind::parameter; });
  if (!moves && std::abs(present_value(in.model, third)) < 1e-6) return;
  entry.value.refuse(fmt::format("constraint '{}' asks planar bodies to leave their plane", entry.name),
                     "give the z at which they are, or the x and y components only");
}

void read_row(ReadingContext& in, const Entry& entry, Constraint& constraint) {
  const GivenConstraint given = given_constraint(entry, constraint);
  const Value equation = given.equation->called(fmt::format("constraint '{}'", entry.name));
  const Expression residual = in.scope.equation(equation.filled(), context::constraint, entry.part().indices);
  set_residual(in.model, constraint, residual, equation.place());
  if (!given.friction) return;
  add_friction(in.model, constraint, read_constraint_friction(*given.friction));
  in.scope.add_derivable(constraint.name + ".friction", [force = in.model.outputs.back().value] { return force; });
}

}  // namespace

void declare_constraints(ReadingContext& in) {
  in.each_entry("constraints", [&](const Entry& entry) {
    for (const std::string& name : row_names(in, entry)) {
      if (in.scope.has_constraint(name)) {
        throw InputError(entry.place, fmt::format("two constraints are named '{}'", name),
                         "choose another name; in a repetition, put {i} into it");
      }
      in.scope.add(add_constraint(in.model, name, entry.place));
      in.give_rows(in.model.constraints.size() - 1, entry.part());
    }
  });
}

void read_constraints(ReadingContext& in) {
  std::size_t next = 0;
  in.each_entry("constraints", [&](const Entry& entry) {
    if (const auto vectors = vector_equation(equation_text(entry), in.file)) {
      read_vector_rows(in, entry, *vectors, next);
      next += row_names(in, entry).size();
      return;
    }
    read_row(in, entry, in.model.constraints[next++]);
  });
}

}  // namespace taut
