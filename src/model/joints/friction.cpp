#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "expression/derivative.hpp"
#include "expression/identity.hpp"
#include "model/bodies/present.hpp"
#include "model/declare.hpp"
#include "model/joints/constant_friction.hpp"
#include "model/joints/joint.hpp"
#include "taut/model.hpp"

/// Dry friction and drag along a slip speed u, where a normal force N presses:
///   F = −μ N sign(u) − d u,
/// and at rest whatever holds, up to μ_s N: steps end where u becomes zero, and the sign that stands there is the one
/// that keeps it zero (docs/theory/switching.md). With a Stribeck speed w, μ falls from μ_s at rest to its value in
/// motion as exp(−(u/w)²) does; without one, at once.
namespace taut {
namespace {

/// A number that parameters give is not below zero.
void refuse_negative(const Model& model, const Expression& value, const char* what, const std::string& of,
                     const Place& place) {
  if (value_now(model, value) >= 0) return;
  throw InputError(place, fmt::format("the {} of the friction of {} is below zero", what, of),
                   "give a number that is zero or greater");
}

void refuse_not_positive(const Model& model, const std::optional<Expression>& value, const char* what,
                         const std::string& of, const Place& place) {
  if (!value || value_now(model, *value) > 0) return;
  throw InputError(place, fmt::format("the {} of the friction of {} is not above zero", what, of),
                   "give a number that is greater, or leave it out");
}

void check(const Model& model, const FrictionLaw& law, const std::string& of) {
  refuse_negative(model, law.coefficient, "coefficient", of, law.place);
  refuse_negative(model, law.viscous, "viscous coefficient", of, law.place);
  refuse_not_positive(model, law.stribeck, "stribeck speed", of, law.place);
  if (law.stribeck && !law.at_rest)
    throw InputError(law.place, fmt::format("the friction of {} has a stribeck speed, and is the same at rest", of),
                     "give 'static', the coefficient at rest, or leave 'stribeck' out");
  if (!law.at_rest) return;
  if (!law.stribeck && !(value_now(model, law.coefficient) > 0))
    throw InputError(law.place, fmt::format("the friction of {} holds at rest alone", of),
                     "give a 'coefficient' above zero, or a 'stribeck' speed");
  if (value_now(model, *law.at_rest) < value_now(model, law.coefficient))
    throw InputError(law.place, fmt::format("the friction of {} is less at rest than in motion", of),
                     "give a 'static' that is no less than 'coefficient'");
}

/// The coefficient in motion.
Expression coefficient(const FrictionLaw& law, const Expression& slip) {
  if (!law.at_rest || !law.stribeck) return law.coefficient;
  const Expression share = slip / *law.stribeck;
  return law.coefficient + (*law.at_rest - law.coefficient) * exp(-(share * share));
}

/// What rubs: "joint 'pin'", and by its name alone.
struct Rubbing {
  std::string of, name;
  std::vector<SymbolId> of_one_point = {};  ///< see Breakaway
};

/// How many times what it is in motion dry friction may be at rest.
Expression ratio_at_rest(const FrictionLaw& law) {
  return law.at_rest && !law.stribeck ? *law.at_rest / law.coefficient : Expression(1);
}

/// Adds friction to a model, and returns the force along the slip speed.
Expression add(Model& model, const FrictionLaw& law, const Rubbing& where, const Expression& normal,
               const Expression& slip) {
  const std::string& of = where.of;
  check(model, law, of);
  const bool dry = present_value(model, law.coefficient) > 0 || law.at_rest;
  Expression force = -law.viscous * slip;
  if (dry) force -= coefficient(law, slip) * normal * sign(slip);
  if (dry) model.breakaways.push_back({slip, ratio_at_rest(law), law.place, where.name, where.of_one_point});
  if (!force.is_zero()) model.loads.push_back({of + ", friction", {}, {force}, law.place, {slip}});
  return force;
}

Expression length(const Vector3& v) { return sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

/// What presses in a guide along `axis`: the force across it, and where the guide has a length, its two ends, which
/// bear the torque across it, too.
Expression pressing(const Reaction& bearing, const Vector3& axis, const std::optional<Expression>& guide) {
  const Vector3 across = bearing.force - dot(bearing.force, axis) * axis;
  if (!guide) return length(across);
  const Vector3 couple = (1 / *guide) * cross(axis, bearing.torque);
  return length(0.5 * across + couple) + length(0.5 * across - couple);
}

/// The direction in the plane of two coordinates in which a constraint leaves them free, as a speed.
Expression tangential_speed(const Model& model, const Constraint& constraint, const Place& place) {
  std::vector<SymbolId> within;
  const auto moving = std::ranges::count_if(model.coordinates, [](const Coordinate& c) { return !c.is_state; });
  for (const Coordinate& c : model.coordinates)
    if (!c.is_state && (!derivative(constraint.residual, c.symbol).is_zero() || moving == 2))
      within.push_back(c.symbol);
  if (within.size() != 2 || constraint.on_velocity)
    throw InputError(place,
                     fmt::format("the friction of constraint '{}' does not say along what it slips", constraint.name),
                     "give 'along', a formula of what slips, such as {coefficient: 0.3, along: x}");
  const Expression x = derivative(constraint.residual, within[0]), y = derivative(constraint.residual, within[1]);
  const auto rate = [&](SymbolId s) { return dot(Expression(*model.graph, model.graph->symbol(s))); };
  return (x * rate(within[1]) - y * rate(within[0])) / sqrt(x * x + y * y);
}

bool is_state(const Model& model, SymbolId s) {
  const Symbol symbol = model.graph->info(s);
  if (symbol.kind == SymbolKind::coordinate) return model.coordinates[symbol.index].is_state;
  return symbol.kind == SymbolKind::speed && model.speeds[symbol.index].is_state;
}

/// The direction of a constraint's force.
struct Direction {
  std::vector<SymbolId> of;  ///< coordinates, or rates and speeds
  Expression square = 0;     ///< of its length
};

/// The constraint force is λ times the gradient; on states no force acts.
Direction direction(const Model& model, const Constraint& constraint) {
  Direction found;
  const auto add_those = [&](SymbolKind kind) {
    for (const auto& [s, value] : gradient(constraint.residual, kind)) {
      if (is_state(model, s)) continue;
      found.of.push_back(s);
      found.square += value * value;
    }
  };
  if (constraint.on_velocity) {
    add_those(SymbolKind::rate);
    add_those(SymbolKind::speed);
  } else {
    add_those(SymbolKind::coordinate);
  }
  return found;
}

Expression constraint_force(const Model& model, const Constraint& constraint, const Direction& direction) {
  const Expression lambda(*model.graph, model.graph->symbol(constraint.multiplier));
  return abs(lambda) * sqrt(direction.square);
}

/// Of a gradient of length 1, λ is the force whatever the coordinates are. One that is written in angles, or in places
/// of several points, has another length than the normal of the contact.
std::vector<SymbolId> taken_for_one_point(const Model& model, const Direction& direction,
                                          const std::optional<Expression>& along) {
  if (vanishes_identically(direction.square - 1)) return {};
  std::vector<SymbolId> all = direction.of;
  if (along)
    for (const SymbolId s : symbols_of(*along)) {
      const bool moves = model.graph->info(s).kind == SymbolKind::coordinate && !is_state(model, s);
      if (moves && std::ranges::find(all, s) == all.end()) all.push_back(s);
    }
  return all;
}

/// ∂²T/∂v² of two rates or speeds.
Expression inertia(const Model& model, SymbolId a, SymbolId b) {
  Expression sum = 0;
  for (const auto* energy : {&model.kinetic_energy, &model.inertial_energy})
    if (*energy) sum += derivative(derivative(**energy, a), b);
  return sum;
}

/// Have these coordinates the kinetic energy of a point, m/2 (ẋ² + ẏ² + ż²)? Of a mass matrix that is given nothing is
/// asked.
bool are_of_one_point(const Model& model, const std::vector<SymbolId>& symbols) {
  if (symbols.size() > 3) return false;
  if (!model.mass_matrix.empty()) return true;
  std::vector<SymbolId> rates;
  for (const SymbolId s : symbols) {
    const Symbol symbol = model.graph->info(s);
    rates.push_back(symbol.kind == SymbolKind::coordinate ? model.coordinates[symbol.index].rate : s);
  }
  for (const SymbolId a : rates)
    for (const SymbolId b : rates) {
      const Expression wanted = a == b ? inertia(model, rates[0], rates[0]) : Expression(0);
      if (!vanishes_identically(inertia(model, a, b) - wanted)) return false;
    }
  return true;
}

/// What a formula of `along` is made of.
struct Ingredients {
  bool speeds = false, coordinates = false, states = false;
};

Ingredients ingredients(const Model& model, const Expression& formula) {
  Ingredients found;
  for (const SymbolId s : symbols_of(formula)) {
    const SymbolKind kind = model.graph->info(s).kind;
    const bool state = is_state(model, s);
    found.states |= state;
    found.speeds |= !state && (kind == SymbolKind::rate || kind == SymbolKind::speed);
    found.coordinates |= !state && kind == SymbolKind::coordinate;
  }
  return found;
}

/// `along` is a speed if there is one in it, and else what slips. The rate of a state is no name that could be derived.
Expression slip_speed(const Expression& along, const Ingredients& in, const std::string& of, const Place& place) {
  if (in.speeds) return along;
  if (!in.coordinates)
    throw InputError(place, fmt::format("'along' of the friction of {} holds no coordinate and no speed", of),
                     "give 'along' a formula of what slips, such as {coefficient: 0.3, along: x}");
  if (in.states)
    throw InputError(place, fmt::format("the friction of {} slips along a formula of coordinates and states", of),
                     "give the speed: x' less the rate of the state, written out");
  return dot(along);
}

/// The size of what presses. A number below zero is a slip of the pen; reactions are of either sign.
Expression pressing(const Model& model, const Expression& normal, const std::string& of, const Place& place) {
  const bool is_number = std::ranges::all_of(
      symbols_of(normal), [&](SymbolId s) { return model.graph->info(s).kind == SymbolKind::parameter; });
  if (!is_number) return abs(normal);
  refuse_negative(model, normal, "normal force", of, place);
  return normal;
}

}  // namespace

void add_friction(Model& model, int index, const FrictionDescription& given) {
  const std::string of = fmt::format("joint '{}'", model.joints[index].name);
  const Joint& joint = model.joints[index];
  const auto refuse = [&](const std::string& message, const std::string& remedy) {
    throw InputError(given.law.place, message, remedy);
  };
  if (!joint.has_coordinate() || (joint.type != "revolute" && joint.type != "prismatic"))
    refuse(fmt::format("there is no friction in a {} joint such as '{}'", joint.type, joint.name),
           "revolute and prismatic joints may have some; elsewhere write a force with lambda(NAME)");
  if (joint.friction) refuse(fmt::format("{} has friction already", of), "give it once");
  const bool turns = joint.angle_rate.has_value();
  if (turns != given.radius.has_value() && present_value(model, given.law.coefficient) > 0)
    refuse(turns ? fmt::format("the friction of {} lacks 'radius'", of)
                 : fmt::format("the friction of {} has a radius, and it slides", of),
           turns ? "give the radius of the pin" : "leave it out");
  if (turns && given.guide) refuse(fmt::format("the friction of {} has a length, and it turns", of), "leave it out");
  refuse_not_positive(model, given.radius, "radius", of, given.law.place);
  refuse_not_positive(model, given.guide, "length", of, given.law.place);
  const Reaction bearing = bearing_reaction(model, index);
  const Expression rate = joint_rate(model, index);
  const Expression slip = turns ? given.radius.value_or(Expression(1)) * rate : rate;
  const Expression normal = turns ? length(bearing.force) : pressing(bearing, *joint.axis, given.guide);
  FrictionLaw law = given.law;
  const Expression drag = -law.viscous * rate;  // of the coordinate, not of the pin's surface
  law.viscous = 0;
  const Expression dry = add(model, law, {of, joint.name}, normal, slip);
  if (!drag.is_zero()) model.loads.push_back({of + ", drag", {}, {drag}, law.place, {rate}});
  model.joints[index].friction = drag + (turns ? given.radius.value_or(Expression(0)) : Expression(1)) * dry;
  add_output(model, joint.name + ".friction", given.law.place).value = *model.joints[index].friction;
}

void add_constant_friction(Model& model, int index, const ConstantFriction& given) {
  Joint& joint = model.joints[index];
  const std::string of = fmt::format("joint '{}'", joint.name);
  const bool turns = joint.angle_rate.has_value();
  if (!joint.has_coordinate() || turns == given.is_force)
    throw InputError(given.law.place,
                     fmt::format("the friction of {} is a {}", of, given.is_force ? "force" : "torque"),
                     "give 'torque' at a joint that only turns, and 'force' at one that only slides");
  if (joint.friction) throw InputError(given.law.place, fmt::format("{} has friction already", of), "give it once");
  const std::string name = joint.name;
  const Expression force = add(model, given.law, {of, name}, 1, joint_rate(model, index));
  model.joints[index].friction = force;
  add_output(model, name + ".friction", given.law.place).value = force;
}

void add_friction(Model& model, const Constraint& constraint, const ConstraintFriction& given) {
  const std::string of = fmt::format("constraint '{}'", constraint.name);
  const Place& place = given.law.place;
  const Expression slip = given.along ? slip_speed(*given.along, ingredients(model, *given.along), of, place)
                                      : tangential_speed(model, constraint, place);
  Rubbing where{of, constraint.name};
  Expression normal = 0;
  if (given.normal) {
    normal = pressing(model, *given.normal, of, place);
  } else {
    const Direction gradient = direction(model, constraint);
    where.of_one_point = taken_for_one_point(model, gradient, given.along);
    normal = constraint_force(model, constraint, gradient);
  }
  const Expression force = add(model, given.law, where, normal, slip);
  add_output(model, constraint.name + ".friction", place).value = force;
}

std::vector<std::string> friction_remarks(const Model& model) {
  std::vector<std::string> remarks;
  for (const Breakaway& friction : model.breakaways)
    if (!are_of_one_point(model, friction.of_one_point))
      remarks.push_back(
          fmt::format("what presses at constraint '{0}' is taken to be lambda({0}) times the length of its gradient, "
                      "which is a force only where its coordinates are those of one point: give the friction 'normal', "
                      "such as lambda({0}) where the equation is a length",
                      friction.name));
  return remarks;
}

}  // namespace taut
